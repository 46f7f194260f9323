import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import type { Engine } from '../../src/store/database.ts';

/** A copy of a store that no process uses just now, to be put back as often as a test wants. */
export interface Backup {
  restore(): Promise<void>;
  drop(): Promise<void>;
}

export async function takeBackup(engine: Engine, databaseUrl: string): Promise<Backup> {
  if (engine === 'sqlite') return Promise.resolve(copyFile(databaseUrl.slice('file:'.length)));
  const name = new URL(databaseUrl).pathname.slice(1);
  await onServer(databaseUrl, [`create database ${name}_backup template ${name}`]);
  return {
    restore: () =>
      onServer(databaseUrl, [`drop database ${name} with (force)`, `create database ${name} template ${name}_backup`]),
    drop: () => onServer(databaseUrl, [`drop database ${name}_backup`]),
  };
}

/** A process that was killed has left a part of it beside the file. */
function copyFile(path: string): Backup {
  const backup = `${path}.backup`;
  copyFileSync(path, backup);
  const hasLog = existsSync(`${path}-wal`);
  if (hasLog) copyFileSync(`${path}-wal`, `${backup}-wal`);
  return {
    restore: () => {
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
      copyFileSync(backup, path);
      if (hasLog) copyFileSync(`${backup}-wal`, `${path}-wal`);
      return Promise.resolve();
    },
    // It lies in the folder of the database, which goes with that.
    drop: () => Promise.resolve(),
  };
}

/** No statement about a database may come from a connection to it. */
async function onServer(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
