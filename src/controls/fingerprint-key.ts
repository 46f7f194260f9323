import { randomBytes } from 'node:crypto';
import type { Database } from '../store/database.ts';
import { tablesIn } from './tables.ts';

const NAME = 'fingerprint';

/** The key of the fingerprints that stand for secrets: made once, and kept, so that the same secret keeps its fingerprint. */
export async function keptFingerprintKey(db: Database): Promise<string> {
  const tables = tablesIn(db);
  await tables
    .insertInto('controls_keys')
    .values({ name: NAME, value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // Another replica may have been faster; the one that was kept is the key of both.
  const { value } = await tables
    .selectFrom('controls_keys')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow();
  return value;
}
