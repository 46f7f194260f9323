import { sql } from 'kysely';
import { clip, markup, readerTime, type Markup } from '../base/text/markup.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import { storeNow } from '../store/lease.ts';
import { readReleasedKey } from '../store/migrations/0009-delivery-about.ts';
import { record } from './deliveries.ts';
import type { Delivery, DeliveryHistoryTable } from './delivery-table.ts';

export async function findDelivery(db: Database | DatabaseTransaction, key: string): Promise<Delivery | undefined> {
  return db.selectFrom('deliveries').selectAll().where('key', '=', key).executeTakeFirst();
}

/** Has no content: there may be thousands. */
export type DeliveryOutline = Pick<Delivery, 'key' | 'about' | 'state' | 'reason' | 'dueAt' | 'sentAt'>;

const newestFirst = (db: Database, kind: string) =>
  db
    .selectFrom('deliveries')
    .select(['key', 'about', 'state', 'reason', 'dueAt', 'sentAt'])
    .where('kind', '=', kind)
    .orderBy('createdAt', 'desc')
    .orderBy('key', 'desc');

/** Newest first. @param about the id of their subject; by default those of all */
export const outlineDeliveries = (
  db: Database,
  kind: string,
  since: Date,
  about?: string,
): Promise<DeliveryOutline[]> =>
  newestFirst(db, kind)
    .where('createdAt', '>=', since.toISOString())
    .$if(about !== undefined, (query) => query.where('about', '=', about ?? ''))
    .execute();

export interface NewestQuery {
  kind: string;
  channel: string;
  /** Missing: whatever it is about. */
  about?: string;
}

export async function findNewest(
  db: Database,
  { kind, channel, about }: NewestQuery,
): Promise<DeliveryOutline | undefined> {
  const toChannel = newestFirst(db, kind).where('channel', '=', channel).limit(1);
  return (about === undefined ? toChannel : toChannel.where('about', '=', about)).executeTakeFirst();
}

/** `/digest why` shows the whole reason. */
const MAX_REASON_LENGTH = 150;

/** Says how the last message ended, with its reason shortened. */
export function lastDeliveryWords(last: DeliveryOutline | undefined): Markup {
  if (!last) return markup`none sent yet`;
  switch (last.state) {
    case 'sent':
      return markup`✅ last sent ${readerTime(new Date(last.sentAt ?? last.dueAt))}`;
    case 'failed':
      return markup`❌ last one failed: ${clip(last.reason ?? 'the log says why', MAX_REASON_LENGTH)}`;
    case 'skipped':
      return markup`last one was skipped: ${clip(last.reason ?? '', MAX_REASON_LENGTH)}`;
    case 'waiting':
    case 'claimed':
    case 'posting':
    case 'unknown':
      return markup`⏳ one is on its way`;
    default:
      return last.state satisfies never;
  }
}

export async function listDirectChannels(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('messageChannel')
    .distinct()
    .where('messageChannel', 'like', 'D%')
    .execute();
  return rows.flatMap(({ messageChannel: channel }) => channel ?? []);
}

export async function findDeliveries(db: Database | DatabaseTransaction, keys: readonly string[]): Promise<Delivery[]> {
  return keys.length === 0 ? [] : db.selectFrom('deliveries').selectAll().where('key', 'in', keys).execute();
}

/** Oldest first. */
export async function listAbout(db: Database | DatabaseTransaction, kind: string, about: string): Promise<Delivery[]> {
  const ofKind = db.selectFrom('deliveries').selectAll().where('kind', '=', kind).orderBy('createdAt').orderBy('key');
  const deliveries = await ofKind.where('about', '=', about).execute();
  // An older version that still runs beside this one writes rows whose `about` is filled in within a minute.
  const released = await ofKind.where('about', 'is', null).execute();
  const releasedDeliveries = released.filter(({ key }) => readReleasedKey(kind, key).about === about);
  return releasedDeliveries.length === 0 ? deliveries : [...deliveries, ...releasedDeliveries].toSorted(byCreation);
}

const byCreation = (one: Delivery, other: Delivery): number => (one.createdAt < other.createdAt ? -1 : 1);

/** @param table with a column `deliveryKey` */
export async function keysReferencedBy(
  trx: DatabaseTransaction,
  table: string,
  deliveries: readonly Pick<Delivery, 'key'>[],
): Promise<ReadonlySet<string>> {
  const keys = sql.join(deliveries.map(({ key }) => key));
  const { rows } = await sql<{ deliveryKey: string }>`
    select delivery_key from ${sql.table(table)} where delivery_key in (${keys})`.execute(trx);
  return new Set(rows.map((row) => row.deliveryKey));
}

/** Lists only deliveries with a memo. */
export async function listSentSince(db: Database, kind: string, since: Date): Promise<Delivery[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where((where) => where.and({ kind, state: 'sent' }))
    .where('sentAt', '>=', since.toISOString())
    .where('memo', 'is not', null)
    .orderBy('sentAt')
    .execute();
}

/** Lists only deliveries with a memo. */
export async function listSkippedSince(db: Database, kind: string, since: Date): Promise<Delivery[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('kind', '=', kind)
    .where('state', '=', 'skipped')
    .where('dueAt', '>=', since.toISOString())
    .where('memo', 'is not', null)
    .orderBy('dueAt')
    .execute();
}

export type HistoryEntry = Pick<DeliveryHistoryTable, 'at' | 'step' | 'detail'>;

/** Each history is oldest first. */
export async function readHistories(db: Database, keys: readonly string[]): Promise<Map<string, HistoryEntry[]>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('deliveryHistory')
    .select(['deliveryKey', 'at', 'step', 'detail'])
    .where('deliveryKey', 'in', keys)
    .orderBy('position')
    .execute();
  return Map.groupBy(rows, (row) => row.deliveryKey);
}

/** @returns `false` if another writer was faster */
export async function replaceMemo(
  trx: DatabaseTransaction,
  { key, memo }: Pick<Delivery, 'key' | 'memo'>,
  replacement: string,
): Promise<boolean> {
  const updated = await trx
    .updateTable('deliveries')
    .set({ memo: replacement })
    .where('key', '=', key)
    .where('memo', '=', memo)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/**
 * If the message may have arrived, the channel's history is read first, as for any delivery. Exception: after a long
 * unreadable history, the caller has checked the channel instead.
 *
 * @returns `false` if it had not failed, or was already sent again
 */
export async function sendAgain(trx: DatabaseTransaction, key: string, now: Date, why: string): Promise<boolean> {
  const at = now.toISOString();
  const updated = await trx
    .updateTable('deliveries')
    .set((set) => ({
      state: 'waiting',
      dueAt: at,
      nextAttemptAt: storeNow(trx),
      reason: null,
      firstPostingAt: set.case().when('unreadableSince', 'is', null).then(set.ref('firstPostingAt')).end(),
      lastPostingAt: set.case().when('unreadableSince', 'is', null).then(set.ref('lastPostingAt')).end(),
      unreadableSince: null,
    }))
    .where((where) => where.and({ key, state: 'failed' }))
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  await record(trx, key, now, 'planned', why);
  return true;
}

/** Slack said so at an edit or an answer. The delivery counts as failed from then on. */
export async function recordDeletedMessage(trx: DatabaseTransaction, key: string, now: Date): Promise<void> {
  const reason = 'Its message was deleted.';
  const updated = await trx
    .updateTable('deliveries')
    .set({ state: 'failed', reason, messageChannel: null, messageTs: null })
    .where((where) => where.and({ key, state: 'sent' }))
    .executeTakeFirst();
  if (updated.numUpdatedRows > 0n) await record(trx, key, now, 'failed', reason);
}

/** Retries deliveries at once that wait for a reason that no longer holds. */
export async function retryWaiting(db: Database, reason: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ nextAttemptAt: storeNow(db) })
    .where((where) => where.and({ state: 'waiting', reason }))
    .where('nextAttemptAt', '>', storeNow(db))
    .execute();
}
