import type { App, Context, ReceiverEvent, StringIndexed } from '@slack/bolt';
import { pauseWork } from '../../base/time/turns.ts';
import { readPayload, type Incoming, type Payload } from '../inbound/payload.ts';

/**
 * Reads a payload and hands it to Bolt with what was read.
 *
 * @param refuse answers a payload that no code here handles, or that Slack would not send
 * @throws the error of Bolt for members that it does not expect
 */
export async function deliver(
  app: App,
  event: ReceiverEvent,
  refuse: (incoming: Exclude<Incoming, Payload>) => Promise<void>,
): Promise<void> {
  pauseWork();
  const incoming = readPayload(event.body);
  if (incoming.kind === 'unhandled' || incoming.kind === 'malformed') return refuse(incoming);
  return app.processEvent({ ...event, customProperties: { delivered: new Delivered(incoming) } });
}

/** Passes through Bolt what was read, so that no listener reads it again. */
class Delivered {
  readonly payload: Payload;

  constructor(payload: Payload) {
    this.payload = payload;
  }
}

/** What `deliver` has read. */
export function payloadIn(context: Context & StringIndexed): Payload {
  const delivered: unknown = context['delivered'];
  if (!(delivered instanceof Delivered)) throw new Error('An event did not come through a receiver of this program');
  return delivered.payload;
}
