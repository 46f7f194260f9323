import type { App, ReceiverEvent } from '@slack/bolt';
import { pauseWork } from '../../base/time/turns.ts';
import { judgeIncoming, type Incoming } from './incoming.ts';

/** Stores a payload before its acknowledgement. @returns what begins its work; undefined if Bolt handles it */
export type StoreFirst = (body: object, ack: () => Promise<void>) => Promise<() => void> | undefined;

/**
 * Payloads that are stored first bypass Bolt and the full judgement of their shape, which comes with their work: on each
 * click of a burst both would delay all acknowledgements.
 *
 * @param refuse answers a payload that no code here handles, or that Slack would not send
 * @throws the error of Bolt for members that it does not expect
 */
export async function dispatch(
  { app, storeFirst }: { app: App; storeFirst: StoreFirst },
  event: ReceiverEvent,
  refuse: (incoming: Exclude<Incoming, { kind: 'handled' }>) => Promise<void>,
): Promise<void> {
  pauseWork();
  const storing = storeFirst(event.body, () => event.ack());
  if (!storing) {
    const incoming = judgeIncoming(event.body);
    return incoming.kind === 'handled' ? app.processEvent(event) : refuse(incoming);
  }
  const begin = await storing;
  begin();
}
