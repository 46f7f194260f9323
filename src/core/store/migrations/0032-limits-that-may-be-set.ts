import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which raises were not sent again after their end although they may be set; until now, only their text said so. */
export const limitsThatMayBeSetMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('limit_request_people').addColumn('may_be_set', 'integer').execute();
    await sql`update limit_request_people set may_be_set = 1
      where state = 'superseded' and error = 'Not sent again: its end date has passed.'`.execute(db);
  },
};
