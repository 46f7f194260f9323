import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../platform/redaction/json.ts';
import type { Database } from '../store/database.ts';
import { changedMembers, diffJudged } from './diff/diff.ts';
import { findRevision, noteComparison, settingsOf, type RevisionOutline } from './revisions.ts';
import { tablesIn } from './tables.ts';

/**
 * Compares revisions, each with the one before, and notes what changed. Two are in memory at a time.
 *
 * @param first what the first one is compared with; `null`: with nothing, because there was nothing before it; missing: it
 *   is not known, and the first one stays as it is
 */
export async function compareAll(
  db: Database,
  revisions: readonly RevisionOutline[],
  first: number | null | undefined,
): Promise<void> {
  const tables = tablesIn(db);
  let previous: { revision: number | null; settings: JsonObject } | undefined =
    first === null ? { revision: null, settings: {} } : await readSettings(db, first);
  for (const { revision, members } of revisions) {
    const row = await readSettings(db, revision);
    if (!row) continue;
    if (previous && members === null) {
      const changes = diffJudged(previous.settings, row.settings);
      await noteComparison(tables, revision, {
        previous: previous.revision,
        members: changedMembers(changes),
        weaker: changes.filter(({ verdict }) => verdict?.kind === 'weaker').length,
      });
    }
    previous = row;
    // Large settings take a moment each, and others want their turn.
    await nextTurn();
  }
}

async function readSettings(db: Database, revision: number | undefined) {
  const row = revision === undefined ? undefined : await findRevision(db, revision);
  return row && { revision: row.revision, settings: settingsOf(row) };
}
