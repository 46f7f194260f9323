import { createHash } from 'node:crypto';
import type { DatabaseTransaction } from '../store/tables.ts';

/** What stays of a delivery that was deleted. */
export const hashOfKey = (key: string) => createHash('sha256').update(key).digest('base64url');

/**
 * Takes those back out of the outbox that were in it before and were deleted since. After they were inserted: a process that deletes
 * one at the same moment has left its hash by then.
 *
 * @returns the keys of the others
 */
export async function withoutForgotten(
  trx: DatabaseTransaction,
  inserted: readonly string[],
): Promise<ReadonlySet<string>> {
  if (inserted.length === 0) return new Set();
  const keys = new Map(inserted.map((key) => [hashOfKey(key), key]));
  const forgotten = await trx
    .selectFrom('forgotten_deliveries')
    .select('key_hash')
    .where('key_hash', 'in', [...keys.keys()])
    .execute();
  const gone = forgotten.flatMap(({ key_hash: hash }) => keys.get(hash) ?? []);
  if (gone.length > 0) await trx.deleteFrom('deliveries').where('key', 'in', gone).execute();
  return new Set(inserted.filter((key) => !gone.includes(key)));
}
