import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../support/processes/free-port.ts';
import { connectWhenItAnswers } from '../../support/stores/postgres-server.ts';
import { runLimited } from '../../support/processes/limited.ts';

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));

export const hasPgbouncer = PROGRAM !== undefined;

/** A pgbouncer with its own defaults in front of a database. */
export async function startPgbouncer(
  databaseUrl: string,
  poolMode: 'session' | 'transaction',
  options: readonly string[] = [],
): Promise<{ url: string; stop(): Promise<void> }> {
  if (PROGRAM === undefined) throw new Error('pgbouncer is not installed');
  const { hostname, port: serverPort, username, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-pgbouncer-'));
  const { port, release } = await reservePort();
  const settings = join(folder, 'pgbouncer.ini');
  const server = `host=${hostname} port=${serverPort} user=${username} dbname=${pathname.slice(1)}`;
  const lines = ['[databases]', `* = ${server}`, '[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`];
  writeFileSync(
    settings,
    [...lines, 'auth_type = any', 'unix_socket_dir =', `pool_mode = ${poolMode}`, ...options, ''].join('\n'),
  );
  // It refuses to run as root; the user of Debian's Postgres may run it.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const id = (flag: string) => Number(runLimited('id', [flag, 'postgres']));
    for (const path of [folder, settings]) chownSync(path, id('-u'), id('-g'));
  }
  await release();
  const running = spawn(PROGRAM, [...(isRoot ? ['-u', 'postgres'] : []), settings], { stdio: 'ignore' });
  const ended = new Promise((resolve) => running.once('exit', resolve));
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`;
  await (await connectWhenItAnswers(url)).end();
  return {
    url,
    stop: async () => {
      running.kill('SIGINT');
      running.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
