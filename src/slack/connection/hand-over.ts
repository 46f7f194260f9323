import type { App, ReceiverEvent } from '@slack/bolt';
import { setTimeout as sleep } from 'node:timers/promises';

/** Nobody notices that the work on their click begins so much later; that of others would keep them waiting. */
const BURST_MS = 10;

/**
 * Stores what must be in the store before it is acknowledged, acknowledges it, and returns what begins the work. `undefined`:
 * Bolt takes it.
 */
export type TakeFirst = (body: object, ack: () => Promise<void>) => Promise<() => void> | undefined;

/**
 * Hands on what Slack delivered. What is stored first does not go through Bolt, whose work on each click of a burst would
 * delay the acknowledgement of all.
 *
 * @throws what Bolt throws of members that it does not expect
 */
export async function handOver(
  { app, takeFirst }: { app: App; takeFirst: TakeFirst },
  event: ReceiverEvent,
): Promise<void> {
  const taking = takeFirst(event.body, () => event.ack());
  if (!taking) return app.processEvent(event);
  const begin = await taking;
  // The clicks of a burst that come over several turns are all acknowledged before the work on the first of them begins.
  await sleep(BURST_MS);
  begin();
}
