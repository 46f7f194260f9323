import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { Client, DatabaseError } from 'pg';
import { sqlitePath } from './databases.ts';

/** A copy of a store that no process uses now, which can be restored any number of times. */
export interface Backup {
  restore(): Promise<void>;
  drop(): Promise<void>;
}

export async function takeBackup(databaseUrl: string): Promise<Backup> {
  if (databaseUrl.startsWith('file:')) return copyFile(sqlitePath(databaseUrl));
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
    // It lies in the folder of the database, which is removed with it.
    drop: () => Promise.resolve(),
  };
}

/** @param inPlace on the database itself; otherwise beside it, since no statement about a database may come from a connection to it */
export async function onServer(
  databaseUrl: string,
  statements: readonly string[],
  { inPlace = false }: { inPlace?: boolean } = {},
): Promise<void> {
  const url = new URL(databaseUrl);
  if (!inPlace) url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const statement of statements) await untilNotDeadlocked(() => client.query(statement));
  } finally {
    await client.end();
  }
}

/** Postgres ends one side of a deadlock, which may be the statement that drops the tables. */
async function untilNotDeadlocked(run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run();
      return;
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== '40P01' || attempt === 5) throw error;
    }
  }
}
