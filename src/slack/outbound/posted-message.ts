import type { Clock } from '../../base/time/clock.ts';
import type { Preparation } from '../../outbox/attempt.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import { findDelivery } from '../../outbox/past-deliveries.ts';
import type { MessagePlace } from '../../outbox/poster.ts';
import type { Database } from '../../store/tables.ts';

const ASK_AGAIN_MS = 2_000;

export function placeOfMessage(delivery: Delivery | undefined): MessagePlace | undefined {
  const { message_channel: channel = null, message_ts: ts = null } = delivery ?? {};
  return channel !== null && ts !== null ? { channel, ts } : undefined;
}

/**
 * What it means for what follows a message that this message stands nowhere yet: one that is on its way is waited for.
 *
 * @param what the message in a sentence: `card`
 */
export function waitForMessage({ clock }: { clock: Clock }, delivery: Delivery | undefined, what: string): Preparation {
  if (!delivery || delivery.state === 'failed' || delivery.state === 'skipped')
    return { kind: 'skip', reason: `Its ${what} was not posted.` };
  const until = new Date(clock.now().getTime() + ASK_AGAIN_MS);
  return { kind: 'wait', until, reason: `Its ${what} is not posted yet.` };
}

/**
 * Prepares what follows the message of a delivery, once that stands somewhere.
 *
 * @param prepare gets the place of the message, and its delivery
 */
export async function prepareAfter(
  deps: { db: Database; clock: Clock },
  { key, what }: { key: string; what: string },
  prepare: (place: MessagePlace, original: Delivery) => Promise<Preparation>,
): Promise<Preparation> {
  const original = await findDelivery(deps.db, key);
  const place = placeOfMessage(original);
  return original && place ? prepare(place, original) : waitForMessage(deps, original, what);
}
