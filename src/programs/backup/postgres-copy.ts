import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { migrate } from '../../core/store/migrate.ts';
import { NodeSqliteDialect } from '../../core/store/engines/sqlite-driver.ts';
import { migrationPool } from '../../core/store/engines/postgres-pool.ts';
import { explainStoreFault, StoreError } from '../../core/store/engines/store-error.ts';
import { migrationsNamed, readShapes, type TableShape } from './sqlite-file.ts';

/** Rows are copied in portions, so that neither side holds a whole table in memory. */
const MAX_ROWS = 100;
const MAX_CHARACTERS = 4_000_000;

type Row = Record<string, string | number | Uint8Array | null>;
const rowsSchema = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.instanceof(Uint8Array), z.null()])));
type Connection = Kysely<unknown>;
type StoreTransaction = Transaction<unknown>;

export async function withPostgres<Result>(url: string, use: (db: Connection) => Promise<Result>): Promise<Result> {
  const db: Connection = new Kysely({ dialect: new PostgresDialect({ pool: migrationPool(url, () => {}) }) });
  try {
    return await use(db);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(explainStoreFault(error, url), { cause: error });
  } finally {
    await db.destroy().catch(() => undefined);
  }
}

/** Reads as of one instant. */
export async function copyFromPostgres(db: Connection, path: string, location: string): Promise<number> {
  const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return transaction.execute(async (trx) => {
    await makeSchema(path, await readApplied(trx, location));
    const file = new DatabaseSync(path);
    try {
      // A backup is one file without a log.
      file.exec('pragma journal_mode = delete; pragma foreign_keys = on; begin');
      let count = 0;
      for (const shape of readShapes(file)) count += await copyTable(trx, file, shape);
      file.exec('commit');
      return count;
    } finally {
      file.close();
    }
  });
}

async function makeSchema(path: string, applied: readonly string[]): Promise<void> {
  const target: Connection = new Kysely({ dialect: new NodeSqliteDialect(path) });
  try {
    await migrate(target, migrationsNamed(applied));
  } finally {
    await target.destroy();
  }
}

async function readApplied(trx: StoreTransaction, location: string): Promise<string[]> {
  const { rows } = await sql<{ found: string | null }>`select to_regclass('kysely_migration') as found`.execute(trx);
  if (!rows[0]?.found)
    throw new StoreError(`The database ${location} is no store of Quartermaster yet: nothing to back up.`);
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(trx);
  const unknown = applied.rows.map(({ name }) => name).filter((name) => !(name in migrationsNamed([name])));
  if (unknown.length === 0) return applied.rows.map(({ name }) => name);
  throw new StoreError(
    `The database ${location} was written by a newer version of Quartermaster (it holds ${unknown.join(', ')}): use that version.`,
  );
}

async function copyTable(from: StoreTransaction, file: DatabaseSync, { name, columns }: TableShape): Promise<number> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const quoted = columns.map((column) => `"${column}"`).join(', ');
  const insertion = file.prepare(`insert into "${name}" (${quoted}) values (${columns.map(() => '?').join(', ')})`);
  await sql`declare copied no scroll cursor for select ${names} from ${sql.table(name)}`.execute(from);
  for (let count = 0; ;) {
    const { rows } = await sql`fetch ${sql.lit(MAX_ROWS)} from copied`.execute(from);
    for (const row of rowsSchema.parse(rows)) insertion.run(...columns.map((column) => row[column] ?? null));
    count += rows.length;
    if (rows.length > 0) continue;
    await sql`close copied`.execute(from);
    return count;
  }
}

/** Copies all rows or, however the program ends, none. @throws StoreError if the store already contains a row */
export async function copyToPostgres(
  file: DatabaseSync,
  applied: readonly string[],
  db: Connection,
  location: string,
  finish: (trx: StoreTransaction) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  await requireEmpty(db, location);
  await migrate(db, migrationsNamed(applied));
  return db.transaction().execute(async (trx) => {
    let count = 0;
    for (const shape of readShapes(file)) {
      // A bot that starts now waits, and then finds the whole store.
      await sql`lock table ${sql.table(shape.name)} in exclusive mode`.execute(trx);
      if (await hasRows(trx, shape.name)) throw holdsSomething(location);
      for (const rows of partsOf(file, shape)) {
        await insert(trx, shape, rows);
        count += rows.length;
      }
    }
    await finish(trx);
    return count;
  });
}

const holdsSomething = (location: string) =>
  new StoreError(`The database ${location} holds a store already: name an empty one, so that nothing is overwritten.`);

/** Refuses any content: tables of another program are no place for a store either. */
async function requireEmpty(db: Connection, location: string): Promise<void> {
  const tables = await db.introspection.getTables();
  for (const { name } of tables) {
    if (await hasRows(db, name)) throw holdsSomething(location);
  }
}

async function hasRows(db: Connection, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
  return rows.length > 0;
}

function* partsOf(file: DatabaseSync, { name, columns }: TableShape): Generator<Row[]> {
  const quoted = columns.map((column) => `"${column}"`).join(', ');
  let part: Row[] = [];
  let characters = 0;
  for (const storedRow of file.prepare(`select ${quoted} from "${name}"`).iterate()) {
    const row = forPostgres(rowsSchema.element.parse(storedRow));
    part.push(row);
    characters += Object.values(row).reduce<number>((sum, value) => sum + lengthOf(value), 0);
    if (part.length < MAX_ROWS && characters < MAX_CHARACTERS) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

const lengthOf = (value: Row[string] = null) =>
  value instanceof Uint8Array ? value.length : String(value ?? '').length;

/** Postgres stores no NUL in a text, and takes bytes as a `Buffer`. */
function forPostgres(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? value.replaceAll('\u0000', '\u{fffd}')
        : value instanceof Uint8Array
          ? Buffer.from(value)
          : value,
    ]),
  );
}

async function insert(into: StoreTransaction, { name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`);
  await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(into);
}
