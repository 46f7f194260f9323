import type { Database, DatabaseTransaction } from '../store/tables.ts';
import { nextOccurrence, scheduleSchema, type Schedule } from './occurrences.ts';
import type { Subscription } from './subscription-table.ts';

export interface NewSubscription {
  id: string;
  kind: string;
  channel: string;
  schedule: Schedule;
  settings: unknown;
  /** Slack id of who sets it up; nothing for the settings. */
  owner?: string;
}

export const scheduleIn = ({ schedule }: Pick<Subscription, 'schedule'>): Schedule =>
  scheduleSchema.parse(JSON.parse(schedule));

function newRow(subscription: NewSubscription, now: Date) {
  const at = now.toISOString();
  return {
    id: subscription.id,
    kind: subscription.kind,
    channel: subscription.channel,
    schedule: JSON.stringify(scheduleSchema.parse(subscription.schedule)),
    settings: JSON.stringify(subscription.settings),
    state: 'active' as const,
    next_due_at: nextOccurrence(subscription.schedule, now).at.toISOString(),
    created_at: at,
    updated_at: at,
    owner: subscription.owner ?? null,
  };
}

/**
 * Makes a subscription that begins with its next occurrence.
 *
 * @returns `false` when there is one of that id
 */
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
 * Makes a subscription of the settings, or changes the one of that id. One that stays the same keeps what it has planned, so
 * that a restart skips nothing; one whose schedule changed begins with its next occurrence. One that somebody paused stays so.
 */
export async function putSubscription(db: Database, subscription: NewSubscription, now: Date): Promise<void> {
  const row = newRow(subscription, now);
  const { schedule, settings, next_due_at, updated_at } = row;
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await trx
      .updateTable('subscriptions')
      .set({ schedule, next_due_at, updated_at })
      .where('id', '=', subscription.id)
      .where('schedule', '!=', schedule)
      .execute();
    await trx
      .updateTable('subscriptions')
      .set({ state: 'active', next_due_at, updated_at, failures: 0, changed_by: null, paused_reason: null })
      .where('id', '=', subscription.id)
      .where((where) =>
        where.or([
          where('state', '=', 'removed'),
          // It was paused because nothing could be posted there, and the operator has named another place.
          where.and([where('paused_reason', 'is not', null), where('channel', '!=', subscription.channel)]),
        ]),
      )
      .execute();
    await trx
      .updateTable('subscriptions')
      .set({ channel: subscription.channel, settings, updated_at })
      .where('id', '=', subscription.id)
      .where((where) => where.or([where('channel', '!=', subscription.channel), where('settings', '!=', settings)]))
      .execute();
  });
}

/** Those of a kind that were not removed, oldest first. */
export async function listSubscriptions(db: Database, kind: string): Promise<Subscription[]> {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('kind', '=', kind)
    .where('state', '!=', 'removed')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The one of an id, also when it was removed. */
export async function findSubscription(
  db: Database | DatabaseTransaction,
  kind: string,
  id: string,
): Promise<Subscription | undefined> {
  return db.selectFrom('subscriptions').selectAll().where('kind', '=', kind).where('id', '=', id).executeTakeFirst();
}

/**
 * Gives a subscription another schedule and other settings, if both are still what somebody saw.
 *
 * @returns `false` when somebody was faster
 */
export async function changeSubscription(
  trx: DatabaseTransaction,
  seen: Pick<Subscription, 'id' | 'schedule' | 'settings' | 'next_due_at'>,
  { schedule, settings, nextDueAt }: { schedule: Schedule; settings: unknown; nextDueAt: Date },
  now: Date,
): Promise<boolean> {
  const updated = await trx
    .updateTable('subscriptions')
    .set({
      schedule: JSON.stringify(scheduleSchema.parse(schedule)),
      settings: JSON.stringify(settings),
      next_due_at: nextDueAt.toISOString(),
      updated_at: now.toISOString(),
    })
    .where('id', '=', seen.id)
    .where('state', '!=', 'removed')
    .where('schedule', '=', seen.schedule)
    .where('settings', '=', seen.settings)
    .where('next_due_at', '=', seen.next_due_at)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Who changes a subscription; nobody: Quartermaster itself. */
type Changer = string | null;

/**
 * Stops an active subscription for the time being.
 *
 * @param reason why Quartermaster does it; null where a person does
 * @returns `false` when it was no longer active
 */
export async function pauseSubscription(
  db: Database | DatabaseTransaction,
  id: string,
  by: Changer,
  reason: string | null,
  now: Date,
): Promise<boolean> {
  const updated = await db
    .updateTable('subscriptions')
    .set({ state: 'paused', changed_by: by, paused_reason: reason, updated_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/**
 * Goes on with a paused subscription, from its next occurrence: what it missed is not sent.
 *
 * @returns when it is due next; nothing when it was no longer paused
 */
export async function resumeSubscription(
  db: Database | DatabaseTransaction,
  subscription: Pick<Subscription, 'id' | 'schedule'>,
  by: Changer,
  now: Date,
): Promise<Date | undefined> {
  const next = nextOccurrence(scheduleIn(subscription), now).at;
  const updated = await db
    .updateTable('subscriptions')
    .set({
      state: 'active',
      changed_by: by,
      paused_reason: null,
      failures: 0,
      next_due_at: next.toISOString(),
      updated_at: now.toISOString(),
    })
    .where('id', '=', subscription.id)
    .where('state', '=', 'paused')
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n ? next : undefined;
}

/**
 * Ends a subscription; its past deliveries stay.
 *
 * @returns `false` when it was removed already
 */
export async function removeSubscription(
  db: Database | DatabaseTransaction,
  id: string,
  by: Changer,
  now: Date,
): Promise<boolean> {
  const updated = await db
    .updateTable('subscriptions')
    .set({ state: 'removed', changed_by: by, updated_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', '!=', 'removed')
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Counts a send that failed for good. @returns how many there were in a row */
export async function countFailure(trx: DatabaseTransaction, id: string): Promise<number> {
  const updated = await trx
    .updateTable('subscriptions')
    .set((set) => ({ failures: set('failures', '+', 1) }))
    .where('id', '=', id)
    .returning('failures')
    .executeTakeFirst();
  return updated?.failures ?? 0;
}

/** A send that succeeded ends the row of failures. */
export async function forgetFailures(trx: DatabaseTransaction, id: string): Promise<void> {
  await trx.updateTable('subscriptions').set({ failures: 0 }).where('id', '=', id).where('failures', '>', 0).execute();
}
