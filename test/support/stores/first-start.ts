import { sql, type Kysely } from 'kysely';

/** Most tests are about a bot that has run for a while, so the admins know what it is. */
export async function rememberFirstStart<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`insert into welcomes (place, at) values ('admins', '2026-01-01T00:00:00.000Z')`.execute(db);
}
