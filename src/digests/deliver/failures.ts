import { OUTCOME_UNKNOWN } from '../../outbox/attempt.ts';
import type { Settlement } from '../../outbox/deliveries.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import { notifyAdmins, notifyOwner } from '../../outbox/owner-notices.ts';
import { MAX_FAILURES } from '../../schedule/failures.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import { countFailure, findSubscription, pauseSubscription } from '../../schedule/subscriptions.ts';
import { SHARED_CHANNEL } from '../../slack/outbound/channel-sharing.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import type { DigestDeps } from '../core/deps.ts';
import { NOTICE_NAME, type Notice } from './notices.ts';
import { readPayload } from '../core/payload.ts';

/** Slack says these of a place where nothing can be posted. Anything else may be fixed without its owner. */
const PLACE_IS_GONE = new Set([
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'restricted_action',
  'restricted_action_read_only_channel',
  'user_not_found',
  'user_disabled',
  'cannot_dm_bot',
  SHARED_CHANNEL,
]);

type Failure = Extract<Settlement, { state: 'failed' }>;

/**
 * What follows from a digest that could not be posted: its owner is told once for each row of failures, and after the third
 * it is paused. In the transaction that notes the failure.
 */
export async function handleFailure(
  trx: DatabaseTransaction,
  delivery: Delivery,
  failure: Failure,
  now: Date,
): Promise<void> {
  const { subscriptionId } = readPayload(delivery);
  if (failure.code === OUTCOME_UNKNOWN) return notifyUnknown(trx, delivery, subscriptionId, failure.reason, now);
  if (failure.code === undefined || !PLACE_IS_GONE.has(failure.code)) return;
  const failures = await countFailure(trx, subscriptionId);
  const subscription = await findSubscription(trx, 'digest', subscriptionId);
  if (!subscription || subscription.state !== 'active') return;
  const { reason } = failure;
  const isPaused = failures >= MAX_FAILURES && (await pauseSubscription(trx, subscriptionId, null, reason, now));
  if (!isPaused && failures > 1) return;
  const kind = isPaused ? 'paused' : 'failed';
  const notice = noticeOf(`digest-${kind}:${delivery.key}`, { kind, subscriptionId, reason });
  await notifyOwner(trx, subscription.owner, notice, now);
}

const noticeOf = (key: string, payload: Notice) => ({ key, name: NOTICE_NAME, payload });

/** Nobody but a person can see whether it stands in its channel: its owner is told once, and chooses. */
async function notifyUnknown(
  trx: DatabaseTransaction,
  { key: deliveryKey }: Delivery,
  subscriptionId: string,
  reason: string,
  now: Date,
): Promise<void> {
  const subscription = await findSubscription(trx, 'digest', subscriptionId);
  if (!subscription) return;
  const notice: Notice = { kind: 'outcome_unknown', subscriptionId, reason, deliveryKey };
  await notifyOwner(trx, subscription.owner, noticeOf(`digest-unknown:${deliveryKey}`, notice), now);
}

/** The digest of somebody who left goes on; the admins are told once, since nobody else would change it. */
export async function notifyOrphaned(deps: DigestDeps, subscription: Subscription, now: Date): Promise<void> {
  const { id, owner } = subscription;
  if (owner === null || !(await deps.people.isDeactivated(owner))) return;
  const notice: Notice = { kind: 'owner_left', subscriptionId: id };
  const key = `digest-owner-left:${id}:${owner}`;
  await deps.db.transaction().execute((trx) => notifyAdmins(trx, noticeOf(key, notice), now));
}
