import type { RetentionKind } from '../base/settings/retention.ts';

/** No transaction of a pruning touches more rows, so that nobody waits for it long. */
export const ROWS_A_TRANSACTION = 500;

/** What deletes the rows of a part that were kept long enough. */
export interface Retention {
  kind: RetentionKind;
  /**
   * Deletes what is older than an instant, a transaction at a time; each number is how many rows one of them deleted. It may be
   * left after any of them, and goes on where it was when it is called again.
   */
  prune(before: Date): AsyncIterable<number>;
}

/** Goes on until there is nothing left. @example untilNothingIsLeft(() => deleteSome(db, before)) */
export async function* untilNothingIsLeft(deleteSome: () => Promise<number>): AsyncGenerator<number> {
  for (let rows = await deleteSome(); rows > 0; rows = await deleteSome()) yield rows;
}
