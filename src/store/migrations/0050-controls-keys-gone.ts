import type { Migration } from 'kysely/migration';

/** The key of the fingerprints comes from the API key: beside the fingerprints it let values be tried until one fits. */
export const controlsKeysGoneMigration: Migration = {
  up: async (db) => {
    await db.schema.dropTable('controls_keys').execute();
  },
};
