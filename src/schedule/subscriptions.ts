import type { Database, DatabaseTransaction } from '../store/database.ts';
import type { Clock } from './clock.ts';
import { decideDue, nextOccurrence, scheduleSchema, type Occurrence, type Schedule } from './occurrences.ts';
import type { Subscription } from './subscription-table.ts';
import type { Logger } from '../log.ts';

/** What a feature does when one of its subscriptions is due; called inside the transaction that moves the schedule on. */
export interface SubscriptionKind {
  onDue(transaction: DatabaseTransaction, subscription: Subscription, occurrence: Occurrence): Promise<void>;
  /** Due, but so long ago that it is not sent. Called in the same way, so that people can see why. */
  onTooLate(transaction: DatabaseTransaction, subscription: Subscription, occurrence: Occurrence): Promise<void>;
}

export interface SubscriptionWish {
  id: string;
  kind: string;
  channel: string;
  schedule: Schedule;
  settings: unknown;
}

/**
 * Makes a subscription, or changes the one of that id. One that stays the same keeps what it has planned, so that a
 * restart skips nothing; one whose schedule changed begins with its next occurrence.
 */
export async function putSubscription(db: Database, wish: SubscriptionWish, now: Date): Promise<void> {
  const schedule = JSON.stringify(scheduleSchema.parse(wish.schedule));
  const settings = JSON.stringify(wish.settings);
  const at = now.toISOString();
  const nextDueAt = nextOccurrence(wish.schedule, now).at.toISOString();
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('subscriptions')
      .values({
        id: wish.id,
        kind: wish.kind,
        channel: wish.channel,
        schedule,
        settings,
        state: 'active',
        next_due_at: nextDueAt,
        created_at: at,
        updated_at: at,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await trx
      .updateTable('subscriptions')
      .set({ schedule, state: 'active', next_due_at: nextDueAt, updated_at: at })
      .where('id', '=', wish.id)
      .where((where) => where.or([where('schedule', '!=', schedule), where('state', '!=', 'active')]))
      .execute();
    await trx
      .updateTable('subscriptions')
      .set({ channel: wish.channel, settings, updated_at: at })
      .where('id', '=', wish.id)
      .where((where) => where.or([where('channel', '!=', wish.channel), where('settings', '!=', settings)]))
      .execute();
  });
}

/** Ends a subscription; its past deliveries stay. */
export async function removeSubscription(db: Database, id: string, now: Date): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ state: 'removed', updated_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', '!=', 'removed')
    .execute();
}

/**
 * Plans everything that is due: moves each schedule on and lets its feature enqueue, in one transaction each. Two replicas
 * may run this at once: the conditional update lets one of them through.
 *
 * @returns how many subscriptions were due
 */
export async function planDueSubscriptions(parts: {
  db: Database;
  clock: Clock;
  kinds: Readonly<Record<string, SubscriptionKind>>;
  log: Logger;
}): Promise<number> {
  const now = parts.clock.now();
  const due = await parts.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('state', '=', 'active')
    .where('next_due_at', '<=', now.toISOString())
    .orderBy('next_due_at')
    .execute();
  let planned = 0;
  for (const subscription of due) {
    try {
      if (await planOne(parts.db, subscription, parts.kinds, now)) planned += 1;
    } catch (error) {
      // One bad subscription must not keep the others from their turn; it is tried again at the next tick.
      parts.log.error({ err: error, subscription: subscription.id }, 'A due subscription could not be planned');
    }
  }
  return planned;
}

async function planOne(
  db: Database,
  subscription: Subscription,
  kinds: Readonly<Record<string, SubscriptionKind>>,
  now: Date,
): Promise<boolean> {
  const kind = kinds[subscription.kind];
  if (!kind) throw new Error(`Nobody knows subscriptions of kind ${subscription.kind}`);
  const schedule = scheduleSchema.parse(JSON.parse(subscription.schedule));
  const decision = decideDue(schedule, new Date(subscription.next_due_at), now);
  if (decision.kind === 'not_due') return false;
  return db.transaction().execute(async (trx) => {
    const moved = await trx
      .updateTable('subscriptions')
      .set({ next_due_at: decision.nextDueAt.toISOString(), updated_at: now.toISOString() })
      .where('id', '=', subscription.id)
      .where('state', '=', 'active')
      .where('next_due_at', '=', subscription.next_due_at)
      .executeTakeFirst();
    if (moved.numUpdatedRows === 0n) return false;
    if (decision.kind === 'deliver') await kind.onDue(trx, subscription, decision.occurrence);
    else await kind.onTooLate(trx, subscription, decision.occurrence);
    return true;
  });
}
