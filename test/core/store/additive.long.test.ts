import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NodeSqliteDialect } from '../../../src/core/store/engines/sqlite-driver.ts';
import { MIGRATIONS } from '../../../src/core/store/migrate.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import { availableEngines, createEmptyDatabase, sqlitePath } from '../../support/stores/databases.ts';
import { makeReleasedStore, releasedVersions } from '../../support/stores/released-stores.ts';

interface Column {
  dataType: string;
  isNullable: boolean;
  hasDefault: boolean;
}

/** The parts of the schema that an older program relies on. */
interface Schema {
  /** By table and column. */
  columns: ReadonlyMap<string, ReadonlyMap<string, Column>>;
  /** The unique columns, by table. */
  unique: ReadonlyMap<string, readonly string[]>;
}

async function readSchema(db: Kysely<unknown>, engine: Engine): Promise<Schema> {
  const tables = await db.introspection.getTables();
  const indexes =
    engine === 'sqlite'
      ? sql<{ table: string; definition: string }>`select tbl_name as "table", sql as definition from sqlite_schema
          where type = 'index' and sql is not null`
      : sql<{ table: string; definition: string }>`select tablename as "table", indexdef as definition from pg_indexes
          where schemaname = 'public'`;
  const { rows } = await indexes.execute(db);
  const unique = rows.filter(({ definition }) => /^create unique/i.test(definition));
  return {
    columns: new Map(
      tables.map(({ name, columns }) => [
        name,
        new Map(
          columns.map((column) => [
            column.name,
            { dataType: column.dataType, isNullable: column.isNullable, hasDefault: column.hasDefaultValue },
          ]),
        ),
      ]),
    ),
    unique: new Map(
      [...Map.groupBy(unique, ({ table }) => table)].map(([table, all]) => [
        table,
        all.map(({ definition }) => definition),
      ]),
    ),
  };
}

const columnsOf = (definition: string): string[] =>
  (/\(([^()]*)\)/.exec(definition)?.[1] ?? '').split(',').map((name) => name.trim().replaceAll('"', ''));

/** The actions that a program of the previous version could no longer perform. */
function broken(before: Schema, after: Schema): string[] {
  const faults: string[] = [];
  for (const [table, columns] of before.columns) {
    const now = after.columns.get(table);
    if (!now) {
      faults.push(`${table} is gone`);
      continue;
    }
    for (const [name, column] of columns) {
      const own = now.get(name);
      if (!own) faults.push(`${table}.${name} is gone`);
      else if (own.dataType !== column.dataType) faults.push(`${table}.${name} has another type`);
      else if (column.isNullable && !own.isNullable) faults.push(`${table}.${name} may no longer be empty`);
    }
    for (const [name, { isNullable, hasDefault }] of now) {
      if (!columns.has(name) && !isNullable && !hasDefault) faults.push(`${table}.${name} is asked for`);
    }
    const known = before.unique.get(table) ?? [];
    const added = (after.unique.get(table) ?? []).filter((definition) => !known.includes(definition));
    // The older program leaves new columns empty, and empty ones are never the same.
    const isLeftEmpty = (name: string) => !columns.has(name) && now.get(name)?.hasDefault === false;
    if (!added.every((definition) => columnsOf(definition).some(isLeftEmpty)))
      faults.push(`${table} must be unique in a way that it was not`);
  }
  return faults;
}

/** Dropping the database may end its connection before the pool is done with it. */
function quietPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 1 });
  pool.on('connect', (client) => void client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
}

async function openReleased(version: string, engine: Engine) {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-additive-'));
  const database = await createEmptyDatabase(engine);
  await makeReleasedStore(version, database.url, join(folder, 'released.db'));
  const db = new Kysely<unknown>({
    dialect:
      engine === 'sqlite'
        ? new NodeSqliteDialect(sqlitePath(database.url))
        : new PostgresDialect({ pool: quietPool(database.url) }),
  });
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return { db, applied: rows.map(({ name }) => name) };
}

async function apply(db: Kysely<unknown>, migrations: Record<string, Migration>): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  const { error } = await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('A migration failed', { cause: error });
}

const cases = releasedVersions().flatMap((version) => availableEngines().map((engine) => ({ version, engine })));

describe.each(cases)('each change of the schema since $version, on $engine,', ({ version, engine }) => {
  test('leaves everything that a program of that version uses unchanged, so that both can run side by side', async () => {
    const { db, applied } = await openReleased(version, engine);
    const known: Record<string, Migration> = Object.fromEntries(
      Object.entries(MIGRATIONS).filter(([name]) => applied.includes(name)),
    );
    expect(Object.keys(known).toSorted()).toEqual(applied.toSorted());
    const added = Object.entries(MIGRATIONS).filter(([name]) => !applied.includes(name));
    // Right after a release, its own schema is the newest.
    expect(added.length > 0 || version !== '0.2.0').toBe(true);
    for (const [name, migration] of added.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const before = await readSchema(db, engine);
      known[name] = migration;
      await apply(db, known);
      expect({ name, broken: broken(before, await readSchema(db, engine)) }).toEqual({ name, broken: [] });
    }
  });
});

const BREAKING: Record<string, { up: (db: Kysely<unknown>) => Promise<unknown>; fault: string }> = {
  'drops a table': {
    up: (db) => db.schema.dropTable('limit_drafts').execute(),
    fault: 'limit_drafts is gone',
  },
  'drops a column': {
    up: (db) => db.schema.alterTable('limit_drafts').dropColumn('contents').execute(),
    fault: 'limit_drafts.contents is gone',
  },
  'renames a column': {
    up: (db) => db.schema.alterTable('limit_drafts').renameColumn('contents', 'words').execute(),
    fault: 'limit_drafts.contents is gone',
  },
  'reads a column without a writer': {
    up: async (db) => {
      await db.schema.dropTable('limit_drafts').execute();
      await db.schema
        .createTable('limit_drafts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('author', 'text', (column) => column.notNull())
        .execute();
    },
    fault: 'limit_drafts.author is asked for',
  },
  'changes a type': {
    up: async (db) => {
      await db.schema.alterTable('limit_drafts').dropColumn('owner').execute();
      await db.schema.alterTable('limit_drafts').addColumn('owner', 'integer').execute();
    },
    fault: 'limit_drafts.owner has another type',
  },
  'has rows be unique': {
    up: (db) => db.schema.createIndex('one_each').unique().on('audit').columns(['actor', 'at']).execute(),
    fault: 'audit must be unique in a way that it was not',
  },
};

test.each(Object.entries(BREAKING))('a change that %s would be detected', async (_name, { up, fault }) => {
  const [version = ''] = releasedVersions();
  const { db } = await openReleased(version, 'sqlite');
  const before = await readSchema(db, 'sqlite');
  await up(db);
  expect(broken(before, await readSchema(db, 'sqlite'))).toContain(fault);
});
