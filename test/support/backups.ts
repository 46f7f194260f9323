import { copyFileSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import { sqlitePath } from './databases.ts';

/** A copy of a database; what is there by then gives way to it. */
export interface Backup {
  restore(): Promise<void>;
}

/** Copies a database that nobody uses. */
export async function takeBackup(databaseUrl: string): Promise<Backup> {
  if (databaseUrl.startsWith('file:')) {
    const path = sqlitePath(databaseUrl);
    copyFileSync(path, `${path}.backup`);
    return {
      restore: () => {
        for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
        return Promise.resolve(copyFileSync(`${path}.backup`, path));
      },
    };
  }
  const name = new URL(databaseUrl).pathname.slice(1);
  await onServer(databaseUrl, [`create database ${name}_backup template ${name}`]);
  return {
    restore: () =>
      onServer(databaseUrl, [
        `drop database ${name} with (force)`,
        `create database ${name} template ${name}_backup`,
        `drop database ${name}_backup`,
      ]),
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
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
