import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { Kysely, PostgresDialect } from 'kysely';
import { expect, inject } from 'vitest';
import type { Engine } from '../../../src/core/store/store.ts';
import { migrate } from '../../../src/core/store/migrate.ts';
import { COLUMN_NAMES, type Database } from '../../../src/core/store/tables.ts';
import { NodeSqliteDialect } from '../../../src/core/store/engines/sqlite-driver.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { rememberFirstStart } from './first-start.ts';
import { connectWhenItAnswers, POSTGRES_TEMPLATE } from './postgres-server.ts';

/** A database of one test. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** The engines that this part of the suite runs on here. */
export function availableEngines(): Engine[] {
  const engines = areRacesTested() ? ENGINES : inject('engines');
  return engines.filter((engine) => engine === 'sqlite' || inject('postgresUrl'));
}

const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

/** Races of the lowest floors, on which all others are built, are tested on both engines each time. */
function areRacesTested(): boolean {
  return /\/test\/core\/(?:store|outbox)\/[^/]+\.store\.test\.ts$/.test(expect.getState().testPath ?? '');
}

/** For tests that run on Postgres alone: empty if there is no Postgres here. */
export const whereThereIsPostgres = () => availableEngines().filter((engine) => engine === 'postgres');

/** The engine for tests that do not depend on one. */
export const usualEngine = () => availableEngines()[0] ?? 'sqlite';

const SQLITE_BYTES = 256 * 1024 ** 2;

/** Creates a database of one test. Its tables already exist: creating them takes longer than copying them. */
export async function createDatabase(engine: Engine): Promise<TestDatabase> {
  const database = await create(
    engine,
    engine === 'postgres' ? await (postgresCopying ??= untilPostgresIsReady()) : '',
  );
  if (engine === 'sqlite') writeFileSync(sqlitePath(database.url), await (sqliteTemplate ??= makeSqliteTemplate()));
  return database;
}

let sqliteTemplate: Promise<Buffer> | undefined;

async function makeSqliteTemplate(): Promise<Buffer> {
  const database = await create('sqlite', '');
  const path = sqlitePath(database.url);
  const db = new Kysely({ dialect: new NodeSqliteDialect(path) });
  try {
    await migrate(db);
    await rememberFirstStart(db);
  } finally {
    await db.destroy();
  }
  const template = readFileSync(path);
  await database.drop();
  return template;
}

/** Creates one without any table, for tests of its first start. */
export const createEmptyDatabase = (engine: Engine) => create(engine, '');

async function create(engine: Engine, copying: string): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(temporaryFolder(SQLITE_BYTES), 'quartermaster-test-'));
    return {
      url: `file:${join(folder, 'test.db')}`,
      drop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    };
  }
  const server = inject('postgresUrl');
  if (!server) throw new Error('There is no Postgres here');
  await (postgresCopying ??= untilPostgresIsReady());
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runOn(server, `create database ${name} ${copying}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOn(server, `drop database if exists ${name} with (force)`) };
}

let postgresCopying: Promise<string> | undefined;

const PATIENCE_MS = 60_000;

/**
 * It starts while other tests run.
 * @returns the suffix that makes `create database` copy all tables, if there are tables to copy
 */
async function untilPostgresIsReady(): Promise<string> {
  const server = inject('postgresUrl');
  if (!inject('postgresHasTemplate')) return '';
  const client = await connectWhenItAnswers(server ?? '');
  try {
    for (const startMs = performance.now(); performance.now() - startMs < PATIENCE_MS; await delay(20)) {
      const { rows } = await client.query<{ version: number }>(
        `select current_setting('server_version_num')::int as version from pg_database where datname = $1 and datistemplate`,
        [POSTGRES_TEMPLATE],
      );
      // Without a wait for the disk, copying files is faster than writing each page into the log; older versions have
      // no choice.
      if (rows[0]) return `template ${POSTGRES_TEMPLATE}${rows[0].version >= 150_000 ? ' strategy file_copy' : ''}`;
    }
    throw new Error('Postgres has no tables to copy after a minute');
  } finally {
    await client.end();
  }
}

/** The file of an SQLite database. */
export const sqlitePath = (url: string) => url.slice('file:'.length);

async function runOn(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A second connection to a database that a bot in this same process uses: it reads and never waits for a lock. */
export function readDatabase(url: string): Database {
  if (url.startsWith('file:'))
    return new Kysely({ dialect: new NodeSqliteDialect(sqlitePath(url)), plugins: [COLUMN_NAMES] });
  const pool = new Pool({ connectionString: url, max: 1 });
  // The pool counts as closed before its connections are, and dropping the database may end them first.
  pool.on('connect', (client) => void client.on('error', () => {}));
  pool.on('error', () => {});
  return new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [COLUMN_NAMES] });
}
