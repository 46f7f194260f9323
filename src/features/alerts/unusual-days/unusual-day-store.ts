import { createHash } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { dayNumberOf, dayOf, plusDays, type Day } from '../../../core/base/time/calendar.ts';
import type { ChannelSubscription } from '../../../core/watches/channel-subscription-table.ts';
import { declareWatches } from '../../../core/watches/watch-kind.ts';
import { keysReferencedBy } from '../../../core/outbox/past-deliveries.ts';
import { deleteSomeOld, untilNothingIsLeft, type Retention } from '../../../core/store/row-retention.ts';
import type { Database, DatabaseTransaction, Tables } from '../../../core/store/tables.ts';
import { USUAL_DAYS } from '../../../core/analytics/period.ts';
import type { AssessedDay } from './plan.ts';
import { jsonColumn } from '../../../core/store/json-column.ts';

/** Their subject is the id of a user group, or empty for the organization. */
export const unusualDayWatches = declareWatches({
  kind: 'usage',
  options: z.object({ handle: z.string().optional() }),
  recent: z.object({ snoozedUntil: z.iso.datetime().optional() }),
});

interface WatchDayTable extends AssessedDay {
  channel: string;
  subject: string;
  at: string;
}

export type WatchTables = {
  usageWatchDays: WatchDayTable;
  usageWatchMembers: { id: string; emails: string };
};

const withDays = (db: Kysely<Tables>) => db.withTables<WatchTables>();
export type WatchDay = Selectable<WatchDayTable>;

const emailsColumn = jsonColumn(z.array(z.string()));

/** @example aboutOf({ handle: 'web-team' }) // '@web-team' */
export const aboutOf = ({ handle }: { handle?: string | undefined }): string =>
  handle === undefined ? 'the organization' : `@${handle}`;

const EPOCH: Day = '1970-01-01';

/** A subscription begins after a number; here it is that of a day. */
export const sinceOf = (day: Day): number => dayNumberOf(day) - dayNumberOf(EPOCH);
export const sinceDay = ({ since }: Pick<ChannelSubscription, 'since'>): Day => plusDays(EPOCH, since ?? 0);

export async function listWatchDays(db: Database, since: Day): Promise<Map<string, WatchDay[]>> {
  const rows = await withDays(db).selectFrom('usageWatchDays').selectAll().where('day', '>=', since).execute();
  return Map.groupBy(rows, ({ channel, subject }) => nameOf(channel, subject));
}

export const nameOf = (channel: string, subject: string) => `${channel} ${subject}`;

/** @returns `false` if another process was faster */
export async function insertWatchDay(trx: DatabaseTransaction, row: WatchDay): Promise<boolean> {
  const inserted = await withDays(trx)
    .insertInto('usageWatchDays')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** @returns `false` if another process was faster */
export async function correctWatchDay(
  trx: DatabaseTransaction,
  { channel, subject, day, amount }: Pick<WatchDay, 'channel' | 'subject' | 'day' | 'amount'>,
): Promise<boolean> {
  const updated = await withDays(trx)
    .updateTable('usageWatchDays')
    .set({ judgement: 'usual', amount })
    .where((where) => where.and({ channel, subject, day }))
    .where('judgement', 'in', ['high', 'low'])
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export async function daysOfMessage(db: Database, deliveryKey: string): Promise<WatchDay[]> {
  return withDays(db).selectFrom('usageWatchDays').selectAll().where('deliveryKey', '=', deliveryKey).execute();
}

/** @returns `false` if it was marked before */
export async function markExpected(trx: DatabaseTransaction, deliveryKey: string): Promise<boolean> {
  const updated = await withDays(trx)
    .updateTable('usageWatchDays')
    .set({ isExpected: 1 })
    .where((where) => where.and({ deliveryKey, isExpected: 0 }))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Long enough to leave expected days out of every usual range that they could enter. */
export const HISTORY_DAYS = USUAL_DAYS + 10;

const DAYS = { table: 'usageWatchDays', key: ['channel', 'subject', 'day'], column: 'day' };

/** Deletes the judgements of days that are older than people’s figures and that no evaluation needs. */
export const watchRetention: Retention = {
  kind: 'people',
  prune: (db, before) => untilNothingIsLeft(() => deleteOldDays(db, plusDays(dayOf(before), -HISTORY_DAYS))),
};

/** Deletes days, and the member lists that no day refers to any longer. */
async function deleteOldDays(db: Database, before: Day): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const rows = await deleteSomeOld(trx, DAYS, before);
    await withDays(trx)
      .deleteFrom('usageWatchMembers')
      .where('id', 'not in', (days) =>
        days.selectFrom('usageWatchDays').select('members').where('members', 'is not', null).$castTo<{ id: string }>(),
      )
      .execute();
    return rows;
  });
}

/** Stores the members whose sum is reported. @returns the id of their list */
export async function storeMemberList(trx: DatabaseTransaction, emails: readonly string[]): Promise<string> {
  const sorted = emailsColumn.write([...new Set(emails)].toSorted());
  const id = createHash('sha256').update(sorted).digest('hex').slice(0, 32);
  await withDays(trx)
    .insertInto('usageWatchMembers')
    .values({ id, emails: sorted })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return id;
}

export async function readMembers(db: Database, ids: readonly string[]): Promise<Map<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await withDays(db).selectFrom('usageWatchMembers').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, emails }) => [id, emailsColumn.read(emails)]));
}

/** Returns the keys of messages whose days are still stored. */
export const keysReferencedByDays = (
  trx: DatabaseTransaction,
  ended: readonly { key: string }[],
): Promise<ReadonlySet<string>> => keysReferencedBy(trx, 'usageWatchDays', ended);
