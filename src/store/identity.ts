import { randomUUID } from 'node:crypto';
import type { Database } from './tables.ts';

/** The random name of a store; the first process that opens it gives it one. */
export async function readIdentity(db: Database): Promise<string> {
  const known = await db.selectFrom('store_identity').select('id').executeTakeFirst();
  if (known) return known.id;
  await db
    .insertInto('store_identity')
    .values({ place: 'here', id: randomUUID() })
    .onConflict((conflict) => conflict.column('place').doNothing())
    .execute();
  const { id } = await db.selectFrom('store_identity').select('id').executeTakeFirstOrThrow();
  return id;
}
