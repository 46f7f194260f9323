import { sql, SqliteAdapter, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { nextTurn, eachInTurns } from '../../../core/base/time/turns.ts';
import { COLUMN_NAMES, type Database } from '../../../core/store/tables.ts';
import type { Row, TablePolicies, TablePolicy } from '../../../core/store/table-policy.ts';

export interface Table {
  name: string;
  policy: TablePolicy;
  texts: readonly string[];
}

/** A store, and what each of its tables holds of people. */
export interface DescribedStore {
  db: Database;
  tables: TablePolicies;
}

/** Reads the tables of the store, dependent rows first. @throws Error for a table without a policy */
export async function readTables({ db, tables }: DescribedStore): Promise<Table[]> {
  const stored = new Map(
    (await db.introspection.getTables()).map(({ name, columns }) => [COLUMN_NAMES.toProgram(name), columns]),
  );
  const unknown = [...stored.keys()].filter((name) => !Object.hasOwn(tables, name));
  if (unknown.length > 0) throw new Error(`No policy describes the personal data in: ${unknown.join(', ')}`);
  return dependentsFirst(tables).flatMap(([name, policy]) => {
    const texts = stored.get(name)?.filter(({ dataType }) => /text|char/i.test(dataType));
    const columns = texts
      ?.map((column) => COLUMN_NAMES.toProgram(column.name))
      .filter((column) => policy.columns?.[column] !== 'fixed');
    return columns ? [{ name, policy, texts: columns }] : [];
  });
}

/** Orders tables so that each comes before those that its rows reference. */
export function dependentsFirst(tables: TablePolicies): [name: string, policy: TablePolicy][] {
  const ordered = new Map<string, TablePolicy>();
  const add = (name: string, policy: TablePolicy) => {
    if (ordered.has(name)) return;
    for (const [dependent, other] of Object.entries(tables))
      if (other.references?.includes(name)) add(dependent, other);
    ordered.set(name, policy);
  };
  for (const [name, policy] of Object.entries(tables)) add(name, policy);
  return [...ordered];
}

const value = z.union([z.string(), z.number(), z.null()]);
/** Bytes are left out: they name nobody. */
export const rowSchema: z.ZodType<Row> = z
  .record(z.string(), z.union([value, z.instanceof(Uint8Array)]))
  .transform((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, each]) => (each instanceof Uint8Array ? [] : [[name, each]])),
    ),
  );
const rowIdsSchema = z.array(z.object({ place: z.union([z.string(), z.number()]) }));
export type RowId = z.infer<typeof rowIdsSchema>[number]['place'];

const isSqlite = (db: Database) => db.getExecutor().adapter instanceof SqliteAdapter;

/** Returns how a row is found again, whatever its key is. In Postgres only the second check finds a changed row. */
export function addressOf(db: Database): { read: RawBuilder<unknown>; is: (place: RowId) => RawBuilder<boolean> } {
  return isSqlite(db)
    ? { read: sql`rowid`, is: (place) => sql<boolean>`rowid = ${place}` }
    : { read: sql`ctid::text`, is: (place) => sql<boolean>`ctid = ${place}::tid` };
}

/** For the days of people, two megabytes: a few milliseconds. */
const ROWS_AT_ONCE = 100;
const boundsSchema = z.object({ first: z.number().nullable(), last: z.number().nullable() });

/** Splits a table into spans of rows: SQLite scans each without a turn of the event loop. */
async function* spansOf(db: Database, table: string): AsyncGenerator<RawBuilder<boolean>> {
  if (!isSqlite(db)) {
    yield sql<boolean>`1 = 1`;
    return;
  }
  const { rows } = await sql`select min(rowid) as first, max(rowid) as last from ${sql.table(table)}`.execute(db);
  const { first, last } = boundsSchema.parse(rows[0]);
  if (first === null || last === null) return;
  for (let from = first; from <= last; from += ROWS_AT_ONCE) {
    yield sql<boolean>`rowid between ${from} and ${from + ROWS_AT_ONCE - 1}`;
    await nextTurn();
  }
}

const countSchema = z.object({ rows: z.coerce.number() });

export async function countWhere(db: Database, table: string, where: RawBuilder<boolean>): Promise<number> {
  let count = 0;
  for await (const span of spansOf(db, table)) {
    const { rows } = await sql`select count(*) as rows from ${sql.table(table)} where ${span} and ${where}`.execute(db);
    count += countSchema.parse(rows[0]).rows;
  }
  return count;
}

export async function rowIdsWhere(db: Database, table: string, where: RawBuilder<boolean>): Promise<RowId[]> {
  const rowIds: RowId[] = [];
  for await (const span of spansOf(db, table)) {
    const query = sql`select ${addressOf(db).read} as place from ${sql.table(table)} where ${span} and ${where}`;
    rowIds.push(...rowIdsSchema.parse((await query.execute(db)).rows).map(({ place }) => place));
  }
  return rowIds;
}

export async function eachRow(
  db: Database,
  table: string,
  where: RawBuilder<boolean>,
  take: (row: Row) => void,
): Promise<void> {
  const address = addressOf(db);
  for await (const rowId of eachInTurns(await rowIdsWhere(db, table, where))) {
    const { rows } = await sql`select * from ${sql.table(table)} where ${address.is(rowId)}`.execute(db);
    // A row that was deleted in the meantime holds nothing.
    if (rows[0] !== undefined) take(rowSchema.parse(rows[0]));
  }
}
