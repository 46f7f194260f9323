import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onServer, takeBackup, type Backup } from './backups.ts';
import { availableEngines, createDatabase, sqlitePath } from './databases.ts';
import { startFreezingProxy } from './freezing-proxy.ts';
import { findPostgres, startPostgresServer, type StopMode } from './postgres-server.ts';
import { readReadiness } from '../slack/refreshes.ts';
import { canMount, makeSmallDisk } from './small-disk.ts';
import { eventually } from '../waiting.ts';
import { untilInOrder, type Morning, type Disturbance } from './store-rounds.ts';
import { runLimited } from '../processes/limited.ts';

/** Long enough for several attempts at a digest, short enough for many mornings. */
const aWhile = () => delay(500 + Math.random() * 3_000);
const pathOf = ({ scene }: Morning) => sqlitePath(scene.databaseUrl);

/** How much every statement is slowed down, and for how long. */
const SLOW_MS = 300;
const SLOW_FOR_MS = 8_000;

/** The disturbances of a store, as the rest of a sentence after “a store …”. */
export function storeDisturbances(): (readonly [what: string, make: () => Disturbance | Promise<Disturbance>])[] {
  const hasPostgres = availableEngines().includes('postgres');
  return [
    ...(canMount() ? [['whose disk is full', fillDisk] as const] : []),
    ['that refuses every write, as on a read-only file system,', refuseWrites],
    ...Object.entries(REPLACEMENTS).map(
      ([what, replace]) => [`whose file is ${what}`, () => takeFileAway(replace)] as const,
    ),
    ...(hasPostgres
      ? ([
          ['whose Postgres cuts every connection', cutPostgres],
          [`whose Postgres takes ${SLOW_MS} ms more for each statement`, slowPostgres],
          ['whose Postgres is emptied', emptyPostgres],
          ['whose Postgres is replaced by an older copy', replacePostgres],
        ] as const)
      : []),
    ...(hasPostgres && canStartPostgres()
      ? ([
          ['whose Postgres is restarted in order', () => restartPostgres('fast')],
          ['whose Postgres is restarted at once', () => restartPostgres('immediate')],
        ] as const)
      : []),
  ];
}

/** Whether this machine has the programs of Postgres; prints a line if not. */
function canStartPostgres(): boolean {
  if (findPostgres() !== undefined) return true;
  process.stderr.write('SKIPPED: the tests of a Postgres that is started again need its programs.\n');
  return false;
}

/** It needs the right to mount. */
function fillDisk(): Disturbance {
  const disk = makeSmallDisk(32);
  return {
    engine: 'sqlite',
    database: { url: `file:${join(disk.folder, 'q.db')}`, drop: () => Promise.resolve(disk.remove()) },
    happen: async () => {
      disk.fill();
      await aWhile();
      disk.makeRoom();
    },
  };
}

/** Simulates a file system that has become read-only: every write fails, and not for lack of room. */
function refuseWrites(): Disturbance {
  const limitFiles = (pid: number | undefined, size: string) =>
    runLimited('prlimit', ['--pid', String(pid), `--fsize=${size}:`]);
  return {
    engine: 'sqlite',
    happen: async ({ bot }) => {
      const { pid } = bot().process;
      limitFiles(pid, '0');
      await aWhile();
      limitFiles(pid, 'unlimited');
    },
  };
}

const REPLACEMENTS = {
  deleted: (path: string) => rmSync(path),
  replaced: (path: string) => {
    copyFileSync(`${path}.backup`, `${path}.other`);
    renameSync(`${path}.other`, path);
  },
  emptied: (path: string) => {
    truncateSync(path);
    truncateSync(`${path}-wal`);
  },
} satisfies Record<string, (path: string) => void>;

/** The file is gone; the bot ends, and the backup of the evening replaces it. */
function takeFileAway(replace: (path: string) => void): Disturbance {
  return endingDisturbance('sqlite', (morning) => Promise.resolve(replace(pathOf(morning))));
}

function emptyPostgres(): Disturbance {
  return endingDisturbance('postgres', ({ scene }) =>
    onServer(scene.databaseUrl, ['drop schema public cascade', 'create schema public'], { inPlace: true }),
  );
}

function endingDisturbance(engine: Disturbance['engine'], spoil: (morning: Morning) => Promise<void>): Disturbance {
  let backup: Backup | undefined;
  return {
    engine,
    endsBot: true,
    prepare: async ({ scene }) => {
      backup = await takeBackup(scene.databaseUrl);
    },
    happen: async (morning) => {
      await spoil(morning);
      await untilItEnds(morning, /(deleted, replaced or emptied|emptied or replaced) while Quartermaster was running/);
      await backup?.restore();
      await backup?.drop();
      await morning.startBot();
    },
  };
}

/** An older copy replaces the database under the running bot, as in a failover that loses the last writes. */
function replacePostgres(): Disturbance {
  let backup: Backup | undefined;
  return {
    engine: 'postgres',
    endsBot: true,
    prepare: async ({ scene }) => {
      backup = await takeBackup(scene.databaseUrl);
    },
    happen: async (morning) => {
      await backup?.restore();
      await backup?.drop();
      // A bot that read the store while there was no database has ended; otherwise it continues.
      const isEnded = await Promise.race([
        morning.bot().ended.then(() => true),
        untilInOrder(morning.bot()).catch(() => true),
      ]);
      if (isEnded === true) await morning.startBot();
    },
  };
}

async function untilItEnds({ bot }: Morning, sentence: RegExp): Promise<void> {
  const ending = bot();
  // It checks every quarter of a minute anyway; this makes many mornings shorter.
  await eventually(
    async () => {
      await readReadiness(ending.port).catch(() => undefined);
      return Promise.race([ending.ended, delay(50, undefined)]);
    },
    () => `the bot to end:\n${ending.logged()}`,
    () => Promise.resolve(),
  );
  if (!sentence.test(ending.logged())) throw new Error(`It ended without saying why:\n${ending.logged()}`);
}

async function restartPostgres(mode: StopMode): Promise<Disturbance> {
  const server = await startPostgresServer(findPostgres() ?? '');
  return {
    engine: 'postgres',
    database: { url: server.url, drop: () => server.stop() },
    happen: () => server.restart(mode, Math.random() * 4_000),
  };
}

/** Cuts connections as a network or an administrator does: the server continues, and every session is gone at once. */
function cutPostgres(): Disturbance {
  return {
    engine: 'postgres',
    happen: async ({ scene }) => {
      const name = new URL(scene.databaseUrl).pathname.slice(1);
      for (let cut = 0; cut < 5; cut += 1) {
        await onServer(scene.databaseUrl, [
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        ]);
        await delay(Math.random() * 400);
      }
    },
  };
}

async function slowPostgres(): Promise<Disturbance> {
  const database = await createDatabase('postgres');
  const proxy = await startFreezingProxy(database.url);
  return {
    engine: 'postgres',
    address: proxy.url,
    database: { url: database.url, drop: () => proxy.close().then(() => database.drop()) },
    happen: async () => {
      proxy.slow(SLOW_MS);
      await delay(SLOW_FOR_MS);
      proxy.slow(0);
    },
  };
}
