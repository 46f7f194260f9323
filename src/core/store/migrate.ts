import { sql, SqliteAdapter, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { analyticsMigration } from './migrations/0001-analytics.ts';
import { computersMigration } from './migrations/0001-computers.ts';
import { controlsMigration } from './migrations/0001-controls.ts';
import { controlsAcknowledgedMigration } from './migrations/0002-controls.ts';
import { limitsMigration } from './migrations/0001-limits.ts';
import { limitsQuestionsMigration } from './migrations/0002-limits-questions.ts';
import { limitsDeclaredMigration } from './migrations/0012-limits-declared.ts';
import { limitsDecisionsMigration } from './migrations/0013-limits-decisions.ts';
import { creditPricesMigration } from './migrations/0014-credit-prices.ts';
import { mcpTokensMigration } from './migrations/0015-mcp-tokens.ts';
import { strongerControlsMigration } from './migrations/0016-stronger-controls.ts';
import { limitApproversMigration } from './migrations/0018-limit-approvers.ts';
import { pausedWatchesMigration } from './migrations/0019-paused-watches.ts';
import { peopleColumnsMigration } from './migrations/0025-people-columns.ts';
import { platformCapabilitiesMigration } from './migrations/0026-platform-capabilities.ts';
import { teamChargesMigration } from './migrations/0029-team-charges.ts';
import { blockedRequestsMigration } from './migrations/0030-blocked-requests.ts';
import { toldCreditsMigration } from './migrations/0033-told-credits.ts';
import { retiringModelsMigration } from './migrations/0031-retiring-models.ts';
import { limitsThatMayBeSetMigration } from './migrations/0032-limits-that-may-be-set.ts';
import { welcomesMigration } from './migrations/0028-welcomes.ts';
import { limitsInForceMigration, limitsShownBeforeMigration } from './migrations/0027-limits-in-force.ts';
import { sourceReadingsMigration } from './migrations/0024-source-readings.ts';
import { failingSinceMigration } from './migrations/0023-failing-since.ts';
import { zoneRulesMigration } from './migrations/0022-zone-rules.ts';
import { analyticsReadingsMigration } from './migrations/0020-analytics-readings.ts';
import { agreedPoliciesMigration } from './migrations/0021-agreed-policies.ts';
import { repeatedArrivalsMigration } from './migrations/0021-repeated-arrivals.ts';
import { limitPoliciesMigration } from './migrations/0017-limit-policies.ts';
import { outboxMigration } from './migrations/0001-outbox.ts';
import { readinessMigration } from './migrations/0001-readiness.ts';
import { scheduleMigration } from './migrations/0001-schedule.ts';
import { sessionsMigration } from './migrations/0001-sessions.ts';
import { figureLooksMigration } from './migrations/0006-figure-looks.ts';
import { slackMigration } from './migrations/0001-slack.ts';
import { storeMigration } from './migrations/0001-store.ts';
import { erasuresMigration } from './migrations/0004-store-erasures.ts';
import { erasureRequestsMigration } from './migrations/0011-store-erasures.ts';
import { exportsMigration } from './migrations/0008-exports.ts';
import { statusMigration } from './migrations/0001-status.ts';
import { usageMigration } from './migrations/0001-usage.ts';
import { usageWatchesMigration } from './migrations/0003-usage-watches.ts';
import { usageGroupsMigration } from './migrations/0005-usage-groups.ts';
import { usageBudgetsMigration } from './migrations/0002-usage-budgets.ts';
import { outboxForgottenMigration } from './migrations/0007-outbox.ts';
import { deliveryAboutMigration } from './migrations/0009-delivery-about.ts';
import { watchMembersMigration } from './migrations/0010-watch-members.ts';
import { storeTeamMigration } from './migrations/0011-store-team.ts';
import { retentionMigration } from './migrations/0007-retention.ts';
import { StoreError } from './engines/store-error.ts';
import newSqliteStore from './new-sqlite-store.json' with { type: 'json' };

/**
 * The keys are the folders that own the tables. Migrations of one owner run in the order of their names, after those
 * that earlier versions applied. Owners have no order among them. A released name never changes.
 */
export const MIGRATIONS_BY_OWNER: Readonly<Record<string, Readonly<Record<string, Migration>>>> = {
  analytics: {
    '0001-analytics': analyticsMigration,
    '0020-analytics-readings': analyticsReadingsMigration,
    '0025-people-columns': peopleColumnsMigration,
    '0033-told-credits': toldCreditsMigration,
  },
  ask: { '0015-mcp-tokens': mcpTokensMigration },
  computers: { '0001-computers': computersMigration },
  controls: {
    '0001-controls': controlsMigration,
    '0002-controls': controlsAcknowledgedMigration,
    '0016-stronger-controls': strongerControlsMigration,
  },
  exports: { '0008-exports': exportsMigration },
  figures: { '0014-credit-prices': creditPricesMigration },
  limits: {
    '0001-limits': limitsMigration,
    '0002-limits-questions': limitsQuestionsMigration,
    '0012-limits-declared': limitsDeclaredMigration,
    '0013-limits-decisions': limitsDecisionsMigration,
    '0017-limit-policies': limitPoliciesMigration,
    '0018-limit-approvers': limitApproversMigration,
    '0021-agreed-policies': agreedPoliciesMigration,
    '0027-limits-shown-before': limitsShownBeforeMigration,
    '0029-team-charges': teamChargesMigration,
    '0030-blocked-requests': blockedRequestsMigration,
    '0032-limits-that-may-be-set': limitsThatMayBeSetMigration,
  },
  outbox: {
    '0001-outbox': outboxMigration,
    '0007-outbox': outboxForgottenMigration,
    '0009-delivery-about': deliveryAboutMigration,
  },
  platform: {
    '0026-platform-capabilities': platformCapabilitiesMigration,
    '0027-limits-in-force': limitsInForceMigration,
  },
  readiness: { '0001-readiness': readinessMigration },
  retention: { '0007-retention': retentionMigration },
  schedule: {
    '0001-schedule': scheduleMigration,
    '0019-paused-watches': pausedWatchesMigration,
    '0023-failing-since': failingSinceMigration,
  },
  sessions: { '0001-sessions': sessionsMigration },
  slack: {
    '0001-slack': slackMigration,
    '0006-figure-looks': figureLooksMigration,
    '0021-repeated-arrivals': repeatedArrivalsMigration,
  },
  store: {
    '0001-store': storeMigration,
    '0004-store-erasures': erasuresMigration,
    '0011-store-erasures': erasureRequestsMigration,
    '0011-store-team': storeTeamMigration,
    '0022-zone-rules': zoneRulesMigration,
  },
  watches: { '0001-status': statusMigration, '0024-source-readings': sourceReadingsMigration },
  welcome: { '0028-welcomes': welcomesMigration },
  usage: {
    '0001-usage': usageMigration,
    '0002-usage-budgets': usageBudgetsMigration,
    '0003-usage-watches': usageWatchesMigration,
    '0005-usage-groups': usageGroupsMigration,
    '0010-watch-members': watchMembersMigration,
    '0031-retiring-models': retiringModelsMigration,
  },
};

export const MIGRATIONS: Record<string, Migration> = Object.assign({}, ...Object.values(MIGRATIONS_BY_OWNER));

/**
 * Migrates once, even if two processes start together: Kysely holds a lock throughout, and each engine rolls back a
 * migration that fails.
 *
 * @param migrations replaces the program's own, in tests of migrations
 * @throws StoreError if the database was written by a newer version of the program, or by one before the first release
 */
export async function migrate<T>(db: Kysely<T>, migrations: Record<string, Migration> = MIGRATIONS): Promise<void> {
  const applied = await readApplied(db);
  refuseOtherSchema(applied, migrations);
  // Without this check, Kysely would first read every column of every table.
  if (Object.keys(migrations).every((name) => applied.includes(name))) return;
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    // By default Kysely accepts only names after the last one applied, whichever owner it belongs to.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('A migration failed', { cause: error });
}

/**
 * Gives an empty SQLite file at once what all migrations together make of it: running them takes a sixth of a first start.
 * A test writes the statements and compares them.
 */
export async function makeNewSqliteStore<T>(db: Kysely<T>): Promise<void> {
  const isEmpty = async (on: Kysely<T>) =>
    (await sql`select 1 from sqlite_master limit 1`.execute(on)).rows.length === 0;
  if (!(await isEmpty(db))) return;
  await db.transaction().execute(async (trx) => {
    // Another process may have come first.
    if (!(await isEmpty(trx))) return;
    for (const statement of newSqliteStore) await sql.raw(statement).execute(trx);
    const names = JSON.stringify(Object.keys(MIGRATIONS).toSorted());
    const now = sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
    await sql`insert into kysely_migration select value, ${now} from json_each(${names})`.execute(trx);
    await sql`insert into kysely_migration_lock values ('migration_lock', 0)`.execute(trx);
  });
}

/** None for a new store. */
async function readApplied<T>(db: Kysely<T>): Promise<string[]> {
  const isThere =
    db.getExecutor().adapter instanceof SqliteAdapter
      ? sql<{ name: string | null }>`select name from sqlite_master where name = 'kysely_migration'`
      : sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`;
  const [table] = (await isThere.execute(db)).rows;
  if (!table?.name) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

function refuseOtherSchema(applied: readonly string[], migrations: Record<string, Migration>): void {
  const unknown = applied.filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  if (unknown.length === applied.length)
    throw new StoreError(
      'The database is from a version before 0.2.0, which was never released. Start with a new database.',
    );
  throw new StoreError(
    `The database was written by a newer version of Quartermaster (it holds ${unknown.join(', ')}): start that version, or restore a backup from before it.`,
  );
}
