import fc from 'fast-check';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { Pool } from 'pg';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import { MIGRATIONS, MIGRATIONS_BY_OWNER } from '../../../src/core/store/migrate.ts';
import { NodeSqliteDialect } from '../../../src/core/store/engines/sqlite-driver.ts';
import { availableEngines, createEmptyDatabase } from '../../support/stores/databases.ts';
import { describeSchema, fillEveryTable } from '../../support/generic-rows.ts';

const OWNERS = Object.values(MIGRATIONS_BY_OWNER).map((migrations) => Object.keys(migrations).toSorted());

/** A version of the program: the number of migrations of each owner at that time. */
const someVersion = fc
  .tuple(...OWNERS.map((names) => fc.nat(names.length)))
  .map((counts) => OWNERS.flatMap((names, index) => names.slice(0, counts[index])));
/** The actual versions: one owner after the other got its migrations. */
const inOrderOfNames = Object.keys(MIGRATIONS)
  .toSorted()
  .map((_, count, names) => names.slice(0, count));

/** A store as an earlier version left it, with a row in every table. */
async function makeEarlierStore(url: string, applied: readonly string[]): Promise<string[]> {
  const dialect = url.startsWith('file:')
    ? new NodeSqliteDialect(url.slice('file:'.length))
    : new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) });
  const db = new Kysely<unknown>({ dialect });
  try {
    const migrations: Record<string, Migration> = Object.fromEntries(
      Object.entries(MIGRATIONS).filter(([name]) => applied.includes(name)),
    );
    const provider = { getMigrations: () => Promise.resolve(migrations) };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error) throw error instanceof Error ? error : new Error('A migration failed', { cause: error });
    await fillEveryTable(db);
    return (await db.introspection.getTables()).map(({ name }) => name);
  } finally {
    await db.destroy();
  }
}

describe.each(availableEngines())('a store of an earlier version on %s', (engine) => {
  const newestSchema = async () => {
    const database = await createEmptyDatabase(engine);
    const store = await openStore(database.url);
    const schema = await describeSchema(store.db);
    await store.close();
    await database.drop();
    return schema;
  };
  const upgrade = async (applied: readonly string[]) => {
    const database = await createEmptyDatabase(engine);
    const tables = await makeEarlierStore(database.url, applied);
    const store = await openStore(database.url);
    const schema = await describeSchema(store.db);
    const lost: string[] = [];
    for (const table of tables.filter((name) => name in schema)) {
      const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(store.db);
      if (rows.length === 0) lost.push(table);
    }
    await store.close();
    await database.drop();
    return { schema, lost };
  };

  test('opens in this one, with every row, whichever features had which migrations', async () => {
    const schema = await newestSchema();
    const isKept = async (applied: readonly string[]) => {
      expect({ applied, ...(await upgrade(applied)) }).toEqual({ applied, schema, lost: [] });
    };
    await fc.assert(fc.asyncProperty(someVersion, isKept), { numRuns: engine === 'sqlite' ? 25 : 8 });
  }, 120_000);

  test('opens in this one, whichever migration was its last', async () => {
    const schema = await newestSchema();
    for (const applied of inOrderOfNames)
      expect({ applied, ...(await upgrade(applied)) }).toEqual({ applied, schema, lost: [] });
  }, 120_000);
});
