import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrateStore, restoreBackup, takeBackup } from '../../../src/programs/backup/backup.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { readDataGap } from '../../../src/core/store/data-gap.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import type { Database } from '../../../src/core/store/tables.ts';
import { makeReleasedStore, releasedVersions } from '../../support/stores/released-stores.ts';
import { canMount, makeSmallDisk, type SmallDisk } from '../../support/stores/small-disk.ts';
import { fillEveryTable } from '../../support/generic-rows.ts';
import {
  availableEngines,
  createEmptyDatabase,
  readDatabase,
  whereThereIsPostgres,
  type TestDatabase,
} from '../../support/stores/databases.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
const ODD_TEXTS = ['', '’ü🎉', `"quotes'", \\ and\nlines`, '{"a":1}', '007', '1e5', 'x'.repeat(300_000)];

let folder: string;
let file: string;
const databases: TestDatabase[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-backup-'));
  file = join(folder, 'backup.db');
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

async function empty(engine: Engine): Promise<string> {
  const database = await createEmptyDatabase(engine);
  databases.push(database);
  return database.url;
}

/** A store with a row in every table, and one table that is copied in several parts. */
async function filled(engine: Engine): Promise<string> {
  const url = await empty(engine);
  const store = await openStore(url);
  for (const [index, detail] of [...ODD_TEXTS, ...Array.from({ length: 250 }, () => null)].entries())
    await store.db
      .insertInto('audit')
      .values({ about: 'test', position: index, at: NOW.toISOString(), actor: 'U1', action: 'wrote', detail })
      .execute();
  await fillEveryTable(store.db);
  await store.close();
  return url;
}

/** Every row of every table, except for those that the restore itself adds. */
async function contents(url: string): Promise<Record<string, unknown[]>> {
  const db = readDatabase(url);
  try {
    return Object.fromEntries(
      await Promise.all((await tableNames(db)).map(async (name) => [name, await rowsOf(db, name)])),
    );
  } finally {
    await db.destroy();
  }
}

async function tableNames(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables();
  return tables.map(({ name }) => name).filter((name) => name !== 'store_silences');
}

async function rowsOf(db: Database, table: string): Promise<string[]> {
  const { rows } = await sql`select * from ${sql.table(table)}`.execute(db);
  return rows
    .map((row): [string, unknown][] => Object.entries(row ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    .map((entries) => JSON.stringify(entries.map(([name, value]) => [name, inWriting(value)])))
    .toSorted();
}

/** Each engine has a class of its own for bytes. */
const inWriting = (value: unknown) =>
  value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString('hex')}` : value;

const pairs = availableEngines().flatMap((from) => availableEngines().map((to) => ({ from, to })));

describe.each(pairs)('a backup from $from, restored into $to', ({ from, to }) => {
  test('holds every row of every table, and opens', async () => {
    const source = await filled(from);
    const before = await contents(source);
    const count = Object.values(before).reduce((sum, rows) => sum + rows.length, 0);
    // The row of store_silences is counted, and was left out above.
    expect(await takeBackup(source, file)).toBe(count + 1);
    const target = await empty(to);
    await restoreBackup(file, target, NOW);
    expect(await contents(target)).toEqual(before);
    const opened = await openStore(target);
    await opened.close();
  });
});

describe.each(availableEngines())('a backup on %s', (engine) => {
  test('is one file that only its owner may read, and replaces an earlier one', async () => {
    const source = await filled(engine);
    writeFileSync(file, 'an earlier one');
    await takeBackup(source, file);
    expect(readdirSync(folder)).toEqual(['backup.db']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is a snapshot of one instant while others write', async () => {
    const source = await filled(engine);
    const store = await openStore(source);
    const over = new AbortController();
    const writing = (async () => {
      for (let index = 0; !over.signal.aborted; index += 1)
        await store.db.transaction().execute(async (trx) => {
          const key = `pair-${index}`;
          await trx.insertInto('seenEvents').values({ key, seenAt: NOW.toISOString() }).execute();
          const row = { about: 'pair', position: index, at: NOW.toISOString(), actor: 'U1', action: 'wrote' };
          await trx.insertInto('audit').values(row).execute();
        });
    })();
    for (let round = 0; round < 5; round += 1) {
      await takeBackup(source, file);
      const db = readDatabase(`file:${file}`);
      const events = await db.selectFrom('seenEvents').select('key').where('key', 'like', 'pair-%').execute();
      const audit = await db.selectFrom('audit').select('position').where('about', '=', 'pair').execute();
      await db.destroy();
      expect(events.length).toBe(audit.length);
    }
    over.abort();
    await writing;
    await store.close();
  });

  test('is not restored over existing data: the program says so in one sentence, and changes nothing', async () => {
    const source = await filled(engine);
    await takeBackup(source, file);
    const before = await contents(source);
    await expect(restoreBackup(file, source, NOW)).rejects.toThrow(
      /holds (a store|something) already: .*overwritten\.$/,
    );
    expect(await contents(source)).toEqual(before);
  });

  test('that is restored minutes after it was taken is older than later changes', async () => {
    const source = await empty(engine);
    const store = await openStore(source);
    await store.close();
    await takeBackup(source, file);
    const target = await empty(engine);
    const now = new Date();
    await restoreBackup(file, target, now);
    const opened = await openStore(target);
    expect((await readDataGap(opened.db))?.until.getTime()).toBeGreaterThanOrEqual(now.getTime());
    await opened.close();
  });

  test('of an empty store is refused in one sentence, and leaves no file', async () => {
    await expect(takeBackup(await empty(engine), file)).rejects.toThrow(
      /There is no file|no store of Quartermaster yet/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a backup file', () => {
  test.each([
    ['is missing', undefined, /^There is no file .*\.$/],
    ['is no database', 'hello, I am no database at all', /is not an SQLite database/],
  ])('that %s is refused in one sentence', async (_, text, sentence) => {
    if (text !== undefined) writeFileSync(file, text);
    const target = await empty('sqlite');
    await expect(restoreBackup(file, target, NOW)).rejects.toThrow(sentence);
    expect(existsSync(target.slice('file:'.length))).toBe(false);
  });

  test('that comes from a newer version is refused in one sentence', async () => {
    await takeBackup(await filled('sqlite'), file);
    const backup = readDatabase(`file:${file}`);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2027-01-01')`.execute(backup);
    await backup.destroy();
    await expect(restoreBackup(file, await empty('sqlite'), NOW)).rejects.toThrow(/newer version .*9999-future/);
  });

  test('is not written if its folder is missing, or if it is the store itself', async () => {
    const source = await filled('sqlite');
    const path = source.slice('file:'.length);
    await expect(takeBackup(source, path)).rejects.toThrow(/is the store itself/);
    await expect(takeBackup(source, join(folder, 'no', 'backup.db'))).rejects.toThrow(/its folder does not exist/);
    await expect(takeBackup(source, folder)).rejects.toThrow(/is a folder/);
  });
});

describe.skipIf(!canMount())('a full disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = makeSmallDisk(1);
  });
  afterEach(() => disk.remove());

  test.each(availableEngines())(
    'is reported in one sentence, and leaves the earlier backup unchanged, on %s',
    async (engine) => {
      const source = await filled(engine);
      const onDisk = join(disk.folder, 'backup.db');
      writeFileSync(onDisk, 'an earlier one');
      disk.fill();
      await expect(takeBackup(source, onDisk)).rejects.toThrow(/^The disk of .*backup\.db is full: make room/);
      expect(readFileSync(onDisk, 'utf8')).toBe('an earlier one');
      expect(readdirSync(disk.folder).filter((name) => name.includes('unfinished'))).toEqual([]);
    },
  );
});

describe.each(whereThereIsPostgres())('moving a store from SQLite to %s', (engine) => {
  test('copies every row, and leaves the file unchanged', async () => {
    const source = await filled('sqlite');
    const before = await contents(source);
    const target = await empty(engine);
    await migrateStore(source, target, NOW);
    expect(await contents(target)).toEqual(before);
    expect(await contents(source)).toEqual(before);
  });

  test('is refused while a bot uses the file, and if the target is not empty', async () => {
    const source = await filled('sqlite');
    const store = await openStore(source);
    const beat = { process: 'a-bot', beatAt: NOW.toISOString(), padding: '' };
    await store.db.deleteFrom('storeHeartbeats').execute();
    await store.db.insertInto('storeHeartbeats').values(beat).execute();
    await store.close();
    await expect(migrateStore(source, await empty(engine), NOW)).rejects.toThrow(/is in use, or was a moment ago/);
    const later = new Date(NOW.getTime() + 60_000);
    await expect(migrateStore(source, await filled(engine), later)).rejects.toThrow(/holds a store already/);
  });

  test('is undone if a bot begins to use the file during the move', async () => {
    const source = await filled('sqlite');
    const target = await empty(engine);
    const moving = migrateStore(source, target, NOW);
    const store = await openStore(source);
    const beat = { process: 'a-bot', beatAt: NOW.toISOString(), padding: '' };
    await store.db.deleteFrom('storeHeartbeats').execute();
    await store.db.insertInto('storeHeartbeats').values(beat).execute();
    await store.close();
    await expect(moving).rejects.toThrow(/is in use, or was a moment ago/);
    const left = await contents(target);
    expect(Object.values(left).flat()).toEqual([]);
  });

  test('is refused in the other direction', async () => {
    await expect(migrateStore('postgres://a/b', 'postgres://a/c', NOW)).rejects.toThrow(/DATABASE_URL is no file/);
    await expect(migrateStore('file:a', 'file:b', NOW)).rejects.toThrow(/must be a Postgres/);
  });
});

describe.each(releasedVersions().flatMap((version) => availableEngines().map((engine) => ({ version, engine }))))(
  'a store that version $version left on $engine',
  ({ version, engine }) => {
    test('is backed up by this version as it is, before its first start', async () => {
      const url = await empty(engine);
      await makeReleasedStore(version, url, join(folder, 'released.db'));
      const before = await contents(url);
      await takeBackup(url, file);
      expect(await contents(url)).toEqual(before);
      const restored = await empty(engine);
      await restoreBackup(file, restored, NOW);
      expect(Object.keys(await contents(restored))).toEqual(Object.keys(before));
    });
  },
);
