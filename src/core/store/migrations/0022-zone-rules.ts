import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which rules of time zones each running process has: replicas can run on different versions of Node.js. */
export const zoneRulesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('store_heartbeats').addColumn('zone_rules', 'text').execute();
  },
};
