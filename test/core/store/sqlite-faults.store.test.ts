import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { beat } from '../../../src/core/store/health/heartbeat.ts';
import { createStoreMonitor } from '../../../src/core/store/health/store-monitor.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { eventually } from '../../support/waiting.ts';
import { canMount, makeSmallDisk, type SmallDisk } from '../../support/stores/small-disk.ts';

const readErasures = () => Promise.resolve(0);

const failWith = (reason: string) => expect.fail(reason);
const ME = { process: 'this one', since: new Date() };
let database: TestDatabase;
let store: Store;
const open = async () => {
  database = await createDatabase('sqlite');
  store = await openStore(database.url);
  return database.url.slice('file:'.length);
};
afterEach(async () => {
  await store.close();
  await database.drop();
});

describe('the file of a store', () => {
  const replacements: readonly (readonly [name: string, replace: (path: string) => void])[] = [
    ['deleted', (path) => rmSync(path)],
    [
      'replaced by a copy',
      (path) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
    ['moved away', (path) => renameSync(path, `${path}.away`)],
    [
      'emptied',
      (path) => {
        truncateSync(path);
        truncateSync(`${path}-wal`);
      },
    ],
  ];
  test.each(replacements)('that was %s is reported in one sentence', async (_name, replace) => {
    const path = await open();
    expect(await beat(store, ME)).toEqual({ kind: 'well', isShared: false });
    replace(path);
    expect(await beat(store, ME)).toEqual({
      kind: 'gone',
      sentence: `The file ${path} was deleted, replaced or emptied while Quartermaster was running. Restore it from a backup, or restart Quartermaster to continue with the current content.`,
    });
  });

  test('that is empty is opened as a new store, with a warning', async () => {
    const path = await open();
    expect(store.warnings).toEqual([]);
    writeFileSync(`${path}.other`, '');
    const other = await openStore(`${database.url}.other`);
    expect(other.warnings).toEqual([
      expect.stringMatching(/was empty, so a new store was made in it\. If there was one/),
    ]);
    await other.close();
  });

  test('that two processes use is reported once by each of them', async () => {
    await open();
    const second = await openStore(database.url);
    const lines: string[] = [];
    const log = createLogger('warn', [], (line) => void lines.push(line));
    const monitors = [store, second].map((one, index) =>
      createStoreMonitor({
        store: one,
        readErasures,
        process: `process ${index}`,
        log,
        onFatal: failWith,
        onFull: failWith,
      }),
    );
    const checkBoth = async () => {
      for (const monitor of monitors) expect(await monitor.check()).toBeUndefined();
    };
    // Beats have times in milliseconds, and a fast machine writes several in one.
    await eventually(
      async () => {
        await checkBoth();
        return lines.length === 2 ? lines : undefined;
      },
      () => `both to report it; reported: ${lines.join()}`,
    );
    await checkBoth();
    await second.close();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('Another process uses');
  });
});

describe.runIf(canMount())('a full disk', () => {
  let disk: SmallDisk;
  afterEach(() => disk.remove());

  test('is detected by the next beat, reported once, and forgotten when there is room again', async () => {
    disk = makeSmallDisk();
    database = { url: `file:${join(disk.folder, 'q.db')}`, drop: () => Promise.resolve() };
    store = await openStore(database.url);
    const told: string[] = [];
    const log = createLogger('warn', [], () => {});
    const onFull = (sentence: string) => void told.push(sentence);
    const monitor = createStoreMonitor({ store, readErasures, process: 'p', log, onFatal: failWith, onFull });
    expect(await monitor.check()).toBeUndefined();
    disk.fill();
    for (let round = 0; round < 3; round += 1) expect(await monitor.check()).toMatch(/^The disk of .* is full/);
    expect(told).toHaveLength(1);
    disk.makeRoom();
    expect(await monitor.check()).toBeUndefined();
    disk.fill();
    expect(await monitor.check()).toContain('is full');
    expect(told).toHaveLength(2);
  });
});
