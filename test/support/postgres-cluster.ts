import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a server that tests may create databases on; missing where there is none. */
    postgresUrl: string | undefined;
  }
}

/**
 * Gives the suite a Postgres: the one of `TEST_POSTGRES_URL`, or a throw-away cluster if the server's programs are on this
 * machine. Otherwise the Postgres half is skipped, and says so.
 */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['TEST_POSTGRES_URL'];
  const programs = given ? undefined : findPrograms();
  if (given || !programs) {
    if (!given) process.stderr.write('SKIPPED: no Postgres here; set TEST_POSTGRES_URL or install postgresql.\n');
    project.provide('postgresUrl', given);
    return undefined;
  }
  const cluster = await startCluster(programs);
  project.provide('postgresUrl', cluster.url);
  return cluster.stop;
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** Postgres refuses to run as root; Debian's package brings a user for it. */
function unprivilegedUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function startCluster(programs: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-postgres-'));
  if ('uid' in user) chownSync(folder, user.uid ?? 0, user.gid ?? 0);
  const data = join(folder, 'data');
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '-N', '-E', 'UTF8'], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  });
  const port = await freePort();
  const server = spawn(
    join(programs, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'fsync=off',
      '-c',
      'max_connections=200',
    ],
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  const url = `postgres://test@127.0.0.1:${port}/postgres`;
  await untilItAnswers(url);
  return {
    url,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt > 100) throw error;
      await delay(50);
    }
  }
}
