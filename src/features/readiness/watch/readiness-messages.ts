import { z } from 'zod';
import { channelMention, joinMarkup, markup, readerTime } from '../../../core/base/text/markup.ts';
import { formatDay, type Day } from '../../../core/base/time/calendar.ts';
import type { StoredMessage, SubscriptionDuties } from '../../../core/outbox/message-duties.ts';
import { declareOwnerNotice, type NoticeDeps } from '../../../core/outbox/owner-notices.ts';
import { isPersonAddress } from '../../../core/outbox/reader.ts';
import { type MessageHandler, declareSubscriptionMessage } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import {
  buttonRow,
  headline,
  list,
  messageOf,
  note,
  paragraphMessage,
  prose,
} from '../../../core/slack/blocks/paragraphs.ts';
import type { Database } from '../../../core/store/tables.ts';
import {
  forgetChannelFailures,
  reportChannelFailure,
  stopForPerson,
  type ChannelSubjects,
} from '../../../core/watches/channel-subscriptions.ts';
import { arePaused } from '../../../core/watches/paused-subscriptions.ts';
import { showButtons } from '../readiness-buttons.ts';
import { branchClause, changeWords, criterionWords, scoreWords } from '../views/sentences.ts';
import { readinessWatches, subjectsOf } from './readiness-watch-store.ts';

/** Of criteria, and of channels. */
export const MAX_NAMED = 10;

const noticeSchema = z.object({
  key: z.string(),
  label: z.string(),
  branch: z.string().max(500).optional(),
  move: z.enum(['fell', 'rose', 'stayed']),
  words: z.string(),
  change: z.string(),
  /** Follows “Compared”; empty if both reports have the same criteria. */
  criteria: z.string().optional(),
  day: z.string(),
  better: z.array(z.string()),
  worse: z.array(z.string()),
  isCorrected: z.boolean().optional(),
});
export type Notice = z.infer<typeof noticeSchema>;

const ROLE = 'manager';
const { kind } = readinessWatches;

/** The score of a repository fell, or rose past a step; `about` is the report’s id. */
export const readinessNotice = declareSubscriptionMessage({ name: 'readiness-notice', payload: noticeSchema }, ROLE);

export const readinessEdit = declareSubscriptionMessage(
  { name: 'readiness-edit', payload: noticeSchema.extend({ noticeKey: z.string() }) },
  ROLE,
);

export function noticeMessages({ db }: { db: Database }): MessageHandler[] {
  const duties: SubscriptionDuties<Notice> = {
    isPaused: (message) => arePaused(db, subscribedTo(message)),
    write: async ({ channel, payload }) => {
      const { subjects } = subscribedTo({ channel, payload });
      const watches = await readinessWatches.list(db);
      if (!watches.some((watch) => watch.channel === channel && subjects.includes(watch.subject)))
        return { kind: 'skip', reason: 'Readiness alerts for this channel are off.' };
      return { kind: 'send', message: namesNobody(noticeMessage(payload)) };
    },
    whenSent: (trx, message) => forgetChannelFailures(trx, subscribedTo(message)),
    report: (trx, message, failure, now) =>
      reportChannelFailure(trx, subscribedTo(message), failure, 'A message about readiness', now),
    stop: (trx, { channel: person }, why, now) =>
      stopForPerson(trx, { kind, person }, why, 'Messages about readiness', now),
  };
  return [readinessNotice.handledBy(duties), readinessEdit.handledBy({ ...duties, follows })];
}

/** Tells the owner of watches once that readiness reports can’t be read. The admins have a notice of their own. */
export const unreadNotice = declareOwnerNotice(
  'readiness-unread',
  z.object({
    since: z.iso.datetime(),
    channels: z.array(z.string().max(40)).max(MAX_NAMED),
    detail: z.string().max(500),
  }),
);

export const unreadMessages = (deps: NoticeDeps): MessageHandler[] =>
  unreadNotice.handledBy(deps, ({ payload: { since, channels, detail } }) => {
    const places = channels.map((channel) => (isPersonAddress(channel) ? markup`you` : channelMention(channel)));
    const lines = [
      markup`⚠️ *Readiness reports can’t be read since ${readerTime(new Date(since))}*, so your readiness alerts for ${joinMarkup(places, ', ')} are silent. ${detail}`,
      markup`The admins know. Changes are announced when the reports are read again.`,
    ];
    return Promise.resolve({ kind: 'send', message: namesNobody(messageOf(prose(lines))) });
  });

/** An invented fall of a score. */
export const exampleNotice = (key: string, label: string, today: Day): BlockMessage =>
  noticeMessage({
    key,
    label,
    move: 'fell',
    words: scoreWords({ passed: 7, criteria: 10, numerator: 7, denominator: 10 }),
    change: changeWords(-0.1),
    day: formatDay(today),
    better: [],
    worse: ['unit_tests_runnable'],
  });

const follows = ({ noticeKey: key }: { noticeKey: string }) => ({ key, what: 'notice', as: 'edit' as const });

const subscribedTo = ({ channel, payload }: Pick<StoredMessage<Notice>, 'channel' | 'payload'>): ChannelSubjects => ({
  kind,
  channel,
  subjects: subjectsOf(payload.key),
});

const VERBS = { fell: 'is less ready than before', rose: 'is readier than before', stayed: 'is as ready as before' };

function noticeMessage(notice: Notice): BlockMessage {
  return paragraphMessage(
    'Readiness',
    [
      headline(
        `${notice.label}${branchClause(notice)} ${VERBS[notice.move]}`,
        `It went ${notice.change} and is now ${notice.words} (report from ${notice.day}).${notice.criteria ? ` Compared${notice.criteria}.` : ''}`,
      ),
      list('Worse', notice.worse.slice(0, MAX_NAMED).map(criterionWords)),
      list('Better', notice.better.slice(0, MAX_NAMED).map(criterionWords)),
      note(`${notice.isCorrected ? '✏️ Corrected. ' : ''}Readiness is the share of checks that pass.`),
    ],
    buttonRow(...showButtons('Details', notice)),
  );
}
