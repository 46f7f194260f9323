import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STORED_TABLES as tables } from '../../../src/features/stored-tables.ts';
import { countRows, eraseRows } from '../../../src/features/erasure/core/rows.ts';
import { dependentsFirst } from '../../../src/features/erasure/core/store-rows.ts';
import { eraseFile } from '../../../src/features/erasure/files.ts';
import { createPseudonyms, pseudonymsByHash } from '../../../src/core/base/privacy/pseudonyms.ts';
import { pseudonymizedSettings } from '../../../src/core/platform/pseudonymized.ts';
import { takeBackup } from '../../../src/programs/backup/backup.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { COLUMN_NAMES } from '../../../src/core/store/tables.ts';
import { fillEveryTable } from '../../support/generic-rows.ts';
import {
  availableEngines,
  createEmptyDatabase,
  sqlitePath,
  type TestDatabase,
} from '../../support/stores/databases.ts';

const MIA = { email: ['mia@acme.example'], slackId: ['U0MIA'], userId: ['u-mia'], name: ['Mia Chen'] };
const NOW = new Date('2026-03-02T09:00:00Z');
const PLANTED = 'Mia Chen <@U0MIA> mia@acme.example MIA@ACME.EXAMPLE me-U0MIA';
/** Every table holds JSON in these columns, which must stay valid. */
const JSON_COLUMNS: Record<string, Record<string, string>> = {
  analytics_days: { facts: '[["u-mia","mia@acme.example",5],["u-max","max@acme.example",7]]' },
  revisions: { settings: '{"owners":["u-mia"],"mail":"mia@acme.example"}', members: '["rules[mia@acme.example]"]' },
};
/** References to other rows and states stay unchanged. */
const LEFT = new Set(['request_id', 'state', 'delivery_key', 'key']);

let folder: string;
let database: TestDatabase;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-erasure-'));
});
afterEach(async () => {
  await store.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function openPlanted(engine: 'sqlite' | 'postgres'): Promise<void> {
  database = await createEmptyDatabase(engine);
  store = await openStore(database.url);
  await fillEveryTable(store.db);
  await sql`update analytics_days set part = 1`.execute(store.db);
  // A message of other people whose key contains this person.
  await sql`insert into deliveries (key, kind, channel, payload, state, due_at, next_attempt_at, attempts, created_at)
    values ('watch:C1:U0MIA', 'watch', 'C1', '{}', 'sent', '1', '1', 1, '1')`.execute(store.db);
  await sql`insert into delivery_history (delivery_key, position, at, step) values ('watch:C1:U0MIA', 0, '1', 'sent')`.execute(
    store.db,
  );
  for (const { name, columns } of await store.db.introspection.getTables()) {
    if (name === 'erasures') continue;
    for (const { name: column, dataType } of columns) {
      if (!/text/i.test(dataType) || LEFT.has(column) || (name === 'limit_requests' && column === 'id')) continue;
      const planted = JSON_COLUMNS[name]?.[column] ?? PLANTED;
      await sql`update ${sql.table(name)} set ${sql.ref(column)} = ${planted}`.execute(store.db);
    }
  }
}

/** The content of all tables, and all bytes of SQLite's files. */
async function everything(): Promise<string> {
  const rows: unknown[] = [];
  for (const { name } of await store.db.introspection.getTables())
    if (name !== 'erasures') rows.push(name, (await sql`select * from ${sql.table(name)}`.execute(store.db)).rows);
  if (store.engine !== 'sqlite') return JSON.stringify(rows);
  await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
  const path = sqlitePath(database.url);
  return JSON.stringify(rows) + ['', '-wal'].map((end) => readFileSync(path + end, 'latin1')).join('');
}

const TRACES = /mia@acme|U0MIA|Mia Chen|u-mia/i;

test('a person whose name or id equals a state causes no wrong replacement', async () => {
  await openPlanted('sqlite');
  await sql`update deliveries set state = 'sent', channel = 'C1'`.execute(store.db);
  const before = await store.db.selectFrom('deliveries').select(['state', 'channel']).execute();
  await eraseRows({ db: store.db, tables }, 'k7m2x', { ...MIA, name: ['sent'], userId: ['sent'] }, NOW);
  expect(await store.db.selectFrom('deliveries').select(['state', 'channel']).execute()).toEqual(before);
});

test('a person leaves the key of a message that names them nowhere else', async () => {
  await openPlanted('sqlite');
  await sql`delete from deliveries`.execute(store.db);
  await sql`insert into deliveries (key, kind, channel, payload, state, due_at, next_attempt_at, attempts, created_at)
    values ('watch:C1:U0MIA', 'watch', 'C1', '{}', 'sent', '1', '1', 1, '1')`.execute(store.db);
  await eraseRows({ db: store.db, tables }, 'k7m2', MIA, NOW);
  expect(await store.db.selectFrom('deliveries').select('key').execute()).toEqual([{ key: 'watch:C1:U0ERASEDK7M2' }]);
});

test('a setting keeps a value that is also a name of the person, stored and read alike', async () => {
  await openPlanted('sqlite');
  const settings = {
    sandbox: { mode: 'unrestricted', name: 'Mia Chen' },
    owners: { 'MIA@acme.example': ['--user=mia@acme.example', 'u-mia', '<@U0MIA>'] },
  };
  const named = { user_name: 'unrestricted', user_email: 'Mia@acme.example', settings: JSON.stringify(settings) };
  await sql`update revisions set user_name = ${named.user_name}, user_email = ${named.user_email},
    settings = ${named.settings}`.execute(store.db);
  const mia = { ...MIA, name: ['Mia Chen', 'unrestricted'] };
  await eraseRows({ db: store.db, tables }, 'k7m2', mia, NOW);
  const erased = {
    sandbox: { mode: 'unrestricted', name: 'Mia Chen' },
    owners: {
      'erased-k7m2@erased.invalid': ['--user=erased-k7m2@erased.invalid', 'erased-k7m2', '<@U0ERASEDK7M2>'],
    },
  };
  const { rows } = await sql<{
    settings: string;
    user_name: string;
  }>`select settings, user_name from revisions`.execute(store.db.withoutPlugins());
  expect(rows.map(({ settings: text }): unknown => JSON.parse(text))).toEqual(rows.map(() => erased));
  expect(new Set(rows.map(({ user_name: name }) => name))).toEqual(new Set(['Erased person k7m2']));
  const pseudonyms = createPseudonyms(new Map(Object.entries(pseudonymsByHash('k7m2', mia))));
  expect(pseudonymizedSettings(settings, pseudonyms)).toEqual(erased);
});

test('dependent rows are deleted before the rows that they reference', async () => {
  await openPlanted('sqlite');
  const { rows: keys } = await sql<{ name: string; target: string }>`select tables.name, keys."table" as target
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys`.execute(store.db);
  expect(keys.length).toBeGreaterThan(0);
  const inProgram = keys.map(({ name, target }) => [name, target].map((each) => COLUMN_NAMES.toProgram(each)));
  expect(inProgram.filter(([name = '', target = '']) => !tables[name]?.references?.includes(target))).toEqual([]);
  const order = dependentsFirst(tables).map(([name]) => name);
  const references = Object.entries(tables).flatMap(([name, policy]) =>
    (policy.references ?? []).map((target) => [order.indexOf(name), order.indexOf(target)]),
  );
  expect(references.filter(([dependent = -1, target = -1]) => dependent >= target)).toEqual([]);
});

describe.each(availableEngines())('erasing a person from a store on %s', (engine) => {
  test('leaves nothing of them in any column of any table, and other people unchanged', async () => {
    await openPlanted(engine);
    expect(TRACES.test(await everything())).toBe(true);
    const counted = await countRows({ db: store.db, tables }, MIA);
    const erased = await eraseRows({ db: store.db, tables }, 'k7m2', MIA, NOW);
    const left = await everything();
    expect(TRACES.exec(left)?.[0]).toBeUndefined();
    const pseudonyms = ['erased-k7m2@erased.invalid', 'watch:C1:U0ERASEDK7M2'];
    expect(pseudonyms.filter((pseudonym) => left.includes(pseudonym))).toEqual(pseudonyms);
    const { facts } = await store.db.selectFrom('analyticsDays').select('facts').executeTakeFirstOrThrow();
    expect(JSON.parse(facts)).toEqual([
      ['erased-k7m2', 'erased-k7m2@erased.invalid', 5],
      ['u-max', 'max@acme.example', 7],
    ]);
    // The first two are no part of an inventory, the third changes with its revision.
    const apart = new Set(['pending_interactions', 'question_counts', 'controls_announced']);
    const named = (found: readonly { table: string }[]) =>
      found.map(({ table }) => table).filter((table) => !apart.has(table));
    expect(named(erased)).toEqual(named(counted));
  });

  test('is idempotent', async () => {
    await openPlanted(engine);
    await eraseRows({ db: store.db, tables }, 'k7m2', MIA, NOW);
    expect(await eraseRows({ db: store.db, tables }, 'k7m2', MIA, NOW)).toEqual([]);
  });

  test('removes them from a backup too', async () => {
    await openPlanted(engine);
    const file = join(folder, 'backup.db');
    await takeBackup(database.url, file);
    expect(TRACES.test(readFileSync(file, 'latin1'))).toBe(true);
    expect(await eraseFile(file, tables, { id: 'k7m2', identifiers: MIA }, NOW)).toBe(true);
    expect(readdirSync(folder)).toEqual(['backup.db']);
    expect(TRACES.exec(readFileSync(file, 'latin1'))?.[0]).toBeUndefined();
  });

  test('covers each table of the schema', async () => {
    await openPlanted(engine);
    const stored = (await store.db.introspection.getTables()).map(({ name }) => COLUMN_NAMES.toProgram(name));
    expect(Object.keys(tables).toSorted()).toEqual(stored.toSorted());
  });
});
