import type { Interaction } from '../../slack/interactions.ts';
import { enqueue } from '../../outbox/deliveries.ts';
import { findDelivery } from '../../outbox/past-deliveries.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import { findSubscription } from '../../schedule/subscriptions.ts';
import { markup, type Markup, readerTime } from '../../base/markup.ts';
import { unknownDigest, type ChangeResult } from './change.ts';
import { readSettings } from '../core/contents.ts';
import { coveredNow } from '../core/coverage.ts';
import { mayRead } from '../core/list.ts';
import type { DigestDeps } from '../core/deps.ts';
import type { DigestPayload } from '../core/payload.ts';
import { placeMarkup } from '../core/describe.ts';

/**
 * Sends a digest now, beside its schedule. Any manager who sees it may: nothing is changed by it. One a minute, so that a
 * double click is one digest.
 *
 * @param askedAt the minute is that of the asking, so that a click that goes on after a crash is the same digest
 */
export async function sendNow(
  deps: DigestDeps,
  id: string,
  { person }: Pick<Interaction, 'person'>,
  askedAt: Date = deps.clock.now(),
): Promise<ChangeResult> {
  const subscription = await findSubscription(deps.db, 'digest', id);
  if (!subscription || subscription.state === 'removed' || !mayRead(person, subscription)) return unknownDigest(id);
  const now = deps.clock.now();
  const delivery = deliveryOf(subscription, askedAt, now);
  if (!delivery) return { kind: 'refused', sentence: markup`There are no figures yet that it could hold.` };
  const isNew = await deps.db.transaction().execute((trx) => enqueue(trx, delivery, now));
  const place = placeMarkup(subscription.channel);
  if (!isNew) return { kind: 'refused', sentence: await sentenceOfRepeat(deps, delivery.key, subscription) };
  return {
    kind: 'done',
    sentence: markup`The digest \`${id}\` is on its way to ${place}. Its schedule stays as it is.`,
  };
}

/** What became of the one that was asked for in this same minute. */
async function sentenceOfRepeat({ db }: DigestDeps, key: string, { id, channel }: Subscription): Promise<Markup> {
  const earlier = await findDelivery(db, key);
  const place = placeMarkup(channel);
  if (earlier?.state !== 'sent' || earlier.sent_at === null)
    return markup`The digest \`${id}\` is on its way to ${place} already.`;
  const at = readerTime(new Date(earlier.sent_at));
  return markup`The digest \`${id}\` was sent to ${place} ${at}. To send it once more, ask again in a minute.`;
}

function deliveryOf(subscription: Subscription, askedAt: Date, now: Date) {
  const { cadence } = readSettings(subscription);
  const period = coveredNow(cadence, now);
  if (!period) return undefined;
  const payload: DigestPayload = {
    subscriptionId: subscription.id,
    cadence,
    period,
    plannedFor: now.toISOString(),
    isAsked: true,
  };
  const minute = askedAt.toISOString().slice(0, 16);
  return {
    key: `digest:${subscription.id}:now:${minute}`,
    kind: 'digest',
    channel: subscription.channel,
    payload,
    dueAt: now,
  };
}
