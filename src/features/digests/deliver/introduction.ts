import { commandText } from '../../../core/slack/commands/command-text.ts';
import type { DigestSection } from '../../../core/feature.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { findSubscription } from '../../../core/schedule/subscriptions.ts';
import { section, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { markup, mention, readerTime, utcTime } from '../../../core/base/text/markup.ts';
import { chosenSections, readSettings } from '../core/contents.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { coverageWords, summaryOf } from '../core/describe.ts';
import { digestIntroduction } from '../core/digest-messages.ts';
import { reportPart } from './failures.ts';
import { stopDigest } from './stop-digest.ts';

export const introductionHandler = (deps: DigestDeps): MessageHandler =>
  digestIntroduction.handledBy({
    write: async ({ payload: { subscriptionId } }) => {
      const subscription = await findSubscription(deps.db, 'digest', subscriptionId);
      if (!subscription || subscription.state === 'removed') return { kind: 'skip', reason: 'The digest was deleted.' };
      return { kind: 'send', message: namesNobody(introduction(subscription, deps.sections)) };
    },
    report: (trx, { payload }) => reportPart(trx, payload.subscriptionId, 'The first message of'),
    stop: (trx, { payload, channel }, why, now) => stopDigest(trx, payload.subscriptionId, channel, why, now),
  });

function introduction(subscription: Subscription, sections: readonly DigestSection[]): BlockMessage {
  const { name, rhythm, audience } = summaryOf(subscription);
  const titles = chosenSections(sections, readSettings(subscription)).map(({ title }) => title);
  const first = new Date(subscription.nextDueAt);
  const isDirect = subscription.channel === subscription.owner;
  const who = isDirect
    ? markup`You set up a ${name} for yourself.`
    : markup`${mention(subscription.owner ?? '')} set up a ${name} here.`;
  const what = markup`It comes ${rhythm} and covers ${audience}: ${titles.join(', ')}.`;
  const covered = markup`${coverageWords(subscription)}.`;
  return messageOf(
    {
      blocks: [section([who, what, covered, markup`The first one comes *${readerTime(first)}*.`])],
      lines: [who, what, covered, markup`The first one comes ${utcTime(first)}.`],
    },
    smallPrint(
      markup`Id \`${subscription.id}\`. The person who set it up, or an admin, can edit, pause or delete it with \`/digest\`.`,
    ),
    buttonRow(runCommandButton('My usage', '/usage', commandText`7d me`)),
  );
}
