import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { z } from 'zod';
import { describeLocation, StoreError } from '../../core/store/engines/store-error.ts';
import { copyFromPostgres, copyToPostgres, withPostgres } from './postgres-copy.ts';
import { appliedMigrations, countRows, requireSound, withStoreFile } from './sqlite-file.ts';
import { writeWhole } from '../../core/store/whole-file.ts';

const SQLITE_PREFIX = 'file:';
/** A process that uses a store records this every 15 seconds. */
const IN_USE_MS = 45_000;

const isSqlite = (url: string) => url.startsWith(SQLITE_PREFIX);
const pathOf = (url: string) => url.slice(SQLITE_PREFIX.length);

/**
 * Backs up a store while it is in use. A backup is an SQLite file, for both engines, as the store was at one instant.
 * It replaces an earlier backup of that name once it is complete.
 *
 * @returns the number of its rows
 * @throws StoreError with one sentence for the operator
 */
export async function takeBackup(databaseUrl: string, path: string): Promise<number> {
  if (!isSqlite(databaseUrl)) {
    const location = describeLocation(databaseUrl);
    return writeWhole(path, (unfinished) =>
      withPostgres(databaseUrl, (db) => copyFromPostgres(db, unfinished, location)),
    );
  }
  const source = pathOf(databaseUrl);
  if (existsSync(path) && existsSync(source) && realpathSync(path) === realpathSync(source))
    throw new StoreError(`${path} is the store itself: name another file for its backup.`);
  return copyFile(source, path);
}

/**
 * Restores a backup into an empty store of either engine: all of it, or nothing. The bot knows that later work is
 * missing: it asks before it repeats actions whose outcome cannot be looked up.
 *
 * @param isForAnotherWorkspace the next start decides to which workspace the store belongs; otherwise to that of the
 * backup
 */
export async function restoreBackup(
  path: string,
  databaseUrl: string,
  now: Date,
  { isForAnotherWorkspace = false }: { isForAnotherWorkspace?: boolean } = {},
): Promise<number> {
  return withStoreFile(path, async (file) => {
    requireSound(file, path);
    const leaves = isForAnotherWorkspace && hasTeam(file);
    const changes = [silenceStatement(now), ...(leaves ? ['update store_identity set team_id = null'] : [])];
    if (isSqlite(databaseUrl)) {
      const target = pathOf(databaseUrl);
      requireAbsent(target);
      mkdirSync(dirname(target), { recursive: true });
      return copyFile(path, target, changes.join(';'));
    }
    const location = describeLocation(databaseUrl);
    return withPostgres(databaseUrl, (db) =>
      copyToPostgres(file, appliedMigrations(file, path), db, location, async (trx) => {
        for (const change of changes) await sql.raw(change).execute(trx);
      }),
    );
  });
}

/** @throws StoreError also if a bot may be using the store: its further work would be missing in the copy */
export async function migrateStore(fromUrl: string, toUrl: string, now: Date): Promise<number> {
  if (!isSqlite(fromUrl)) throw new StoreError('DATABASE_URL is no file: only an SQLite store is moved to Postgres.');
  if (isSqlite(toUrl)) throw new StoreError('The new place must be a Postgres: give its address as postgres://….');
  const path = pathOf(fromUrl);
  return withStoreFile(path, async (file) => {
    requireSound(file, path);
    // Reads everything as of this instant.
    file.exec('begin');
    const beat = lastBeat(file);
    const inUse = new StoreError(
      `${path} is in use, or was a moment ago: stop Quartermaster, wait a minute and try again.`,
    );
    if (beat !== null && now.getTime() - Date.parse(beat) < IN_USE_MS) throw inUse;
    const location = describeLocation(toUrl);
    return withPostgres(toUrl, (db) =>
      copyToPostgres(file, appliedMigrations(file, path), db, location, async () => {
        // The work of a bot that was started during the copy would be missing.
        const later = await withStoreFile(path, (again) => Promise.resolve(lastBeat(again)));
        if (later !== beat) throw inUse;
      }),
    );
  });
}

function requireAbsent(path: string): void {
  const existingFile = [path, `${path}-wal`].find((file) => existsSync(file) && statSync(file).size > 0);
  if (existingFile === undefined) return;
  throw new StoreError(`${existingFile} holds something already: move it away first, so that nothing is overwritten.`);
}

/** @param then statements that run on the copy before it counts */
async function copyFile(from: string, to: string, then?: string): Promise<number> {
  return writeWhole(to, (unfinished) =>
    withStoreFile(from, (file) => {
      // SQLite's own statement: it copies the file as of this instant, including its log, while others write.
      file.prepare('vacuum into ?').run(unfinished);
      const copy = new DatabaseSync(unfinished);
      try {
        if (then !== undefined) copy.exec(then);
        return Promise.resolve(countRows(copy));
      } finally {
        copy.close();
      }
    }),
  );
}

/** Records that the store lacks the work between its last use and now, however short that was. */
function silenceStatement(now: Date): string {
  const instant = now.toISOString();
  return `insert into store_silences (place, reason, since, until)
    values ('here', 'went_back', coalesce((select max(beat_at) from store_heartbeats), '${instant}'), '${instant}')
    on conflict (place) do update set reason = excluded.reason, since = excluded.since, until = excluded.until`;
}

/** A backup of a version before 0.3.0 belongs to no workspace. */
function hasTeam(file: DatabaseSync): boolean {
  return file.prepare("select 1 from pragma_table_info('store_identity') where name = 'team_id'").get() !== undefined;
}

function lastBeat(file: DatabaseSync): string | null {
  const { at } = z
    .object({ at: z.string().nullable() })
    .parse(file.prepare('select max(beat_at) as at from store_heartbeats').get());
  return at;
}
