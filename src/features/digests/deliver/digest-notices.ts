import { commandText } from '../../../core/slack/commands/command-text.ts';
import { z } from 'zod';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { declareOwnerNotice } from '../../../core/outbox/owner-notices.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { findSubscription } from '../../../core/schedule/subscriptions.ts';
import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { editButton, previewButton, resumeButton, sendAgainButton } from '../core/digest-buttons.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { placeMarkup, summaryOf } from '../core/describe.ts';

const noticeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['failed', 'paused']), subscriptionId: z.string(), reason: z.string() }),
  z.object({
    kind: z.literal('outcome_unknown'),
    subscriptionId: z.string(),
    reason: z.string(),
    deliveryKey: z.string(),
  }),
  z.object({ kind: z.literal('owner_left'), subscriptionId: z.string() }),
  z.object({ kind: z.literal('withheld'), subscriptionId: z.string(), reason: z.string() }),
  z.object({
    kind: z.literal('will_be_withheld'),
    subscriptionId: z.string(),
    reason: z.string(),
    dueAt: z.iso.datetime(),
  }),
]);
export type Notice = z.infer<typeof noticeSchema>;

export const digestNotice = declareOwnerNotice('digest', noticeSchema);

export function noticeMessages(deps: DigestDeps): MessageHandler[] {
  return digestNotice.handledBy(deps, async ({ payload: notice }) => {
    const subscription = await findSubscription(deps.db, 'digest', notice.subscriptionId);
    if (!subscription) return { kind: 'skip', reason: 'Its digest no longer exists.' };
    return { kind: 'send', message: namesNobody(noticeMessage(notice, subscription)) };
  });
}

function noticeMessage(notice: Notice, subscription: Subscription): BlockMessage {
  const what = markup`The ${summaryOf(subscription).name} \`${subscription.id}\` to ${placeMarkup(subscription.channel)}`;
  return messageOf(prose(noticeLines(notice, subscription, what)), buttonRow(...buttonsOf(notice, subscription)));
}

function buttonsOf(notice: Notice, { id }: Subscription) {
  if (notice.kind === 'paused') return [resumeButton(id)];
  if (notice.kind === 'will_be_withheld') return [editButton(id), previewButton(id)];
  const why = runCommandButton('Why', '/digest', commandText`why`);
  if (notice.kind === 'outcome_unknown') return [sendAgainButton(notice.deliveryKey), why];
  return [runCommandButton('Details', '/digest', commandText`list`), why];
}

function noticeLines(notice: Notice, { owner, state, nextDueAt }: Subscription, what: Markup): Markup[] {
  switch (notice.kind) {
    case 'failed':
      return [
        markup`❌ ${what} couldn’t be posted. ${notice.reason}`,
        state === 'paused'
          ? markup`It is paused.`
          : markup`Quartermaster tries again at the next scheduled time, and pauses it after three failures in a row.`,
      ];
    case 'paused':
      return [
        markup`⏸️ ${what} couldn’t be posted three times in a row, so Quartermaster paused it. ${notice.reason}`,
        markup`Once that’s fixed, resume it here; it comes at its next scheduled time.`,
      ];
    case 'outcome_unknown':
      return [
        markup`⚠️ ${what} may or may not have been posted. ${notice.reason}`,
        markup`If it’s missing in the channel, press *Send again*. Otherwise there’s nothing to do.`,
      ];
    case 'owner_left':
      return [
        markup`⚠️ ${what} still runs, but ${mention(owner ?? '')}, who set it up, has left.`,
        markup`An admin can pause or delete it. To give it a new owner, set up a new one and delete this one.`,
      ];
    case 'withheld':
      return [
        markup`⚠️ ${what} wasn’t posted. ${notice.reason}${state === 'active' ? markup` The next one comes ${readerTime(new Date(nextDueAt))}.` : markup``}`,
        markup`You can edit it: choose a larger team or a longer period, or a part that names people. You get this message once, until one is posted again.`,
      ];
    case 'will_be_withheld':
      return [
        markup`⚠️ ${what} probably won’t be posted at its next time, ${readerTime(new Date(notice.dueAt))}. ${notice.reason}`,
        markup`You can edit it before then: choose a larger team or a longer period, or a part that names people. You get this message once, until one is posted again.`,
      ];
    default:
      return notice satisfies never;
  }
}
