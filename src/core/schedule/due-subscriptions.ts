import type { Database, DatabaseTransaction } from '../store/tables.ts';
import { isFirstProcess } from '../store/health/first-process.ts';
import { hasRowLocks } from '../store/lease.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Job } from './job.ts';
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

interface PlanningDeps {
  db: Database;
  clock: Clock;
  kinds: Readonly<Record<string, SubscriptionKind>>;
  log: Logger;
}

/** Less than a minute: what one replica leaves to another, it plans in its next turn. */
const LEFT_TO_FIRST_MS = 50_000;

/**
 * The planning of one replica. The replica that plans a message sends it, so one plans for all: otherwise each of them
 * would read the figures of a morning. Its own first turn makes up for a replica that died.
 */
export function planningJob(deps: PlanningDeps): Job {
  let hasPlanned = false;
  const run = async () => {
    const isForAll = !hasPlanned || (await isFirstProcess(deps.db));
    await planDueSubscriptions(deps, isForAll ? 0 : LEFT_TO_FIRST_MS);
    hasPlanned = true;
  };
  const purpose = 'enqueues the digests and reports that are due';
  return { name: 'plan-due-subscriptions', cron: '* * * * *', purpose, run };
}

/**
 * Advances each due schedule and lets its feature enqueue, in one transaction each. Replicas that run this at once share
 * the due ones: each takes those on which no other one is working, and none waits for another.
 *
 * @param leastLateMs leaves out what has been due for a shorter time
 */
export async function planDueSubscriptions({ db, clock, kinds, log }: PlanningDeps, leastLateMs = 0): Promise<void> {
  const now = clock.now();
  const dueBy = new Date(now.getTime() - leastLateMs);
  /** They must not block the others: the next tick tries them again. */
  const postponed: string[] = [];
  for (;;) {
    let subscription: Subscription | undefined;
    let isPlanned = false;
    try {
      isPlanned = await db.transaction().execute(async (trx) => {
        subscription = await takeDue(trx, dueBy, postponed);
        return (
          subscription !== undefined &&
          (await planDue(trx, subscription, kindOf(kinds, subscription), now)) !== undefined
        );
      });
    } catch (error) {
      if (!subscription) throw error;
      log.error({ err: error, subscription: subscription.id }, 'Planning a due subscription failed');
    }
    if (!subscription) return;
    if (!isPlanned) postponed.push(subscription.id);
  }
}

async function takeDue(
  trx: DatabaseTransaction,
  dueBy: Date,
  postponed: readonly string[],
): Promise<Subscription | undefined> {
  return trx
    .selectFrom('subscriptions')
    .selectAll()
    .where('state', '=', 'active')
    .where('nextDueAt', '<=', dueBy.toISOString())
    .$if(postponed.length > 0, (query) => query.where('id', 'not in', postponed))
    .orderBy('nextDueAt')
    .orderBy('id')
    .limit(1)
    .$if(hasRowLocks(trx), (query) => query.forUpdate().skipLocked())
    .executeTakeFirst();
}

function kindOf(kinds: Readonly<Record<string, SubscriptionKind>>, { kind }: Subscription): SubscriptionKind {
  const found = kinds[kind];
  if (!found) throw new Error(`There is no kind of subscription called ${kind}`);
  return found;
}

/**
 * Plans an active subscription if it is due.
 *
 * @returns when it is due next; undefined if its schedule says that it is not due, or if another writer was faster
 */
export async function planDue(
  trx: DatabaseTransaction,
  subscription: Subscription,
  kind: SubscriptionKind,
  now: Date,
): Promise<Date | undefined> {
  const decision = decideDue(scheduleIn(subscription), new Date(subscription.nextDueAt), now);
  if (decision.kind === 'not_due') return undefined;
  const moved = await trx
    .updateTable('subscriptions')
    .set({ nextDueAt: decision.nextDueAt.toISOString(), updatedAt: now.toISOString() })
    .where((where) => where.and({ id: subscription.id, state: 'active', nextDueAt: subscription.nextDueAt }))
    .executeTakeFirst();
  if (moved.numUpdatedRows === 0n) return undefined;
  if (decision.kind === 'deliver') await kind.onDue(trx, subscription, decision.occurrence);
  if (decision.kind === 'too_late') await kind.onTooLate(trx, subscription, decision.occurrence);
  return decision.nextDueAt;
}
