import { sql, SqliteAdapter, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { nextTurn } from '../../base/time/turns.ts';
import type { Database } from '../../store/tables.ts';
import { HOLDINGS, type Holding } from './holdings.ts';

export interface Table {
  name: string;
  holding: Holding;
  texts: readonly string[];
}

/** Columns that change with the row they reference, and columns that the erasure itself uses. */
const APART = new Set(['delivery_history.delivery_key', 'erasures.id', 'erasures.pseudonyms', 'erasures.identifiers']);

/** @throws Error for a table that is missing from `HOLDINGS` */
export async function readTables(db: Database): Promise<Table[]> {
  const found = await db.introspection.getTables();
  const byName = new Map(found.map((table) => [table.name, table.columns]));
  const unknown = [...byName.keys()].filter((name) => !Object.hasOwn(HOLDINGS, name));
  if (unknown.length > 0) throw new Error(`Nobody said what these tables hold of people: ${unknown.join(', ')}`);
  return Object.entries(HOLDINGS)
    .filter(([name]) => byName.has(name))
    .map(([name, holding]) => {
      const texts = (byName.get(name) ?? []).filter(({ dataType }) => /text|char/i.test(dataType));
      const columns = texts.map((column) => column.name);
      return { name, holding, texts: columns.filter((column) => !APART.has(`${name}.${column}`)) };
    });
}

export const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
export type Row = z.infer<typeof rowSchema>;
const placesSchema = z.array(z.object({ place: z.union([z.string(), z.number()]) }));
export type Place = z.infer<typeof placesSchema>[number]['place'];

const isSqlite = (db: Database) => db.getExecutor().adapter instanceof SqliteAdapter;

/** Returns how a row is found again, whatever its key is. In Postgres only the second check finds a changed row. */
export function addressOf(db: Database): { read: RawBuilder<unknown>; is: (place: Place) => RawBuilder<boolean> } {
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

export async function placesWhere(db: Database, table: string, where: RawBuilder<boolean>): Promise<Place[]> {
  const places: Place[] = [];
  for await (const span of spansOf(db, table)) {
    const found = sql`select ${addressOf(db).read} as place from ${sql.table(table)} where ${span} and ${where}`;
    places.push(...placesSchema.parse((await found.execute(db)).rows).map(({ place }) => place));
  }
  return places;
}

export async function eachRow(
  db: Database,
  table: string,
  where: RawBuilder<boolean>,
  take: (row: Row) => void,
): Promise<void> {
  const address = addressOf(db);
  for (const place of await placesWhere(db, table, where)) {
    const { rows } = await sql`select * from ${sql.table(table)} where ${address.is(place)}`.execute(db);
    // A row that was deleted in the meantime holds nothing.
    if (rows[0] !== undefined) take(rowSchema.parse(rows[0]));
    await nextTurn();
  }
}
