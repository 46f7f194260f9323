import type { Preparation } from '../../outbox/attempt.ts';
import { deliveryOf } from '../../outbox/delivery-kind.ts';
import { findDelivery } from '../../outbox/past-deliveries.ts';
import { findSubscription } from '../../schedule/subscriptions.ts';
import { messageOf } from '../../slack/blocks/paragraphs.ts';
import { noteDigestLook, readContents } from '../core/contents.ts';
import { placeOfMessage } from '../../slack/outbound/posted-message.ts';
import { sectionParagraph } from '../message/layout.ts';
import type { DigestDeps } from '../core/deps.ts';
import { followUpSchema, readPayload } from '../core/payload.ts';

const ASK_AGAIN_MS = 10 * 60_000;

export const detailDelivery = (deps: DigestDeps) =>
  deliveryOf(followUpSchema, async ({ digestKey, sectionId }) => {
    const digest = await findDelivery(deps.db, digestKey);
    const place = placeOfMessage(digest);
    const subscription = digest && (await findSubscription(deps.db, 'digest', readPayload(digest).subscriptionId));
    if (!digest || !place || !subscription) return { kind: 'skip', reason: 'Its digest no longer exists.' };
    const contents = await readContents(deps, subscription, readPayload(digest), sectionId);
    if (contents.kind === 'nobody') return { kind: 'skip', reason: contents.sentence };
    const [one] = contents.sections;
    if (!one) return { kind: 'skip', reason: 'This version no longer knows the section.' };
    if (one.reading.kind === 'unreadable') return waiting(deps.clock.now());
    await noteDigestLook(deps, digest.channel, contents);
    const said = one.reading.detail ?? messageOf(sectionParagraph(one));
    return { kind: 'send', message: { ...said, replyTo: place } };
  });

function waiting(now: Date): Preparation {
  const until = new Date(now.getTime() + ASK_AGAIN_MS);
  return { kind: 'wait', until, reason: 'The platform could not be read.' };
}
