import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { NodeSqliteDialect } from '../../../src/core/store/engines/sqlite-driver.ts';
import { makeNewSqliteStore, migrate } from '../../../src/core/store/migrate.ts';

async function describeStore(make: (db: Kysely<unknown>) => Promise<void>) {
  const db = new Kysely<unknown>({ dialect: new NodeSqliteDialect(':memory:') });
  await make(db);
  const parts = await sql<{ sql: string }>`select sql from sqlite_master where sql is not null order by rowid`.execute(
    db,
  );
  const applied = await sql<{ name: string }>`select name from kysely_migration order by rowid`.execute(db);
  const locks = await sql`select * from kysely_migration_lock`.execute(db);
  await db.destroy();
  return { statements: parts.rows.map((part) => part.sql), applied: applied.rows, locks: locks.rows };
}

test('a new store is what all migrations together make', async () => {
  const migrated = await describeStore(migrate);
  // After a new migration: npm test -- test/core/store/new-sqlite-store.test.ts -u
  const written = `${JSON.stringify(migrated.statements, null, 2)}\n`;
  await expect(written).toMatchFileSnapshot('../../../src/core/store/new-sqlite-store.json');
  expect(await describeStore(makeNewSqliteStore)).toEqual(migrated);
});
