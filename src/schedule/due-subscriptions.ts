import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { Clock } from '../base/time/clock.ts';
import { decideDue, type Occurrence } from './occurrences.ts';
import { scheduleIn } from './subscriptions.ts';
import type { Subscription } from './subscription-table.ts';
import type { Logger } from '../base/log.ts';

/** Called in the transaction that advances the schedule. */
export interface SubscriptionKind {
  onDue(transaction: DatabaseTransaction, subscription: Subscription, occurrence: Occurrence): Promise<void>;
  /** For an occurrence that is too old to be sent. Called in the same way, so that people can see why. */
  onTooLate(transaction: DatabaseTransaction, subscription: Subscription, occurrence: Occurrence): Promise<void>;
}

/**
 * Advances a schedule and lets its feature enqueue, in one transaction each. If two replicas run this at once, the
 * conditional update lets one of them through.
 */
export async function planDueSubscriptions(deps: {
  db: Database;
  clock: Clock;
  kinds: Readonly<Record<string, SubscriptionKind>>;
  log: Logger;
}): Promise<void> {
  const now = deps.clock.now();
  const due = await deps.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('state', '=', 'active')
    .where('nextDueAt', '<=', now.toISOString())
    .orderBy('nextDueAt')
    .execute();
  for (const subscription of due) {
    try {
      await planOne(deps.db, subscription, deps.kinds, now);
    } catch (error) {
      // A faulty subscription must not block the others; it is retried at the next tick.
      deps.log.error({ err: error, subscription: subscription.id }, 'Planning a due subscription failed');
    }
  }
}

async function planOne(
  db: Database,
  subscription: Subscription,
  kinds: Readonly<Record<string, SubscriptionKind>>,
  now: Date,
): Promise<void> {
  const kind = kinds[subscription.kind];
  if (!kind) throw new Error(`There is no kind of subscription called ${subscription.kind}`);
  const decision = decideDue(scheduleIn(subscription), new Date(subscription.nextDueAt), now);
  if (decision.kind === 'not_due') return;
  await db.transaction().execute(async (trx) => {
    const moved = await trx
      .updateTable('subscriptions')
      .set({ nextDueAt: decision.nextDueAt.toISOString(), updatedAt: now.toISOString() })
      .where((where) => where.and({ id: subscription.id, state: 'active', nextDueAt: subscription.nextDueAt }))
      .executeTakeFirst();
    if (moved.numUpdatedRows === 0n) return;
    if (decision.kind === 'deliver') await kind.onDue(trx, subscription, decision.occurrence);
    else await kind.onTooLate(trx, subscription, decision.occurrence);
  });
}
