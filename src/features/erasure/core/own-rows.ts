import { sql } from 'kysely';
import { z } from 'zod';
import type { Identifiers } from '../../../core/base/privacy/pseudonyms.ts';
import { COLUMN_NAMES, type Database } from '../../../core/store/tables.ts';
import { readTables, type DescribedStore, type Table } from './store-rows.ts';

export interface OwnRow {
  table: string;
  row: Readonly<Record<string, unknown>>;
}

const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/** Yields the stored rows of a person for that person, without columns about others. */
export async function* ownRows(store: DescribedStore, identifiers: Identifiers): AsyncGenerator<OwnRow> {
  const ownIdentifiers = [...identifiers.email, ...identifiers.slackId, ...identifiers.userId];
  if (ownIdentifiers.length === 0) return;
  for (const table of await readTables(store)) {
    const { policy, texts } = table;
    const name = COLUMN_NAMES.toStored(table.name);
    if (policy.ownParts) for await (const row of policy.ownParts(store.db, identifiers)) yield { table: name, row };
    else if (texts.length > 0)
      for (const row of await rowsOf(store.db, table, ownIdentifiers)) {
        for (const column of policy.ofOthers ?? []) delete row[column];
        const columns = Object.entries(row).map(([column, value]) => [COLUMN_NAMES.toStored(column), value]);
        yield { table: name, row: Object.fromEntries(columns) };
      }
  }
}

async function rowsOf(db: Database, { name, texts }: Table, ownIdentifiers: readonly string[]) {
  const hits = texts.map((column) => sql`${sql.ref(column)} in (${sql.join(ownIdentifiers)})`);
  const { rows } = await sql`select * from ${sql.table(name)} where ${sql.join(hits, sql` or `)}`.execute(db);
  return rowsSchema.parse(rows);
}
