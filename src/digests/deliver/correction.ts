import { deliveryOf } from '../../outbox/delivery-kind.ts';
import { findDelivery } from '../../outbox/past-deliveries.ts';
import { findSubscription } from '../../schedule/subscriptions.ts';
import { noteDigestLook, readContents } from '../core/contents.ts';
import { correctionNote } from '../message/corrections.ts';
import { buildMessage } from './digest.ts';
import { askAgain } from './wait.ts';
import { placeOfMessage } from '../../slack/outbound/posted-message.ts';
import type { DigestDeps } from '../core/deps.ts';
import { correctionNoteSchema, followUpSchema, readMemo, readPayload } from '../core/payload.ts';

const GONE = 'Its digest no longer exists.';

/** Writes a digest again, from what is true when it is written: several corrections in a row end in the same message. */
export const correctionDelivery = (deps: DigestDeps) =>
  deliveryOf(followUpSchema, async ({ digestKey }) => {
    const digest = await findDelivery(deps.db, digestKey);
    const place = placeOfMessage(digest);
    const memo = digest && readMemo(digest.memo);
    const subscription = digest && (await findSubscription(deps.db, 'digest', readPayload(digest).subscriptionId));
    if (!digest || !place || !memo || !subscription) return { kind: 'skip', reason: GONE };
    const contents = await readContents(deps, subscription, readPayload(digest));
    if (contents.kind === 'nobody') return { kind: 'skip', reason: contents.sentence };
    if (contents.sections.some(({ reading }) => reading.kind === 'unreadable')) return askAgain(deps.clock.now());
    await noteDigestLook(deps, digest.channel, contents);
    const sentAt = new Date(digest.sent_at ?? digest.due_at);
    const { message } = buildMessage(digest, contents, { ...memo, sentAt });
    return { kind: 'edit', place, message };
  });

export const correctionNoteDelivery = (deps: DigestDeps) =>
  deliveryOf(correctionNoteSchema, async ({ digestKey, correction }) => {
    const digest = await findDelivery(deps.db, digestKey);
    const replyTo = placeOfMessage(digest);
    if (!digest || !replyTo) return { kind: 'skip', reason: GONE };
    const hasDetails = !correction.isCompletion && (readMemo(digest.memo)?.details.length ?? 0) > 0;
    return { kind: 'send', message: { ...correctionNote(correction, hasDetails), replyTo } };
  });
