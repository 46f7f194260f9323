import type { Pseudonyms } from '../../../core/base/privacy/pseudonyms.ts';
import { batchesOf, eachInTurns } from '../../../core/base/time/turns.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { changedMembers, diffClassified, type ClassifiedChange } from '../diff/diff.ts';
import {
  type Comparison,
  type RevisionOutline,
  type RevisionRow,
  comparableSettings,
  findRevision,
  storeComparisons,
} from '../core/revisions.ts';

/**
 * Compares each revision with the previous one; two are in memory at a time.
 * @param first the revision to compare the first one with; `null`: none was before it; missing: unknown, and the first
 * one stays uncompared
 */
export async function compareAll(
  { db, erased }: Pick<ControlsDeps, 'db' | 'erased'>,
  revisions: readonly RevisionOutline[],
  first: number | null | undefined,
): Promise<void> {
  let previous: RevisionRow | null | undefined =
    first === null || first === undefined ? first : await findRevision(db, first);
  for (const some of batchesOf(revisions, { maxItems: 25 })) {
    const comparisons: Comparison[] = [];
    // Large settings take a moment each, and other work needs its turn.
    for await (const { revision, members } of eachInTurns(some)) {
      const row = await findRevision(db, revision);
      if (!row) continue;
      if (previous !== undefined && members === null) comparisons.push(compare(previous, row, erased));
      previous = row;
    }
    await storeComparisons(db, comparisons);
  }
}

function compare(previous: RevisionRow | null, row: RevisionRow, pseudonyms: Pseudonyms): Comparison {
  const { before, after } = comparableSettings(previous ?? { ...row, settings: '{}' }, row, pseudonyms);
  const changes = diffClassified(before, after);
  return {
    revision: row.revision,
    previous: previous?.revision ?? null,
    members: changedMembers(changes),
    weaker: countVerdicts(changes, 'weaker'),
    stronger: countVerdicts(changes, 'stronger'),
  };
}

const countVerdicts = (changes: readonly ClassifiedChange[], kind: 'weaker' | 'stronger') =>
  changes.filter(({ verdict }) => verdict?.kind === kind).length;
