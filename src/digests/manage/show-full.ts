import type { Click } from '../../slack/interactions.ts';
import { findDelivery } from '../../outbox/past-deliveries.ts';
import { findSubscription } from '../../schedule/subscriptions.ts';
import { plainMessage } from '../../slack/blocks/messages.ts';
import { noteDigestLook, readContents } from '../core/contents.ts';
import { buildMessage } from '../deliver/digest.ts';
import type { DigestDeps } from '../core/deps.ts';
import { readMemo, readPayload } from '../core/payload.ts';

const GONE = 'This digest no longer exists. Type `/usage` for the figures.';

/** Shows all of a digest that was posted as one line, to the person who sees that line. */
export async function showWhole(deps: DigestDeps, { value, channel, person, reply }: Click): Promise<void> {
  const delivery = await findDelivery(deps.db, value);
  // What was posted to one channel is not for somebody who names its key in another.
  if (!delivery || delivery.kind !== 'digest' || delivery.message_channel !== channel) {
    return reply.show(plainMessage(GONE));
  }
  const subscription = await findSubscription(deps.db, 'digest', readPayload(delivery).subscriptionId);
  if (!subscription) return reply.show(plainMessage(GONE));
  reply.progress('Reading the digest …');
  const contents = await readContents(deps, subscription, readPayload(delivery));
  if (contents.kind === 'nobody') return reply.show(plainMessage(contents.sentence));
  await noteDigestLook(deps, person.slackId, contents);
  const memo = readMemo(delivery.memo);
  const sentAt = new Date(delivery.sent_at ?? delivery.due_at);
  const said = { isQuiet: false, corrections: memo?.corrections ?? [], sentAt, waitedFor: memo?.waitedFor };
  await reply.show(buildMessage(delivery, contents, said).message);
}
