import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { deliveriesMigration } from './migrations/0001-deliveries.ts';
import { seenEventsMigration } from './migrations/0003-seen-events.ts';
import { subscriptionsMigration } from './migrations/0002-subscriptions.ts';
import { deliveryThreadsMigration } from './migrations/0004-delivery-threads.ts';
import { subscriptionOwnersMigration } from './migrations/0005-subscription-owners.ts';
import { deliveriesByKindMigration } from './migrations/0006-deliveries-by-kind.ts';
import { analyticsDaysMigration } from './migrations/0010-analytics-days.ts';
import { auditMigration } from './migrations/0011-audit.ts';
import { limitsMigration } from './migrations/0012-limits.ts';
import { controlsMigration } from './migrations/0021-controls.ts';
import { computerWatchesMigration } from './migrations/0031-computer-watches.ts';
import { readinessWatchesMigration } from './migrations/0041-readiness-watches.ts';
import { controlsKeysGoneMigration } from './migrations/0050-controls-keys-gone.ts';
import { limitReturnsMigration } from './migrations/0051-limit-returns.ts';
import { pendingInteractionsMigration } from './migrations/0052-pending-interactions.ts';
import { deliveryQueuesMigration } from './migrations/0060-delivery-queues.ts';
import { controlsAnnouncedMigration } from './migrations/0061-controls-announced.ts';
import { storeHealthMigration } from './migrations/0060-store-health.ts';
import { limitChoicesMigration } from './migrations/0062-limit-choices.ts';
import { storeSilencesMigration } from './migrations/0062-store-silences.ts';
import { StoreError } from './store-error.ts';

/**
 * Every migration, by the folder that owns its tables. Those of one owner are applied in the order of their names, after
 * what earlier versions applied of them; between owners there is no order, so that any of them can add one. A name that was
 * released never changes.
 */
export const MIGRATIONS_BY_OWNER: Readonly<Record<string, Readonly<Record<string, Migration>>>> = {
  store: {
    '0011-audit': auditMigration,
    '0060-store-health': storeHealthMigration,
    '0062-store-silences': storeSilencesMigration,
  },
  outbox: {
    '0001-deliveries': deliveriesMigration,
    '0004-delivery-threads': deliveryThreadsMigration,
    '0006-deliveries-by-kind': deliveriesByKindMigration,
    '0060-delivery-queues': deliveryQueuesMigration,
  },
  schedule: { '0002-subscriptions': subscriptionsMigration, '0005-subscription-owners': subscriptionOwnersMigration },
  slack: { '0003-seen-events': seenEventsMigration, '0052-pending-interactions': pendingInteractionsMigration },
  analytics: { '0010-analytics-days': analyticsDaysMigration },
  limits: {
    '0012-limits': limitsMigration,
    '0051-limit-returns': limitReturnsMigration,
    '0062-limit-choices': limitChoicesMigration,
  },
  controls: {
    '0021-controls': controlsMigration,
    '0050-controls-keys-gone': controlsKeysGoneMigration,
    '0061-controls-announced': controlsAnnouncedMigration,
  },
  computers: { '0031-computer-watches': computerWatchesMigration },
  readiness: { '0041-readiness-watches': readinessWatchesMigration },
};

export const MIGRATIONS: Record<string, Migration> = Object.assign({}, ...Object.values(MIGRATIONS_BY_OWNER));

/**
 * Applies what is missing, once, also when two processes start together: Kysely holds a lock for all of it, and each
 * engine undoes a migration that fails half-way.
 *
 * @param migrations others than the program's own, for the tests of migrations
 * @throws StoreError when the database was written by a newer version of the program
 */
export async function migrate<T>(db: Kysely<T>, migrations: Record<string, Migration> = MIGRATIONS): Promise<void> {
  await refuseNewerSchema(db, migrations);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    // By default Kysely takes only names after the last one applied, whichever owner that is of.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('A migration failed', { cause: error });
}

async function refuseNewerSchema<T>(db: Kysely<T>, migrations: Record<string, Migration>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return;
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const unknown = applied.rows.filter((row) => !(row.name in migrations));
  if (unknown.length === 0) return;
  throw new StoreError(
    `The database was written by a newer version of Quartermaster (it holds ${unknown.map((row) => row.name).join(', ')}): start that version, or restore a backup from before it.`,
  );
}
