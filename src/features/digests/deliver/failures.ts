import { OUTCOME_UNKNOWN } from '../../../core/outbox/attempts/delivery-outcomes.ts';
import type { Failure, FailureReport } from '../../../core/outbox/message-duties.ts';
import { countFailure, findSubscription, pauseSubscription } from '../../../core/schedule/subscriptions.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { titleWords } from '../core/describe.ts';
import { digestMessage, type StoredDigest } from '../core/digest-messages.ts';
import { digestNotice, type Notice } from './digest-notices.ts';

/** Counts a digest that could not be posted, pauses it after the third in a row over a day, and notifies its owner of each. */
export async function reportDigest(
  trx: DatabaseTransaction,
  { key, payload: { subscriptionId } }: StoredDigest,
  { reason, code }: Failure,
  now: Date,
): Promise<FailureReport[]> {
  const subscription = await findSubscription(trx, 'digest', subscriptionId);
  if (!subscription) return [];
  const { owner } = subscription;
  // Only a person can see whether it is in the channel.
  if (code === OUTCOME_UNKNOWN) {
    const unknown: Notice = { kind: 'outcome_unknown', subscriptionId, reason, deliveryKey: key };
    return [{ owner, notice: digestNotice.about(unknown) }];
  }
  const isForGood = await countFailure(trx, subscriptionId, now);
  const isPaused = isForGood && (await pauseSubscription(trx, subscriptionId, null, reason, now));
  return [{ owner, notice: digestNotice.about({ kind: isPaused ? 'paused' : 'failed', subscriptionId, reason }) }];
}

/** Reports the failure of a message that belongs to a digest. @param part begins the sentence: `A detail of` */
export async function reportPart(
  trx: DatabaseTransaction,
  subscriptionId: string | undefined,
  part: string,
): Promise<FailureReport[]> {
  const subscription = subscriptionId === undefined ? undefined : await findSubscription(trx, 'digest', subscriptionId);
  if (!subscription) return [];
  const what = `${part} ${titleWords(subscription, 'the')}`;
  return [{ owner: subscription.owner, what, command: { command: '/digest', words: ['why'] } }];
}

/** Notifies the admins once about the digest of a person who left: it continues without an owner who can change it. */
export async function notifyOrphaned(deps: DigestDeps, subscription: Subscription, now: Date): Promise<void> {
  const { id, owner } = subscription;
  if (owner === null || !(await deps.people.isDeactivated(owner))) return;
  const payload: Notice = { kind: 'owner_left', subscriptionId: id };
  const key = `digest-owner-left:${id}:${owner}`;
  await deps.db.transaction().execute((trx) => digestNotice.notify(trx, null, { key, payload }, now));
}

/** Notifies the owner of a digest that its readers may not see; once until one is posted again. */
export const notifyWithheld = (deps: DigestDeps, subscription: Subscription, reason: string): Promise<void> =>
  notifyOnce(deps, subscription, { kind: 'withheld', subscriptionId: subscription.id, reason });

/** The same before it is due: whoever reads this needs no second message when it is withheld. */
export const notifyWithheldAhead = (
  deps: DigestDeps,
  subscription: Subscription,
  { reason, dueAt }: { reason: string; dueAt: Date },
): Promise<void> =>
  notifyOnce(deps, subscription, {
    kind: 'will_be_withheld',
    subscriptionId: subscription.id,
    reason,
    dueAt: dueAt.toISOString(),
  });

async function notifyOnce({ db, clock }: DigestDeps, { id, owner }: Subscription, payload: Notice): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const last = await trx
      .selectFrom('deliveries')
      .select('key')
      .where((where) => where.and({ kind: digestMessage.name, about: id, state: 'sent' }))
      .orderBy('sentAt', 'desc')
      .limit(1)
      .executeTakeFirst();
    await digestNotice.notify(trx, owner, { key: `digest-withheld:${id}:${last?.key ?? ''}`, payload }, clock.now());
  });
}
