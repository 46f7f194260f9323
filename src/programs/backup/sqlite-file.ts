import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { MIGRATIONS } from '../../core/store/migrate.ts';
import { explainStoreFault, StoreError } from '../../core/store/engines/store-error.ts';

/** How long opening a file waits for a program that locks it. */
const LOCK_PATIENCE_MS = 10_000;

const namesSchema = z.array(z.object({ name: z.string() }));

/** Ordered so that each table comes after those that its rows reference. */
export interface TableShape {
  name: string;
  columns: readonly string[];
}

/** Opens a store or a backup, unchanged. @throws StoreError if absent, damaged, newer or not of Quartermaster */
export async function withStoreFile<Result>(
  path: string,
  use: (file: DatabaseSync) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(path)) throw new StoreError(`There is no file ${path}.`);
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { readOnly: true, timeout: LOCK_PATIENCE_MS });
    appliedMigrations(file, path);
    return await use(file);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(explainStoreFault(error, `file:${path}`), { cause: error });
  } finally {
    file?.close();
  }
}

export function appliedMigrations(file: DatabaseSync, path: string): string[] {
  const tables = names(file, `select name from sqlite_schema where type = 'table' and name = 'kysely_migration'`);
  if (tables.length === 0) throw new StoreError(`${path} is no store of Quartermaster: choose another file.`);
  const applied = names(file, 'select name from kysely_migration order by name');
  const unknown = applied.filter((name) => !(name in MIGRATIONS));
  if (unknown.length === 0) return applied;
  throw new StoreError(
    `${path} was written by a newer version of Quartermaster (it holds ${unknown.join(', ')}): use that version.`,
  );
}

export const migrationsNamed = (applied: readonly string[]) =>
  Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => applied.includes(name)));

/** @throws StoreError if anything other than SQLite has changed a part of it */
export function requireSound(file: DatabaseSync, path: string): void {
  const answer = z.object({ quick_check: z.string() }).parse(file.prepare('pragma quick_check(1)').get());
  if (answer.quick_check !== 'ok') throw new StoreError(`${path} is damaged: choose an earlier backup.`);
}

/** Leaves out the tables of the migrator and of SQLite. */
export function readShapes(file: DatabaseSync): TableShape[] {
  const all = names(
    file,
    `select name from sqlite_schema where type = 'table' and name not like 'kysely_%' and name not like 'sqlite_%' order by name`,
  );
  const ordered: TableShape[] = [];
  const add = (name: string) => {
    if (ordered.some((shape) => shape.name === name)) return;
    for (const parent of names(file, 'select "table" as name from pragma_foreign_key_list(?)', name)) {
      if (parent !== name) add(parent);
    }
    ordered.push({ name, columns: names(file, 'select name from pragma_table_info(?)', name) });
  };
  for (const name of all) add(name);
  return ordered;
}

export function countRows(file: DatabaseSync): number {
  const count = ({ name }: TableShape) =>
    z.object({ count: z.number() }).parse(file.prepare(`select count(*) as count from "${name}"`).get()).count;
  return readShapes(file).reduce((sum, shape) => sum + count(shape), 0);
}

function names(file: DatabaseSync, statement: string, ...parameters: string[]): string[] {
  return namesSchema.parse(file.prepare(statement).all(...parameters)).map(({ name }) => name);
}
