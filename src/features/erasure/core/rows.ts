import { sql, type RawBuilder } from 'kysely';
import {
  createPseudonyms,
  pseudonymOf,
  pseudonymsByHash,
  type Identifiers,
} from '../../../core/base/privacy/pseudonyms.ts';
import { createReplace, searchTermsOf } from '../../../core/base/privacy/replace-identifiers.ts';
import { eachInTurns } from '../../../core/base/time/turns.ts';
import { pseudonymizedSettings } from '../../../core/platform/pseudonymized.ts';
import { isJsonObject, type JsonObject } from '../../../core/platform/redaction/json.ts';
import {
  writeTexts,
  type Changes,
  type Row,
  type TablePolicy,
  type TextContent,
} from '../../../core/store/table-policy.ts';
import { COLUMN_NAMES, type Database, type DatabaseTransaction } from '../../../core/store/tables.ts';
import {
  addressOf,
  countWhere,
  eachRow,
  readTables,
  rowIdsWhere,
  rowSchema,
  type DescribedStore,
  type Table,
} from './store-rows.ts';

export interface RowCounts {
  table: string;
  policy: TablePolicy;
  deleted: number;
  kept: number;
}

function mayHold(texts: readonly string[], identifiers: Identifiers): RawBuilder<boolean> {
  const { contained, exact } = searchTermsOf(identifiers);
  const hits = texts.flatMap((column) => [
    ...contained.map((part) => sql`lower(${sql.ref(column)}) like ${`%${escapeLike(part.toLowerCase())}%`} escape '!'`),
    ...(exact.length === 0 ? [] : [sql`${sql.ref(column)} in (${sql.join(exact)})`]),
  ]);
  return hits.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(hits, sql` or `)})`;
}

const escapeLike = (text: string) => text.replace(/[!%_]/g, (sign) => `!${sign}`);

/** Counts the rows about a person, table by table; nothing is changed. */
export async function countRows(store: DescribedStore, identifiers: Identifiers): Promise<RowCounts[]> {
  const { db } = store;
  const replacing = createReplacing('count', identifiers);
  const counts: RowCounts[] = [];
  for (const table of await readTables(store)) {
    const { name, policy, texts } = table;
    if (policy.isPassing) continue;
    const isDeleted = policy.deleted?.(identifiers) ?? sql<boolean>`1 = 0`;
    const deleted = await countWhere(db, name, isDeleted);
    let kept = 0;
    const isKept = sql<boolean>`${mayHold(texts, identifiers)} and not coalesce(${isDeleted}, false)`;
    await eachRow(db, name, isKept, (row) => {
      if (Object.keys(changesOf(table, row, replacing)).length > 0) kept += 1;
    });
    if (deleted + kept > 0) counts.push({ table: COLUMN_NAMES.toStored(name), policy, deleted, kept });
  }
  return counts;
}

/** Returns the function that replaces identifiers in a column of a row. */
type Replacing = (policy: TablePolicy, row: Row, column: string) => (text: string) => string;

function createReplacing(id: string, identifiers: Identifiers): Replacing {
  const pseudonyms = createPseudonyms(new Map(Object.entries(pseudonymsByHash(id, identifiers))));
  const replacements: Record<TextContent, (text: string) => string> = {
    text: createReplace(id, { ...identifiers, userId: [] }),
    platform: createReplace(id, identifiers),
    paths: createReplace(id, { ...identifiers, name: [] }),
    'settings text': createReplace(id, { ...identifiers, userId: [], name: [] }),
    settings: (text) => {
      const settings: unknown = JSON.parse(text);
      if (!isSettings(settings)) return text;
      const replaced = JSON.stringify(pseudonymizedSettings(settings, pseudonyms));
      return replaced === JSON.stringify(settings) ? text : replaced;
    },
    name: () => pseudonymOf(id, 'name', 0),
    fixed: (text) => text,
  };
  return ({ columns, content = 'text' }, row, column) => {
    const inColumn = columns?.[column] ?? content;
    return replacements[typeof inColumn === 'function' ? inColumn(row, identifiers) : inColumn];
  };
}

const isSettings = (value: unknown): value is JsonObject => isJsonObject(value);

function changesOf({ policy, texts }: Table, row: Row, replacing: Replacing): Changes {
  return Object.fromEntries(
    texts.flatMap((column) => {
      const text = row[column];
      if (typeof text !== 'string') return [];
      const replaced = replacing(policy, row, column)(text);
      return replaced === text ? [] : [[column, replaced]];
    }),
  );
}

/** Deletes a person's own rows and puts pseudonyms into the others. Safe to repeat. @param id of the erasure */
export async function eraseRows(
  store: DescribedStore,
  id: string,
  identifiers: Identifiers,
  now: Date,
): Promise<Omit<RowCounts, 'policy'>[]> {
  const { db } = store;
  const replacing = createReplacing(id, identifiers);
  const done: Omit<RowCounts, 'policy'>[] = [];
  const tables = await readTables(store);
  for (const { policy } of tables) await policy.beforeErasure?.(db, identifiers, now);
  for (const table of tables) {
    const { name, policy, texts } = table;
    const deleted = policy.deleted ? await deleteWhere(db, name, policy.deleted(identifiers)) : 0;
    const kept = await replaceWhere(db, table, mayHold(texts, identifiers), replacing);
    if (deleted + kept > 0) done.push({ table: COLUMN_NAMES.toStored(name), deleted, kept });
  }
  return done;
}

async function deleteWhere(db: Database, table: string, where: RawBuilder<boolean>): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${where}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

async function replaceWhere(
  db: Database,
  table: Table,
  where: RawBuilder<boolean>,
  replacing: Replacing,
): Promise<number> {
  const address = addressOf(db);
  let count = 0;
  for await (const rowId of eachInTurns(await rowIdsWhere(db, table.name, where))) {
    const isChanged = await db.transaction().execute((trx) => replaceRow(trx, table, address.is(rowId), replacing));
    if (isChanged) count += 1;
  }
  return count;
}

async function replaceRow(
  trx: DatabaseTransaction,
  table: Table,
  isRow: RawBuilder<boolean>,
  replacing: Replacing,
): Promise<boolean> {
  const { name, policy } = table;
  const { rows } = await sql`select * from ${sql.table(name)} where ${isRow}`.execute(trx);
  if (rows[0] === undefined) return false;
  const before = rowSchema.parse(rows[0]);
  const changes = changesOf(table, before, replacing);
  if (Object.keys(changes).length === 0) return false;
  if (policy.pseudonymize) return policy.pseudonymize(trx, before, changes);
  await writeTexts(trx, name, changes, isRow);
  return true;
}
