import { sql, type RawBuilder } from 'kysely';
import { createPseudonyms, pseudonymOf, pseudonymsByHash, type Identifiers } from '../../base/privacy/pseudonyms.ts';
import { nextTurn } from '../../base/time/turns.ts';
import { pseudonymizedSettings } from '../../platform/pseudonymized.ts';
import { digestOfJson, isJsonObject, type JsonObject } from '../../platform/redaction/json.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import type { TablePolicy } from './table-policies.ts';
import { addressOf, countWhere, eachRow, rowIdsWhere, readTables, rowSchema, type Row } from './store-rows.ts';
import { createReplace, searchTermsOf } from '../../base/privacy/replace-identifiers.ts';

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
export async function countRows(db: Database, identifiers: Identifiers): Promise<RowCounts[]> {
  const replacing = createReplacing('count', identifiers);
  const counts: RowCounts[] = [];
  for (const { name: table, policy, texts } of await readTables(db)) {
    if (policy.isPassing) continue;
    const isDeleted = policy.deleted?.(identifiers) ?? sql<boolean>`1 = 0`;
    const deleted = await countWhere(db, table, isDeleted);
    let kept = 0;
    const isKept = sql<boolean>`${mayHold(texts, identifiers)} and not coalesce(${isDeleted}, false)`;
    await eachRow(db, table, isKept, (row) => {
      if (changesOf(table, row, texts, replacing).length > 0) kept += 1;
    });
    if (deleted + kept > 0) counts.push({ table, policy, deleted, kept });
  }
  return counts;
}

/** Returns the function that replaces identifiers in a column of a row. */
type Replacing = (table: string, row: Row, column: string) => (text: string) => string;

/**
 * Replaces the platform's ids only in tables in which the platform names people: elsewhere one may be any word, such as the
 * name of a state. Replaces names in name fields and in texts by people, and never in settings.
 */
function createReplacing(id: string, identifiers: Identifiers): Replacing {
  const ofPlatform = createReplace(id, identifiers);
  const ofPaths = createReplace(id, { ...identifiers, name: [] });
  const ofTexts = createReplace(id, { ...identifiers, userId: [] });
  const withoutNames = createReplace(id, { ...identifiers, userId: [], name: [] });
  const pseudonyms = createPseudonyms(new Map(Object.entries(pseudonymsByHash(id, identifiers))));
  const inSettings = (text: string) => {
    const settings: unknown = JSON.parse(text);
    if (!isSettings(settings)) return text;
    const replaced = JSON.stringify(pseudonymizedSettings(settings, pseudonyms));
    return replaced === JSON.stringify(settings) ? text : replaced;
  };
  return (table, row, column) => {
    switch (table) {
      case 'analytics_days':
        return ofPlatform;
      case 'revisions':
        if (column === 'settings') return inSettings;
        if (column === 'members') return ofPaths;
        return column === 'user_name' && isTheirs(row, identifiers) ? () => pseudonymOf(id, 'name', 0) : ofPlatform;
      case 'deliveries':
        return String(row['kind']).startsWith('controls-') ? withoutNames : ofTexts;
      default:
        return ofTexts;
    }
  };
}

const isSettings = (value: unknown): value is JsonObject => isJsonObject(value);

/** Whether the person made a revision. It may already have their pseudonym. */
function isTheirs({ user_email: email, user_id: userId }: Row, identifiers: Identifiers): boolean {
  return (
    (typeof email === 'string' && identifiers.email.includes(email.toLowerCase())) ||
    (typeof userId === 'string' && identifiers.userId.includes(userId))
  );
}

function changesOf(
  table: string,
  row: Row,
  texts: readonly string[],
  replacing: Replacing,
): [column: string, text: string][] {
  return texts.flatMap((column): [string, string][] => {
    const text = row[column];
    const replaced = typeof text === 'string' ? replacing(table, row, column)(text) : text;
    return typeof replaced === 'string' && replaced !== text ? [[column, replaced]] : [];
  });
}

/**
 * Deletes a person's own rows and puts pseudonyms into the others. Safe to repeat after an interruption.
 *
 * @param id of the erasure
 */
export async function eraseRows(
  db: Database,
  id: string,
  identifiers: Identifiers,
  now: Date,
): Promise<Omit<RowCounts, 'policy'>[]> {
  const replacing = createReplacing(id, identifiers);
  const done: Omit<RowCounts, 'policy'>[] = [];
  await skipOpenDeliveries(db, identifiers.slackId, now);
  for (const { name: table, policy, texts } of await readTables(db)) {
    const deleted = policy.deleted ? await deleteWhere(db, table, policy.deleted(identifiers)) : 0;
    const where = mayHold(texts, identifiers);
    const kept = await replaceWhere(db, { table, texts, where }, replacing);
    if (deleted + kept > 0) done.push({ table, deleted, kept });
  }
  return done;
}

/** A replica that is about to post one of them finds that it is final. */
async function skipOpenDeliveries(db: Database, slackIds: readonly string[], now: Date): Promise<void> {
  if (slackIds.length === 0) return;
  await db
    .updateTable('deliveries')
    .set({
      state: 'skipped',
      reason: 'The person’s data was erased.',
      leasedBy: null,
      leasedUntil: now.toISOString(),
    })
    .where('channel', 'in', slackIds)
    .where('state', 'not in', ['sent', 'skipped', 'failed'])
    .execute();
}

async function deleteWhere(db: Database, table: string, where: RawBuilder<boolean>): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${where}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

interface Search {
  table: string;
  texts: readonly string[];
  where: RawBuilder<boolean>;
}

async function replaceWhere(db: Database, search: Search, replacing: Replacing): Promise<number> {
  const address = addressOf(db);
  let count = 0;
  for (const rowId of await rowIdsWhere(db, search.table, search.where)) {
    const isChanged = await db.transaction().execute((trx) => replaceRow(trx, search, address.is(rowId), replacing));
    if (isChanged) count += 1;
    await nextTurn();
  }
  return count;
}

async function replaceRow(
  trx: DatabaseTransaction,
  { table, texts }: Search,
  isRow: RawBuilder<boolean>,
  replacing: Replacing,
): Promise<boolean> {
  const { rows } = await sql`select * from ${sql.table(table)} where ${isRow}`.execute(trx.withoutPlugins());
  if (rows[0] === undefined) return false;
  const before = rowSchema.parse(rows[0]);
  const changes = changesOf(table, before, texts, replacing);
  if (changes.length === 0) return false;
  const all =
    table === 'revisions'
      ? await withDigest(trx, before, changes)
      : changes.filter(([column]) => column !== 'key' || table !== 'deliveries');
  if (all.length === 0) return false;
  // A post under way is settled by its key. The second check finds this row.
  const isRenamed = table === 'deliveries' && before['state'] !== 'posting';
  if (isRenamed && changes.some(([column]) => column === 'key')) {
    await renameDelivery(trx, before, { ...before, ...Object.fromEntries(changes) });
    return true;
  }
  const assignments = all.map(([column, text]) => sql`${sql.ref(column)} = ${text}`);
  await sql`update ${sql.table(table)} set ${sql.join(assignments)} where ${isRow}`.execute(trx);
  return true;
}

/** The history references a delivery by its key, so for a moment there are two deliveries. */
async function renameDelivery(trx: DatabaseTransaction, before: Row, after: Row): Promise<void> {
  const columns = sql.join(Object.keys(after).map((column) => sql.ref(column)));
  await sql`insert into deliveries (${columns}) values (${sql.join(Object.values(after))})
    on conflict (key) do nothing`.execute(trx);
  await sql`update delivery_history set delivery_key = ${after['key']} where delivery_key = ${before['key']}`.execute(
    trx,
  );
  await sql`delete from deliveries where key = ${before['key']}`.execute(trx);
}

/** Updates the digest of a revision: the platform's copy already has the pseudonyms, and digests are compared. */
async function withDigest(
  trx: DatabaseTransaction,
  before: Row,
  changes: readonly [string, string][],
): Promise<[string, string][]> {
  const settings = changes.find(([column]) => column === 'settings')?.[1];
  if (settings === undefined) return [...changes];
  const digest = digestOfJson(JSON.parse(settings));
  await sql`update controls_announced set digest = ${digest}
    where revision = ${before['revision']} and digest = ${before['digest']}`.execute(trx);
  return [...changes.filter(([column]) => column !== 'digest'), ['digest', digest]];
}
