import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import type { Price } from '../../core/base/text/numbers.ts';
import { dayOf, type Day } from '../../core/base/time/calendar.ts';
import { limitPeriodSchema, type LimitPeriod } from '../../core/base/time/limit-period-days.ts';
import { MIGRATIONS } from '../../core/store/migrate.ts';
import { judgeAllowance, readAllowance, type Allowance } from '../../core/store/engines/postgres-allowance.ts';
import { NodeSqliteDialect } from '../../core/store/engines/sqlite-driver.ts';
import { isUnverified, toLibpqAddress } from '../../core/store/engines/libpq-address.ts';
import { explainStoreFault } from '../../core/store/engines/store-error.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import { countUsableConnections } from './pooler.ts';
import { readZoneRules, type ZoneRulesReading } from './zone-rules.ts';

const POSTGRES_TIMEOUT_MS = 8_000;

/** Reading the store changes nothing, because a bot of another version may be running on it. */
export type StoreReading =
  | { kind: 'absent' }
  | {
      kind: 'open';
      migrations: readonly string[];
      allowance?: Allowance | undefined;
      /** How many connections to Postgres could be used at the same time. */
      usableConnections?: number | undefined;
      limitPeriod?: LimitPeriod | undefined;
      price?: Price | undefined;
      zoneRules?: ZoneRulesReading | undefined;
    }
  | { kind: 'broken'; sentence: string };

/** Proves that the database is writable by a change that is rolled back. */
export async function readStore(databaseUrl: string, now: Date): Promise<StoreReading> {
  try {
    const path = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined;
    if (path !== undefined && !existsSync(path)) {
      accessSync(nearestFolder(path), constants.W_OK | constants.X_OK);
      return { kind: 'absent' };
    }
    const reading = { kind: 'open' as const, ...(await readDatabase(databaseUrl, path, now)) };
    return path === undefined ? { ...reading, usableConnections: await countUsableConnections(databaseUrl) } : reading;
  } catch (error) {
    return { kind: 'broken', sentence: explainStoreFault(error, databaseUrl) };
  }
}

/** The nearest existing folder; the bot creates the ones below it. */
function nearestFolder(path: string): string {
  let folder = dirname(resolve(path));
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

async function readDatabase(
  databaseUrl: string,
  path: string | undefined,
  now: Date,
): Promise<Omit<Extract<StoreReading, { kind: 'open' }>, 'kind'>> {
  const dialect = path === undefined ? postgres(databaseUrl) : new NodeSqliteDialect(path);
  const db = new Kysely<unknown>({ dialect });
  try {
    await proveWritable(db);
    const allowance = path === undefined ? await readAllowance(db) : undefined;
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    const has = (name: string) => tables.some((table) => table.name === name);
    const hasColumn = (name: string, column: string) =>
      tables.some((table) => table.name === name && table.columns.some((one) => one.name === column));
    return {
      migrations: has('kysely_migration') ? await readMigrations(db) : [],
      limitPeriod: has('limit_period') ? await readLimitPeriod(db) : undefined,
      price: has('credit_prices') ? await readPrice(db, dayOf(now)) : undefined,
      zoneRules: await readZoneRules(db, { isPostgres: path === undefined, hasColumn, now }),
      allowance,
    };
  } finally {
    await db.destroy();
  }
}

async function readMigrations(db: Kysely<unknown>): Promise<string[]> {
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return applied.rows.map((row) => row.name);
}

async function readLimitPeriod(db: Kysely<unknown>): Promise<LimitPeriod | undefined> {
  const { rows } = await sql<{ period: string | null }>`select period from limit_period`.execute(db);
  return limitPeriodSchema.safeParse(rows[0]?.period).data;
}

async function readPrice(db: Kysely<unknown>, today: Day): Promise<Price | undefined> {
  const { rows } = await sql<{ per_million: string; currency: string }>`
    select per_million, currency from credit_prices where from_day <= ${today} order by from_day desc limit 1`.execute(
    db,
  );
  const [row] = rows;
  return row && { perMillion: row.per_million, currency: row.currency };
}

function postgres(address: string): PostgresDialect {
  const pool = new Pool({
    connectionString: toLibpqAddress(address),
    max: 1,
    connectionTimeoutMillis: POSTGRES_TIMEOUT_MS,
    query_timeout: POSTGRES_TIMEOUT_MS,
  });
  pool.on('error', () => {});
  return new PostgresDialect({ pool });
}

class RolledBack extends Error {}

async function proveWritable(db: Kysely<unknown>): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`create table quartermaster_doctor (id text primary key)`.execute(transaction);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}

/** A connection that is encrypted without a check of who answers. Pure. */
export const judgeEncryption = (databaseUrl: string): Finding[] =>
  isUnverified(databaseUrl)
    ? [
        warning(
          'DATABASE_URL',
          'The connection is encrypted, but nobody checks who answers: set sslmode=verify-full, with sslrootcert for an authority of your own.',
        ),
      ]
    : [];

export function judgeStore(
  reading: StoreReading,
  expected: readonly string[] = Object.keys(MIGRATIONS).toSorted(),
): Finding {
  if (reading.kind === 'broken') return fault('DATABASE_URL', reading.sentence);
  if (reading.kind === 'absent') return ok('DATABASE_URL', 'There is no database yet; the first start makes it.');
  const tooFew = reading.allowance && judgeAllowance(reading.allowance);
  if (tooFew) return fault('DATABASE_URL', tooFew);
  const unknown = reading.migrations.filter((name) => !expected.includes(name));
  if (unknown.length > 0) {
    const held = unknown.join(', ');
    return fault(
      'DATABASE_URL',
      `It was written by a newer version of Quartermaster (it holds ${held}): start that version, or restore a backup.`,
    );
  }
  const missingMigrations = expected.filter((name) => !reading.migrations.includes(name));
  if (missingMigrations.length > 0)
    return ok('DATABASE_URL', 'It opens and can be written; the next start brings its schema up to date.');
  return ok('DATABASE_URL', 'It opens, can be written, and its schema is that of this version.');
}
