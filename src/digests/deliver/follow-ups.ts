import type { Preparation } from '../../outbox/attempt.ts';
import { deliveryOf } from '../../outbox/delivery-kind.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import { findDelivery } from '../../outbox/past-deliveries.ts';
import { findSubscription } from '../../schedule/subscriptions.ts';
import { messageOf } from '../../slack/blocks/paragraphs.ts';
import { placeOfMessage } from '../../slack/outbound/posted-message.ts';
import { noteDigestLook, readContents } from '../core/contents.ts';
import type { DigestDeps } from '../core/deps.ts';
import { correctionNoteSchema, followUpSchema, readMemo, readPayload } from '../core/payload.ts';
import { correctionNote } from '../message/corrections.ts';
import { sectionParagraph } from '../message/layout.ts';
import { buildMessage } from './digest.ts';
import { askAgain } from './wait.ts';

const GONE: Preparation = { kind: 'skip', reason: 'Its digest no longer exists.' };

/** What a digest that was posted holds now, or what it means for what follows it that this cannot be said. */
async function readPosted(deps: DigestDeps, digest: Delivery | undefined, sectionId?: string) {
  const place = placeOfMessage(digest);
  const subscription = digest && (await findSubscription(deps.db, 'digest', readPayload(digest).subscriptionId));
  if (!digest || !place || !subscription) return GONE;
  const contents = await readContents(deps, subscription, readPayload(digest), sectionId);
  if (contents.kind === 'nobody') return { kind: 'skip' as const, reason: contents.sentence };
  if (contents.sections.some(({ reading }) => reading.kind === 'unreadable')) return askAgain(deps.clock.now());
  return { kind: 'read' as const, place, contents, look: () => noteDigestLook(deps, digest.channel, contents) };
}

export const detailDelivery = (deps: DigestDeps) =>
  deliveryOf(followUpSchema, async ({ digestKey, sectionId }) => {
    const posted = await readPosted(deps, await findDelivery(deps.db, digestKey), sectionId);
    if (posted.kind !== 'read') return posted;
    const [one] = posted.contents.sections;
    if (!one) return { kind: 'skip', reason: 'This version no longer knows the section.' };
    await posted.look();
    const said = ('detail' in one.reading ? one.reading.detail : undefined) ?? messageOf(sectionParagraph(one));
    return { kind: 'send', message: { ...said, replyTo: posted.place } };
  });

/** Writes a digest again, from what is true when it is written: several corrections in a row end in the same message. */
export const correctionDelivery = (deps: DigestDeps) =>
  deliveryOf(followUpSchema, async ({ digestKey }) => {
    const digest = await findDelivery(deps.db, digestKey);
    const memo = digest && readMemo(digest.memo);
    if (!memo) return GONE;
    const posted = await readPosted(deps, digest);
    if (posted.kind !== 'read') return posted;
    await posted.look();
    const sentAt = new Date(digest.sent_at ?? digest.due_at);
    const { message } = buildMessage(digest, posted.contents, { ...memo, sentAt });
    return { kind: 'edit', place: posted.place, message };
  });

export const correctionNoteDelivery = (deps: DigestDeps) =>
  deliveryOf(correctionNoteSchema, async ({ digestKey, correction }) => {
    const digest = await findDelivery(deps.db, digestKey);
    const replyTo = placeOfMessage(digest);
    if (!digest || !replyTo) return GONE;
    const hasDetails = !correction.isCompletion && (readMemo(digest.memo)?.details.length ?? 0) > 0;
    return { kind: 'send', message: { ...correctionNote(correction, hasDetails), replyTo } };
  });
