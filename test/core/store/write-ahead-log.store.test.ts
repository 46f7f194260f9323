import { existsSync, rmSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { audit } from '../../../src/core/store/audit.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { createDatabase, readDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { eventually } from '../../support/waiting.ts';

const ROWS = 100;
const LARGE = 'x'.repeat(64 * 1024);
/** A checkpoint starts at 4 MB, and the 36 rows that may follow it have 2.4 MB. Without one, the log has 6.6 MB. */
const MAX_LOG_BYTES = 3_000_000;
const NOW = new Date('2026-03-02T07:00:00Z');

let database: TestDatabase;
let store: Store;
let path: string;
let faults: Error[];
beforeEach(async () => {
  database = await createDatabase('sqlite');
  path = database.url.slice('file:'.length);
  faults = [];
  store = await openStore(database.url, (error) => void faults.push(error));
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

const entry = (about: string) => ({ about, actor: 'U1', action: 'written', detail: LARGE });
const write = (number: number) => store.db.transaction().execute((trx) => audit(trx, entry(`row ${number}`), NOW));

test('a grown log is merged into the file beside the writers, and starts again', async () => {
  const sizeOf = (file: string) => statSync(file).size;
  for (let number = 0; number < ROWS; number += 1) await write(number);
  await eventually(
    () => sizeOf(`${path}-wal`) < MAX_LOG_BYTES || undefined,
    () => `a short log: it has ${sizeOf(`${path}-wal`)} bytes`,
  );
  expect(sizeOf(path)).toBeGreaterThan((ROWS * LARGE.length) / 2);
  const other = readDatabase(database.url);
  expect(await other.selectFrom('audit').select('about').execute()).toHaveLength(ROWS);
  await other.destroy();
  expect(faults).toEqual([]);
});

test('the merge does not create a deleted file again', async () => {
  await write(0);
  rmSync(path);
  for (let number = 1; number < ROWS; number += 1) await write(number);
  await eventually(
    () => faults.length > 0 || undefined,
    () => 'a fault',
  );
  expect(existsSync(path)).toBe(false);
});

test('other writes during a wait for the disk are neither delayed nor rolled back with it', async () => {
  const done: string[] = [];
  const failing = store.db
    .transaction()
    .execute(async (trx) => {
      await audit(trx, entry('taken back'), NOW);
      throw new Error('Not this one');
    })
    .catch(() => void done.push('rolled back'));
  await Promise.all([failing, ...Array.from({ length: 20 }, (_, number) => write(number))]);
  const rows = await store.db.selectFrom('audit').select('about').execute();
  expect(rows).toHaveLength(20);
  expect(done).toEqual(['rolled back']);
});
