import type { App, ReceiverEvent } from '@slack/bolt';
import { setTimeout as sleep } from 'node:timers/promises';

/** People do not notice this delay of the work on their click; without it, the clicks of others would wait. */
const BURST_MS = 10;

/** Stores a payload before its acknowledgement. @returns what begins its work; undefined if Bolt handles it */
export type StoreFirst = (body: object, ack: () => Promise<void>) => Promise<() => void> | undefined;

/**
 * Payloads that are stored first bypass Bolt, because its work on each click of a burst would delay all
 * acknowledgements.
 *
 * @throws the error of Bolt for members that it does not expect
 */
export async function dispatch(
  { app, storeFirst }: { app: App; storeFirst: StoreFirst },
  event: ReceiverEvent,
): Promise<void> {
  const storing = storeFirst(event.body, () => event.ack());
  if (!storing) return app.processEvent(event);
  const begin = await storing;
  // This lets all clicks of a burst be acknowledged, over several turns, before the work on the first one begins.
  await sleep(BURST_MS);
  begin();
}
