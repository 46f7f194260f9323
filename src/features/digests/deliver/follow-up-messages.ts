import type {
  EarlierMessageReference,
  EarlierMessage,
  StoredMessage,
  SubscriptionDuties,
  WriteDecision,
} from '../../../core/outbox/message-duties.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import type { Reader } from '../../../core/outbox/reader.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { findSubscription } from '../../../core/schedule/subscriptions.ts';
import { messageOf } from '../../../core/slack/blocks/paragraphs.ts';
import { namesIn, readContents, readRight, type ReadContents, visibleCorrection } from '../core/contents.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import {
  digestCorrection,
  digestCorrectionNote,
  digestDetail,
  digestMessage,
  type StoredDigest,
} from '../core/digest-messages.ts';
import { digestReader } from '../core/names.ts';
import { readMemo, type CorrectionNote } from '../core/digest-payload.ts';
import { correctionNote } from '../message/corrections.ts';
import { sectionParagraph } from '../message/layout.ts';
import { buildMessage, declareContents } from './digest.ts';
import { reportPart } from './failures.ts';
import { stopDigest } from './stop-digest.ts';
import { askAgain } from '../core/wait.ts';

export function followUpMessages(deps: DigestDeps): MessageHandler[] {
  return [
    digestDetail.handledBy({
      ...followUpDuties('reply', 'A detail of'),
      write: async ({ payload: { sectionId } }, reader, earlierMessage) => {
        const posted = await readPosted(deps, earlierMessage, reader, sectionId);
        if (posted.kind !== 'read') return posted;
        const [one] = posted.contents.sections;
        if (!one) return { kind: 'skip', reason: 'This version no longer knows the section.' };
        const message = ('detail' in one.reading ? one.reading.detail : undefined) ?? messageOf(sectionParagraph(one));
        return { kind: 'send', message: declareContents(message, posted.contents, posted.subscription) };
      },
    }),
    // Rendered from the current state: several corrections in a row end in the same message.
    digestCorrection.handledBy({
      ...followUpDuties('edit', 'A correction of'),
      write: async (_message, reader, earlierMessage) => {
        const posted = await readPosted(deps, earlierMessage, reader);
        if (posted.kind !== 'read') return posted;
        const { digest, contents, subscription } = posted;
        const memo = readMemo(digest.memo);
        if (!memo) return GONE;
        const sentAt = new Date(digest.sentAt ?? digest.dueAt);
        const { message } = buildMessage(digest, contents, { ...memo, sentAt });
        return { kind: 'send', message: declareContents(message, contents, subscription, memo.corrections.slice(-1)) };
      },
    }),
    digestCorrectionNote.handledBy({
      ...followUpDuties('reply', 'A note about a correction of'),
      write: (message, reader, earlierMessage) => writeNote(deps, message, reader, earlierMessage),
    }),
  ];
}

const GONE: Extract<WriteDecision, { kind: 'skip' }> = { kind: 'skip', reason: 'Its digest no longer exists.' };

function followUpDuties(
  as: EarlierMessageReference['as'],
  part: string,
): Omit<SubscriptionDuties<{ digestKey: string }>, 'write'> {
  return {
    follows: ({ digestKey }) => ({ key: digestKey, what: 'digest', as }),
    report: async (trx, { payload: { digestKey } }) => {
      const digest = await digestMessage.find(trx, digestKey);
      return reportPart(trx, digest?.payload.subscriptionId, part);
    },
    stop: async (trx, { payload: { digestKey }, channel }, why, now) => {
      const digest = await digestMessage.find(trx, digestKey);
      return digest && stopDigest(trx, digest.payload.subscriptionId, channel, why, now);
    },
  };
}

interface PostedDigest {
  kind: 'read';
  digest: StoredDigest;
  subscription: Subscription;
  contents: ReadContents;
}

async function readPosted(
  deps: DigestDeps,
  earlierMessage: EarlierMessage | undefined,
  reader: Reader,
  sectionId?: string,
): Promise<PostedDigest | Extract<WriteDecision, { kind: 'skip' | 'wait' }>> {
  const digest = earlierMessage && digestMessage.parse(earlierMessage.delivery);
  const subscription = digest && (await findSubscription(deps.db, 'digest', digest.payload.subscriptionId));
  if (!digest || !subscription) return GONE;
  const contents = await readContents(deps, subscription, digest.payload, digestReader(reader), sectionId);
  if (contents.kind !== 'read') return { kind: 'skip', reason: contents.sentence };
  if (contents.sections.some(({ reading }) => reading.kind === 'unreadable')) {
    const now = deps.clock.now();
    return askAgain(new Date(earlierMessage.delivery.createdAt), now);
  }
  return { kind: 'read', digest, subscription, contents };
}

/** A note repeats its stored correction; whether its readers may see the amounts is decided when it is sent. */
async function writeNote(
  deps: DigestDeps,
  { payload: { correction } }: StoredMessage<CorrectionNote>,
  reader: Reader,
  earlierMessage: EarlierMessage | undefined,
): Promise<WriteDecision> {
  const digest = earlierMessage && digestMessage.parse(earlierMessage.delivery);
  const subscription = digest && (await findSubscription(deps.db, 'digest', digest.payload.subscriptionId));
  if (!digest || !subscription) return GONE;
  const right = await readRight(deps, subscription, digestReader(reader));
  if (right.kind === 'gone') return { kind: 'skip', reason: right.sentence };
  const visible = visibleCorrection(correction, right);
  const hasDetails = !correction.isCompletion && (readMemo(digest.memo)?.details.length ?? 0) > 0;
  const message = correctionNote(visible, hasDetails);
  return { kind: 'send', message: { ...message, names: namesIn(right, subscription), sums: visible.sums ?? [] } };
}
