import { deliveryOf } from '../../outbox/delivery-kind.ts';
import { findDelivery } from '../../outbox/past-deliveries.ts';
import { findSubscription } from '../../schedule/subscriptions.ts';
import { messageOf } from '../../slack/blocks/paragraphs.ts';
import { noteDigestLook, readContents } from '../core/contents.ts';
import { placeOfMessage } from '../../slack/outbound/posted-message.ts';
import { sectionParagraph } from '../message/layout.ts';
import type { DigestDeps } from '../core/deps.ts';
import { followUpSchema, readPayload } from '../core/payload.ts';
import { askAgain } from './wait.ts';

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
    if (one.reading.kind === 'unreadable') return askAgain(deps.clock.now());
    await noteDigestLook(deps, digest.channel, contents);
    const said = one.reading.detail ?? messageOf(sectionParagraph(one));
    return { kind: 'send', message: { ...said, replyTo: place } };
  });
