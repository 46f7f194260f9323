import { channelMention, joinMarkup, markup, mention } from '../base/text/markup.ts';
import type { StoredMessage, WriteDecision } from '../outbox/message-duties.ts';
import type { MessageHandler } from '../outbox/message-kind.ts';
import type { Reader } from '../outbox/reader.ts';
import { namesNobody } from '../outbox/poster.ts';
import type { ChannelSubscription } from './channel-subscription-table.ts';
import { findChannelSubscription, reportChannelFailure, stopForPerson } from './channel-subscriptions.ts';
import { arePaused } from './paused-subscriptions.ts';
import { type SubscriptionTexts, introductionMessage, pauseNotice, type Pause } from './watch-texts.ts';
import { runCommandButtons } from '../slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../slack/blocks/paragraphs.ts';
import type { NoticeDeps } from '../outbox/owner-notices.ts';

const MAX_BUTTONS = 5;

/** The first message of a watch in its channel, and the direct messages about watches that Quartermaster paused. */
export function watchMessages(deps: NoticeDeps, texts: SubscriptionTexts): MessageHandler[] {
  const subscribed = ({ channel, payload: { subject } }: StoredMessage<{ subject: string }>) => ({
    kind: texts.kind,
    channel,
    subjects: [subject],
  });
  return [
    introductionMessage(texts.kind).handledBy({
      isPaused: (message) => arePaused(deps.db, subscribed(message)),
      write: (message, reader) => writeIntroduction(deps, texts, message, reader),
      report: (trx, message, failure, now) =>
        reportChannelFailure(trx, subscribed(message), failure, INTRODUCTION, now),
      stop: (trx, { channel: person }, why, now) =>
        stopForPerson(trx, { kind: texts.kind, person }, why, 'The messages of a watch', now),
    }),
    ...pauseNotice(texts.kind).handledBy(deps, ({ payload }) => writePause(deps, texts, payload)),
  ];
}

const INTRODUCTION = 'The first message of a watch';

/** Announces the messages to come and the person who set them up, except to that person. */
async function writeIntroduction(
  { db }: NoticeDeps,
  texts: SubscriptionTexts,
  { channel, payload: { subject } }: StoredMessage<{ subject: string }>,
  reader: Reader,
): Promise<WriteDecision> {
  if (reader.kind === 'person') return { kind: 'skip', reason: 'A person needs no introduction.' };
  const subscription = await findChannelSubscription(db, { kind: texts.kind, channel, subject });
  if (!subscription) return { kind: 'skip', reason: 'The alerts were turned off.' };
  const introduction = await texts.writeIntroduction(subscription);
  if (introduction.kind === 'wait') return introduction;
  const who = subscription.owner === null ? markup`your operator` : mention(subscription.owner);
  const what = markup`This channel now gets ${introduction.subject}. Set up by ${who}.`;
  const message = messageOf(prose([what, introduction.start]), smallPrint(introduction.commands));
  return { kind: 'send', message: namesNobody(message) };
}

async function writePause(
  { db }: NoticeDeps,
  texts: SubscriptionTexts,
  { channel, subjects, reason }: Pause,
): Promise<WriteDecision> {
  const subscriptions = await Promise.all(
    subjects.map((subject) => findChannelSubscription(db, { kind: texts.kind, channel, subject })),
  );
  const paused = subscriptions.filter((one): one is ChannelSubscription => one?.state === 'paused');
  if (paused.length === 0) return { kind: 'skip', reason: 'The alerts were set up again, or turned off.' };
  const what = joinMarkup(paused.map((one) => texts.describe(one)));
  const lines = [
    markup`⏸️ ${channelMention(channel)} no longer gets ${what}: posting failed three times in a row, so Quartermaster paused it. ${reason}`,
    markup`Once that’s fixed, set it up again.`,
  ];
  const buttons = paused
    .slice(0, MAX_BUTTONS)
    .flatMap((one) => runCommandButtons('Set it up again', texts.command, texts.setUpAgain(one)));
  return { kind: 'send', message: namesNobody(messageOf(prose(lines), buttonRow(...buttons))) };
}
