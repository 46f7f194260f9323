import { sql } from 'kysely';
import { z } from 'zod';
import type { Identifiers } from '../../base/privacy/pseudonyms.ts';
import type { Database } from '../../store/tables.ts';
import { readTables, type Table } from './store-rows.ts';

export interface OwnRow {
  table: string;
  row: Readonly<Record<string, unknown>>;
}

/** Columns that do not belong to the person: changing the platform's settings does not make them personal data. */
const OTHERS_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  revisions: ['settings'],
  limit_requests: ['evidence'],
};

const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/** Yields the stored rows of a person for that person, without columns about others. */
export async function* ownRows(db: Database, identifiers: Identifiers): AsyncGenerator<OwnRow> {
  yield* ownDays(db, identifiers);
  const ownIdentifiers = [...identifiers.email, ...identifiers.slackId, ...identifiers.userId];
  if (ownIdentifiers.length === 0) return;
  for (const table of await readTables(db)) {
    if (table.name === 'analytics_days' || table.texts.length === 0) continue;
    for (const row of await rowsOf(db, table, ownIdentifiers)) {
      for (const column of OTHERS_COLUMNS[table.name] ?? []) delete row[column];
      yield { table: table.name, row };
    }
  }
}

async function rowsOf(db: Database, { name, texts }: Table, ownIdentifiers: readonly string[]) {
  const hits = texts.map((column) => sql`${sql.ref(column)} in (${sql.join(ownIdentifiers)})`);
  const { rows } = await sql`select * from ${sql.table(name)} where ${sql.join(hits, sql` or `)}`.execute(
    db.withoutPlugins(),
  );
  return rowsSchema.parse(rows);
}

const daysSchema = z.array(z.object({ resource: z.string(), day: z.string(), facts: z.string() }));
const peopleSchema = z.array(z.array(z.unknown()));

async function* ownDays(db: Database, { email, userId }: Identifiers): AsyncGenerator<OwnRow> {
  const ownIdentifiers = new Set([...email, ...userId]);
  const days =
    await sql`select distinct resource, day from analytics_days where part > 0 order by day, resource`.execute(db);
  for (const { resource, day } of z.array(daysSchema.element.omit({ facts: true })).parse(days.rows)) {
    const parts = await sql`select resource, day, facts from analytics_days
      where part > 0 and resource = ${resource} and day = ${day}`.execute(db);
    for (const { facts } of daysSchema.parse(parts.rows)) {
      for (const values of peopleSchema.parse(JSON.parse(facts))) {
        const [id, address] = values;
        const isOwn =
          ownIdentifiers.has(String(id)) || (typeof address === 'string' && ownIdentifiers.has(address.toLowerCase()));
        if (isOwn) yield { table: 'analytics_days', row: { resource, day, values } };
      }
    }
  }
}
