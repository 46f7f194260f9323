import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { dayNumberOf, dayOf, plusDays, type Day } from '../../base/time/calendar.ts';
import type { ChannelSubscription, ChannelSubscriptionKey } from '../../watches/channel-subscription-table.ts';
import type { DeliveryKind } from '../../outbox/attempt.ts';
import { findPointedAt } from '../../outbox/past-deliveries.ts';
import { rowRetention } from '../../store/retention.ts';
import type { Database, DatabaseTransaction, Tables } from '../../store/tables.ts';
import { USUAL_DAYS } from '../../figures/insight/unusual.ts';
import type { AssessedDay, Judgement } from './plan.ts';

/** The kind of these among the channel subscriptions; the subject is the id of a user group, or empty. */
export const WATCH_KIND = 'usage';

interface WatchDayTable {
  channel: string;
  subject: string;
  day: string;
  judgement: Judgement;
  amount: number;
  is_expected: number;
  delivery_key: string | null;
  at: string;
}

const withDays = (db: Kysely<Tables>) => db.withTables<{ usage_watch_days: WatchDayTable }>();
export type WatchDay = Selectable<WatchDayTable>;

export const watchKey = (channel: string, subject: string): ChannelSubscriptionKey => ({
  kind: WATCH_KIND,
  channel,
  subject,
});

const filterSchema = z.object({ handle: z.string().optional() });
const recentSchema = z.object({ snoozedUntil: z.iso.datetime().optional() });

/** @example aboutOf(watch) // '@web-team' */
export function aboutOf({ filter }: Pick<ChannelSubscription, 'filter'>): string {
  const { handle } = filterSchema.parse(JSON.parse(filter));
  return handle === undefined ? 'the organization' : `@${handle}`;
}

export function snoozedUntil({ recent }: Pick<ChannelSubscription, 'recent'>): Date | undefined {
  const { snoozedUntil: until } = recent === null ? {} : recentSchema.parse(JSON.parse(recent));
  return until === undefined ? undefined : new Date(until);
}

const EPOCH: Day = '1970-01-01';

/** A subscription counts from a number on: here that of a day. */
export const sinceOf = (day: Day): number => dayNumberOf(day) - dayNumberOf(EPOCH);
export const sinceDay = ({ since }: Pick<ChannelSubscription, 'since'>): Day => plusDays(EPOCH, since ?? 0);

export async function listWatchDays(db: Database, since: Day): Promise<Map<string, AssessedDay[]>> {
  const rows = await withDays(db).selectFrom('usage_watch_days').selectAll().where('day', '>=', since).execute();
  return new Map(
    [...Map.groupBy(rows, ({ channel, subject }) => nameOf(channel, subject))].map(([name, days]) => [
      name,
      days.map((row) => ({
        day: row.day,
        judgement: row.judgement,
        amount: row.amount,
        isExpected: row.is_expected === 1,
        deliveryKey: row.delivery_key ?? undefined,
      })),
    ]),
  );
}

export const nameOf = (channel: string, subject: string) => `${channel} ${subject}`;

/** @returns `false` when another process was faster */
export async function insertWatchDay(trx: DatabaseTransaction, row: WatchDay): Promise<boolean> {
  const inserted = await withDays(trx)
    .insertInto('usage_watch_days')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** @returns `false` when another process was faster */
export async function correctWatchDay(
  trx: DatabaseTransaction,
  { channel, subject, day, amount }: Pick<WatchDay, 'channel' | 'subject' | 'day' | 'amount'>,
): Promise<boolean> {
  const updated = await withDays(trx)
    .updateTable('usage_watch_days')
    .set({ judgement: 'usual', amount })
    .where('channel', '=', channel)
    .where('subject', '=', subject)
    .where('day', '=', day)
    .where('judgement', 'in', ['high', 'low'])
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export async function daysOfMessage(db: Database, deliveryKey: string): Promise<WatchDay[]> {
  return withDays(db).selectFrom('usage_watch_days').selectAll().where('delivery_key', '=', deliveryKey).execute();
}

/** @returns `false` when somebody did so already */
export async function markExpected(trx: DatabaseTransaction, deliveryKey: string): Promise<boolean> {
  const updated = await withDays(trx)
    .updateTable('usage_watch_days')
    .set({ is_expected: 1 })
    .where('delivery_key', '=', deliveryKey)
    .where('is_expected', '=', 0)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Expected days are left out of what is usual for as long as they could count. */
export const HISTORY_DAYS = USUAL_DAYS + 10;

const DAYS = { table: 'usage_watch_days', key: ['channel', 'subject', 'day'], column: 'day' };

/** Deletes what was said of days that are older than people's figures, and that no look needs any longer. */
export const watchRetention = (db: Database) =>
  rowRetention(db, 'people', DAYS, (before) => plusDays(dayOf(before), -HISTORY_DAYS));

/** The messages whose days are kept. */
export const findWatched: NonNullable<DeliveryKind['findNeeded']> = (trx, ended) =>
  findPointedAt(trx, 'usage_watch_days', ended);
