import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the platform told of the credits of a day while it could still change, and in the end. */
export const toldCreditsMigration: Migration = {
  up: (db: Kysely<unknown>) =>
    db.schema
      .createTable('told_credits')
      .addColumn('day', 'text', (column) => column.primaryKey().notNull())
      .addColumn('first_day', 'double precision')
      .addColumn('second_day', 'double precision')
      .addColumn('settled', 'double precision')
      .execute(),
};
