import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { reservePort, type ReservedPort } from '../processes/free-port.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { runLimited } from '../processes/limited.ts';

/** The signals of `pg_ctl stop -m fast` and `-m immediate`. */
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
export type StopMode = keyof typeof STOP_SIGNALS;

/** A Postgres of its own, which a test may end and start again. */
export interface PostgresServer {
  url: string;
  /**
   * @param mode `fast` ends every session with a message; `immediate` ends everything at once, and the next start
   * recovers
   * @param awayMs the time without an answer in between
   */
  restart(mode: StopMode, awayMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** @returns the folder of the server’s programs, if they are on this machine */
export function findPostgres(): string | undefined {
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
  const id = (flag: string) => Number(runLimited('id', [flag, 'postgres']));
  return { uid: id('-u'), gid: id('-g') };
}

/** A throw-away cluster need not survive a crash of the machine, only of its own processes. */
const UNSAFE_AND_FAST = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'];

const CLUSTER_BYTES = 2 * 1024 ** 3;

export const urlOfPostgres = (port: number) => `postgres://test@127.0.0.1:${port}/postgres`;

/** The database that tests copy. */
export const POSTGRES_TEMPLATE = 'quartermaster';

/**
 * @param reserved its port; a free one by default
 * @param tls the certificate with which it takes encrypted connections, and no others
 */
export async function startPostgresServer(
  programs: string,
  { reserved, tls }: { reserved?: ReservedPort; tls?: { key: string; cert: string } } = {},
): Promise<PostgresServer> {
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(temporaryFolder(CLUSTER_BYTES), 'quartermaster-postgres-'));
  if ('uid' in user) chownSync(folder, user.uid ?? 0, user.gid ?? 0);
  const data = join(folder, 'data');
  // The locale of the person who tests may be missing here.
  const words = ['-D', data, '-U', 'test', '-A', 'trust', '-N', '-E', 'UTF8', '--no-locale'];
  await promisify(execFile)(join(programs, 'initdb'), words, { ...user, cwd: folder });
  const write = (name: string, text: string) => {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    if ('uid' in user) chownSync(join(data, name), user.uid ?? 0, user.gid ?? 0);
  };
  if (tls) {
    write('server.key', tls.key);
    write('server.crt', tls.cert);
    write('pg_hba.conf', 'hostssl all all 127.0.0.1/32 trust\n');
  }
  const { port, release } = reserved ?? (await reservePort());
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...UNSAFE_AND_FAST,
    ...(tls ? ['ssl=on'] : []),
  ];
  const options = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const url = urlOfPostgres(port);
  const start = async () => {
    const started = spawn(join(programs, 'postgres'), options, { ...user, cwd: folder, stdio: 'ignore' });
    await (await connectWhenItAnswers(tls ? `${url}?sslmode=no-verify` : url)).end();
    return started;
  };
  await release();
  let server = await start();
  const end = async (mode: StopMode) => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(STOP_SIGNALS[mode]);
    await ended;
  };
  return {
    url,
    restart: async (mode, awayMs) => {
      await end(mode);
      await delay(awayMs);
      server = await start();
    },
    stop: async () => {
      await end('fast');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ATTEMPTS = 600;

/** Connects to one that is just starting. */
export async function connectWhenItAnswers(url: string): Promise<Client> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt > ATTEMPTS) throw error;
      await delay(50);
    }
  }
}
