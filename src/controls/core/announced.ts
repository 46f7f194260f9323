import { batchesOf } from '../../base/batches.ts';
import type { ControlsTransaction, RevisionRow } from './controls-tables.ts';

type Announcement = Pick<RevisionRow, 'revision' | 'digest'>;

/** Marks revisions as announced. Those before the first watch count as announced, too. */
export async function recordAnnounced(trx: ControlsTransaction, rows: readonly Announcement[]): Promise<void> {
  for (const some of batchesOf(rows, { maxItems: 500 })) {
    await trx
      .insertInto('controlsAnnounced')
      .values(some.map(({ revision, digest }) => ({ revision, digest })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Returns the revisions that have not been announced with this content. They are sorted by number. */
export async function withoutAnnounced<Row extends Announcement>(
  trx: ControlsTransaction,
  rows: readonly Row[],
): Promise<Row[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const announced = await trx
    .selectFrom('controlsAnnounced')
    .select(['revision', 'digest'])
    .where('revision', '>=', first.revision)
    .where('revision', '<=', last.revision)
    .execute();
  const announcedKeys = new Set(announced.map(({ revision, digest }) => `${revision} ${digest}`));
  return rows.filter(({ revision, digest }) => !announcedKeys.has(`${revision} ${digest}`));
}
