import { sql } from 'kysely';
import type { Store } from '../store/store.ts';

/** SQLite writes its whole file again, so that nothing is left in it of what earlier versions deleted. Nothing else may use the store. */
export async function compactStore({ db, engine }: Store): Promise<void> {
  if (engine !== 'sqlite') return;
  await sql`vacuum`.execute(db);
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}
