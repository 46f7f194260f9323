import { createHash } from 'node:crypto';
import type { DatabaseTransaction } from '../store/tables.ts';

export const hashOfKey = (key: string) => createHash('sha256').update(key).digest('base64url');

/** A deleted delivery is never posted again. */
export async function findDeletedKeys(trx: DatabaseTransaction, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const byHash = new Map(keys.map((key) => [hashOfKey(key), key]));
  const deletedRows = await trx
    .selectFrom('forgottenDeliveries')
    .select('keyHash')
    .where('keyHash', 'in', [...byHash.keys()])
    .execute();
  return new Set(deletedRows.flatMap(({ keyHash: hash }) => byHash.get(hash) ?? []));
}

/** Runs after the insert: a process that deletes one at that moment has left its hash. @returns the keys that remain */
export async function removeDeleted(
  trx: DatabaseTransaction,
  inserted: readonly string[],
): Promise<ReadonlySet<string>> {
  const deletedKeys = await findDeletedKeys(trx, inserted);
  if (deletedKeys.size > 0)
    await trx
      .deleteFrom('deliveries')
      .where('key', 'in', [...deletedKeys])
      .execute();
  return new Set(inserted.filter((key) => !deletedKeys.has(key)));
}
