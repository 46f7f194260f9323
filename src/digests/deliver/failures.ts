import { OUTCOME_UNKNOWN } from '../../outbox/attempt.ts';
import { enqueue, type Settlement } from '../../outbox/deliveries.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import { countFailure, findSubscription, pauseSubscription } from '../../schedule/subscriptions.ts';
import { SHARED_CHANNEL } from '../../slack/outbound/channel-sharing.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import type { DigestParts } from '../core/parts.ts';
import { notifyAdmins, type Notice } from './notices.ts';
import { readPayload } from '../core/payload.ts';

/** After so many failed sends in a row a digest is paused. */
const MAX_FAILURES = 3;

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
  if (failures >= MAX_FAILURES && (await pauseSubscription(trx, subscriptionId, null, reason, now))) {
    await notifyOwner(
      trx,
      subscription,
      `digest-paused:${delivery.key}`,
      { kind: 'paused', subscriptionId, reason },
      now,
    );
    return;
  }
  if (failures === 1)
    await notifyOwner(
      trx,
      subscription,
      `digest-failed:${delivery.key}`,
      { kind: 'failed', subscriptionId, reason },
      now,
    );
}

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
  await notifyOwner(trx, subscription, `digest-unknown:${deliveryKey}`, notice, now);
}

/** A direct message to the owner; the digest of the settings has none, so it goes to the admins. */
async function notifyOwner(
  trx: DatabaseTransaction,
  { owner }: Subscription,
  key: string,
  notice: Notice,
  now: Date,
): Promise<void> {
  if (owner === null) return notifyAdmins(trx, key, notice, now);
  await enqueue(trx, { key, kind: 'digest-notice', channel: owner, payload: notice, dueAt: now }, now);
}

/** The digest of somebody who left goes on; the admins are told once, since nobody else would change it. */
export async function notifyOrphaned(parts: DigestParts, subscription: Subscription, now: Date): Promise<void> {
  const { id, owner } = subscription;
  if (owner === null || !(await parts.people.isDeactivated(owner))) return;
  const notice: Notice = { kind: 'owner_left', subscriptionId: id };
  await parts.db.transaction().execute((trx) => notifyAdmins(trx, `digest-owner-left:${id}:${owner}`, notice, now));
  parts.wakeOutbox();
}
