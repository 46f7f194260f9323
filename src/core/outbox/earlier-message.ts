import type { Clock } from '../base/time/clock.ts';
import type { Database } from '../store/tables.ts';
import type { Preparation } from './attempts/delivery-outcomes.ts';
import type { Delivery } from './delivery-table.ts';
import type { EarlierMessageReference, EarlierMessage } from './message-duties.ts';
import { findDelivery } from './past-deliveries.ts';
import type { MessagePlace } from './poster.ts';

const ASK_AGAIN_MS = 2_000;

/** Undefined while the message is not posted. */
export function placeOfMessage(
  delivery: Pick<Delivery, 'messageChannel' | 'messageTs'> | undefined,
): MessagePlace | undefined {
  const { messageChannel: channel = null, messageTs: ts = null } = delivery ?? {};
  return channel !== null && ts !== null ? { channel, ts } : undefined;
}

/** Waits while the earlier message is on its way. @param what a noun for the earlier message: `card` */
export function waitForMessage(
  { clock }: { clock: Clock },
  delivery: Pick<Delivery, 'state'> | undefined,
  what: string,
): Extract<Preparation, { kind: 'wait' | 'skip' }> {
  if (!delivery || delivery.state === 'failed' || delivery.state === 'skipped')
    return { kind: 'skip', reason: `Its ${what} was not posted.` };
  const until = new Date(clock.now().getTime() + ASK_AGAIN_MS);
  return { kind: 'wait', until, reason: `Its ${what} is not posted yet.` };
}

export async function findEarlierMessage(
  deps: { db: Database; clock: Clock },
  { key, what }: EarlierMessageReference,
): Promise<({ kind: 'posted' } & EarlierMessage) | Extract<Preparation, { kind: 'wait' | 'skip' }>> {
  const delivery = await findDelivery(deps.db, key);
  const place = placeOfMessage(delivery);
  return delivery && place ? { kind: 'posted', place, delivery } : waitForMessage(deps, delivery, what);
}
