import { nextTurn } from '../../base/time/turns.ts';
import type { Database } from '../../store/tables.ts';
import { changedMembers, diffClassified } from '../diff/diff.ts';
import { comparableSettings, findRevision, noteComparison, type RevisionOutline } from '../core/revisions.ts';
import { tablesIn, type RevisionRow } from '../core/tables.ts';

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
  let previous: RevisionRow | null | undefined =
    first === null || first === undefined ? first : await findRevision(db, first);
  for (const { revision, members } of revisions) {
    const row = await findRevision(db, revision);
    if (!row) continue;
    if (previous !== undefined && members === null) {
      const { before, after } = comparableSettings(previous ?? { ...row, settings: '{}' }, row);
      const changes = diffClassified(before, after);
      await noteComparison(tables, revision, {
        previous: previous?.revision ?? null,
        members: changedMembers(changes),
        weaker: changes.filter(({ verdict }) => verdict?.kind === 'weaker').length,
      });
    }
    previous = row;
    // Large settings take a moment each, and others want their turn.
    await nextTurn();
  }
}
