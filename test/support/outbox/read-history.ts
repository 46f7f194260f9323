import type { Database } from '../../../src/core/store/tables.ts';

/** The history of a delivery so far, oldest first. */
export async function readHistory(
  db: Database,
  key: string,
): Promise<{ at: string; step: string; detail: string | null }[]> {
  return db
    .selectFrom('deliveryHistory')
    .select(['at', 'step', 'detail'])
    .where('deliveryKey', '=', key)
    .orderBy('position')
    .execute();
}
