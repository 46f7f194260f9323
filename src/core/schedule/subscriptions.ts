import { sql } from 'kysely';
import type { Day } from '../base/time/calendar.ts';
import { DAY_MS } from '../base/time/durations.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import { firstOccurrenceOn, nextOccurrence, scheduleSchema, type Schedule } from './occurrences.ts';
import type { Subscription } from './subscription-table.ts';
import { jsonColumn } from '../store/json-column.ts';

/** After this many failed messages in a row, over at least a day, a subscription is paused, and its owner is told. */
const MAX_FAILURES = 3;

/** The columns of a table whose subscriptions are paused after failures. */
export type FailureColumns = Pick<Subscription, 'failures' | 'failingSince'>;

/** A channel that Slack does not show for some minutes must end none, however many messages fail in them. Pure. */
export const isFailingForGood = ({ failures, failingSince }: FailureColumns, now: Date): boolean =>
  failures >= MAX_FAILURES && failingSince !== null && now.getTime() - Date.parse(failingSince) >= DAY_MS;

/** Counts one more failure. An earlier version does not reset the time, so it counts from the first failure. */
export const oneMoreFailure = (now: Date) => ({
  failures: sql<number>`failures + 1`,
  failingSince: sql<string>`case when failures = 0 then ${now.toISOString()} else coalesce(failing_since, ${now.toISOString()}) end`,
});

export interface NewSubscription extends Pick<Subscription, 'id' | 'kind' | 'channel'> {
  schedule: Schedule;
  settings: unknown;
  /** Slack id of the person who sets it up; missing: the settings. */
  owner?: string;
}

const scheduleColumn = jsonColumn(scheduleSchema);
export const scheduleIn = ({ schedule }: Pick<Subscription, 'schedule'>): Schedule => scheduleColumn.read(schedule);

function newRow({ id, kind, channel, owner, schedule, settings }: NewSubscription, now: Date) {
  const at = now.toISOString();
  const contents = { schedule: JSON.stringify(scheduleSchema.parse(schedule)), settings: JSON.stringify(settings) };
  const start = { state: 'active' as const, nextDueAt: nextOccurrence(schedule, now).at.toISOString() };
  return { id, kind, channel, owner: owner ?? null, ...contents, ...start, createdAt: at, updatedAt: at };
}

/** The subscription begins with its next occurrence. @returns `false` if one with that id exists */
export async function createSubscription(
  trx: DatabaseTransaction,
  subscription: NewSubscription,
  now: Date,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('subscriptions')
    .values(newRow(subscription, now))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return Boolean(inserted.numInsertedOrUpdatedRows);
}

/**
 * An unchanged subscription of the settings keeps its planned occurrence, so that a restart skips nothing. A new
 * schedule begins with its next occurrence. A subscription that a person paused stays paused.
 *
 * @param planDue plans an active subscription by the schedule that it had, so that a change takes nothing away that is
 * due now
 */
export async function putSubscription(
  db: Database,
  subscription: NewSubscription,
  now: Date,
  planDue: (trx: DatabaseTransaction, stored: Subscription) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const row = newRow(subscription, now);
  const { schedule, settings, nextDueAt, updatedAt } = row;
  await db.transaction().execute(async (trx) => {
    const stored = await findSubscription(trx, subscription.kind, subscription.id);
    if (stored && stored.state === 'active' && stored.schedule !== schedule) await planDue(trx, stored);
    await trx
      .insertInto('subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await trx
      .updateTable('subscriptions')
      .set({ schedule, nextDueAt, updatedAt })
      .where('id', '=', subscription.id)
      .where('schedule', '!=', schedule)
      .execute();
    await trx
      .updateTable('subscriptions')
      .set({ state: 'active', nextDueAt, updatedAt, failures: 0, changedBy: null, pausedReason: null })
      .where('id', '=', subscription.id)
      .where((where) =>
        where.or([
          where('state', '=', 'removed'),
          // It was paused because posts to its channel failed, and the operator has chosen another channel.
          where.and([where('pausedReason', 'is not', null), where('channel', '!=', subscription.channel)]),
        ]),
      )
      .execute();
    await trx
      .updateTable('subscriptions')
      .set({ channel: subscription.channel, settings, updatedAt })
      .where('id', '=', subscription.id)
      .where((where) => where.or([where('channel', '!=', subscription.channel), where('settings', '!=', settings)]))
      .execute();
  });
}

/** Lists those that were not removed, oldest first. */
export async function listSubscriptions(db: Database, kind: string): Promise<Subscription[]> {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('kind', '=', kind)
    .where('state', '!=', 'removed')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Finds removed subscriptions too. */
export async function findSubscription(
  db: Database | DatabaseTransaction,
  kind: string,
  id: string,
): Promise<Subscription | undefined> {
  return db.selectFrom('subscriptions').selectAll().where('kind', '=', kind).where('id', '=', id).executeTakeFirst();
}

/** Changes a subscription if it is still as the caller read it. @returns `false` if another writer was faster */
export async function changeSubscription(
  trx: DatabaseTransaction,
  seen: Pick<Subscription, 'id' | 'schedule' | 'settings' | 'nextDueAt'>,
  { schedule, settings, nextDueAt }: { schedule: Schedule; settings: unknown; nextDueAt: Date },
  now: Date,
): Promise<boolean> {
  const updated = await trx
    .updateTable('subscriptions')
    .set({
      schedule: JSON.stringify(scheduleSchema.parse(schedule)),
      settings: JSON.stringify(settings),
      nextDueAt: nextDueAt.toISOString(),
      updatedAt: now.toISOString(),
    })
    .where('id', '=', seen.id)
    .where('state', '!=', 'removed')
    .where((where) => where.and({ schedule: seen.schedule, settings: seen.settings, nextDueAt: seen.nextDueAt }))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Slack id of the person who changes a subscription; null: Quartermaster itself. */
type Changer = string | null;

/** @returns `false` if it was in none of these states */
async function changeState(
  db: Database | DatabaseTransaction,
  { id, from, now }: { id: string; from: Subscription['state'][]; now: Date },
  change: Partial<Subscription> & Pick<Subscription, 'state' | 'changedBy'>,
): Promise<boolean> {
  const updated = await db
    .updateTable('subscriptions')
    .set({ ...change, updatedAt: now.toISOString() })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** @param reason why Quartermaster pauses it; null if a person does @returns `false` if it was no longer active */
export const pauseSubscription = (
  db: Database | DatabaseTransaction,
  id: string,
  by: Changer,
  reason: string | null,
  now: Date,
): Promise<boolean> =>
  changeState(db, { id, from: ['active'], now }, { state: 'paused', changedBy: by, pausedReason: reason });

/** Does not send missed occurrences. @returns when it is due next; undefined if it was no longer paused */
export async function resumeSubscription(
  db: Database | DatabaseTransaction,
  subscription: Pick<Subscription, 'id' | 'schedule'>,
  by: Changer,
  now: Date,
): Promise<Date | undefined> {
  const next = nextOccurrence(scheduleIn(subscription), now).at;
  const fresh = { pausedReason: null, failures: 0, nextDueAt: next.toISOString() };
  const { id } = subscription;
  const isDone = await changeState(db, { id, from: ['paused'], now }, { state: 'active', changedBy: by, ...fresh });
  return isDone ? next : undefined;
}

/**
 * Leaves out what is due before a local day, or takes that back.
 *
 * @param until undefined: it comes at its next time
 * @returns when it is due next; undefined if it was no longer active
 */
export async function postponeSubscription(
  db: Database | DatabaseTransaction,
  subscription: Pick<Subscription, 'id' | 'schedule'>,
  until: Day | undefined,
  by: Changer,
  now: Date,
): Promise<Date | undefined> {
  const schedule = scheduleIn(subscription);
  const next = until === undefined ? nextOccurrence(schedule, now).at : firstOccurrenceOn(schedule, until).at;
  const change = { state: 'active', changedBy: by, nextDueAt: next.toISOString() } as const;
  const isDone = await changeState(db, { id: subscription.id, from: ['active'], now }, change);
  return isDone ? next : undefined;
}

/** Past deliveries stay. @returns `false` if it was already removed */
export const removeSubscription = (
  db: Database | DatabaseTransaction,
  id: string,
  by: Changer,
  now: Date,
): Promise<boolean> => changeState(db, { id, from: ['active', 'paused'], now }, { state: 'removed', changedBy: by });

/** Counts a send that failed for good. @returns whether enough have failed in a row, and for long enough, to pause it */
export async function countFailure(trx: DatabaseTransaction, id: string, now: Date): Promise<boolean> {
  const updated = await trx
    .updateTable('subscriptions')
    .set(oneMoreFailure(now))
    .where('id', '=', id)
    .returning(['failures', 'failingSince'])
    .executeTakeFirst();
  return updated !== undefined && isFailingForGood(updated, now);
}

export async function forgetFailures(trx: DatabaseTransaction, id: string): Promise<void> {
  await trx.updateTable('subscriptions').set({ failures: 0 }).where('id', '=', id).where('failures', '>', 0).execute();
}
