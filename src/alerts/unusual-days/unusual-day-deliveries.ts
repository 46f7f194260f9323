import { markup } from '../../base/text/markup.ts';
import type { Names } from '../../base/privacy/disclosure.ts';
import type { MessageHandler, StoredMessage, SubscriptionDuties, WriteDecision } from '../../outbox/message-duties.ts';
import { isPersonAddress, type Reader } from '../../outbox/reader.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import { commandText } from '../../slack/commands/command-text.ts';
import {
  findChannelSubscription,
  forgetChannelFailures,
  listChannelSubscriptions,
  reportChannelFailure,
  stopForPerson,
} from '../../watches/channel-subscriptions.ts';
import { header } from '../../slack/blocks/blocks.ts';
import { runCommandButtons } from '../../slack/blocks/messages.ts';
import type { HomeSection } from '../../slack/interactions.ts';
import { subscriptionRows } from '../../watches/home-rows.ts';
import { watchMessages } from '../../watches/watch-deliveries.ts';
import type { SubscriptionTexts } from '../../watches/watch-texts.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { noteMessage, watchMessage } from './unusual-day-messages.ts';
import {
  unusualDaysEdit,
  unusualDaysMessage,
  unusualDaysNote,
  type WatchEntry,
  type WatchMessage,
} from './unusual-day-payload.ts';
import { aboutOf, daysOfMessage, keysReferencedByDays, watchKey, WATCH_KIND } from './unusual-day-store.ts';

const WATCH_TEXTS: SubscriptionTexts = {
  kind: WATCH_KIND,
  command: '/usage',
  describe: (watch) => markup`unusual days of ${aboutOf(watch)}`,
  stopButton: ({ channel }) => runCommandButtons('Stop', '/usage', commandText`unwatch ${`<#${channel}>`}`)[0],
  setUpAgain: ({ channel, subject }) =>
    subject === ''
      ? commandText`watch ${`<#${channel}>`}`
      : commandText`watch ${`<#${channel}>`} ${`<!subteam^${subject}>`}`,
  writeIntroduction: (watch) =>
    Promise.resolve({
      kind: 'introduction',
      subject: markup`a message when a day’s credits of ${aboutOf(watch)} are unusual for its weekday`,
      start: markup`It comes within minutes of the day’s figures, at most once a day, and again when days are as usual.`,
      commands: markup`A manager can end this with \`/usage unwatch\`.`,
    }),
};

const stopWatches = (trx: DatabaseTransaction, person: string, why: string | null, now: Date) =>
  stopForPerson(trx, { kind: WATCH_KIND, person }, why, 'Messages about unusual days', now);

export function unusualDaysMessages(deps: AlertDeps): MessageHandler[] {
  const { db } = deps;
  return [
    ...watchMessages(deps, WATCH_TEXTS),
    unusualDaysMessage.handledBy({
      write: (message, reader) => writeMessage(db, message, reader),
      whenSent: (trx, message) => forgetChannelFailures(trx, subscribedTo(message.channel, message.payload)),
      report: (trx, { channel, payload }, failure, now) =>
        reportChannelFailure(trx, subscribedTo(channel, payload), failure, 'A message about unusual days', now),
      stop: (trx, { channel }, why, now) => stopWatches(trx, channel, why, now),
      keysStillReferenced: keysReferencedByDays,
    }),
    // The message is rendered again from the current state.
    unusualDaysEdit.handledBy({
      ...followUpDuties(db, 'edit'),
      write: async ({ payload: { messageKey, by } }, reader) => {
        const original = await unusualDaysMessage.find(db, messageKey);
        if (!original) return GONE;
        const { entries, ...declared } = declarationOf(original.payload.entries, reader);
        const days = await daysOfMessage(db, messageKey);
        return { kind: 'send', message: { ...watchMessage(messageKey, { entries }, days, by), ...declared } };
      },
    }),
    unusualDaysNote.handledBy({
      ...followUpDuties(db, 'reply'),
      write: ({ payload }) => {
        const message = { ...noteMessage(payload), names: 'nobody' as const, sums: payload.sums ?? [] };
        return Promise.resolve({ kind: 'send', message });
      },
    }),
  ];
}

const GONE: WriteDecision = { kind: 'skip', reason: 'Its message no longer exists.' };

const subscribedTo = (channel: string, { entries }: WatchMessage) => ({
  kind: WATCH_KIND,
  channel,
  subjects: entries.map(({ subject }) => subject),
});

function followUpDuties(db: Database, as: 'edit' | 'reply'): Omit<SubscriptionDuties<{ messageKey: string }>, 'write'> {
  return {
    follows: ({ messageKey }) => ({ key: messageKey, what: 'message', as }),
    report: async (trx, { channel, payload: { messageKey } }, failure, now) => {
      const original = await unusualDaysMessage.find(trx, messageKey);
      const what = 'A correction of a message about unusual days';
      return original ? reportChannelFailure(trx, subscribedTo(channel, original.payload), failure, what, now) : [];
    },
    stop: (trx, { channel }, why, now) => stopWatches(trx, channel, why, now),
  };
}

async function writeMessage(
  db: Database,
  { key, channel, payload }: StoredMessage<WatchMessage>,
  reader: Reader,
): Promise<WriteDecision> {
  const watches = await Promise.all(
    payload.entries.map(({ subject }) => findChannelSubscription(db, watchKey(channel, subject))),
  );
  const watchedEntries = payload.entries.filter((_, index) => watches[index] !== undefined);
  if (watchedEntries.length === 0) return { kind: 'skip', reason: 'No channel gets alerts about it any longer.' };
  const { entries, ...declared } = declarationOf(watchedEntries, reader);
  const days = await daysOfMessage(db, key);
  return { kind: 'send', message: { ...watchMessage(key, { entries }, days), ...declared } };
}

function declarationOf(entries: readonly WatchEntry[], reader: Reader) {
  const mayName = reader.kind === 'person' && reader.seesPeople;
  const visibleEntries = entries
    .filter((entry) => mayName || isProvable(entry, reader))
    .map((entry) => (entry.named && !mayName ? { ...entry, explained: [], named: [] } : entry));
  const of = visibleEntries.flatMap(({ named }) => named ?? []);
  const names: Names = of.length === 0 ? 'nobody' : { what: 'watch', of };
  return { entries: visibleEntries, names, sums: visibleEntries.flatMap(({ sums }) => sums ?? []) };
}

/** Entries from before version 0.3.0 lack their sums. Those for a person were written for readers of people. */
const isProvable = ({ subject, sums }: WatchEntry, reader: Reader) =>
  subject === '' || sums !== undefined || reader.kind === 'channel';

/** After budgets. */
const HOME_ORDER = 27;

export function watchesHome({ db }: Pick<AlertDeps, 'db'>): HomeSection {
  return {
    order: HOME_ORDER,
    role: 'manager',
    read: async ({ slackId }) => {
      const watches = await listChannelSubscriptions(db, WATCH_KIND);
      // Direct messages are visible to their recipient only.
      const visible = watches.filter(({ channel }) => !isPersonAddress(channel) || channel === slackId);
      return visible.length === 0 ? [] : [header('Unusual days'), ...subscriptionRows(visible, WATCH_TEXTS, true)];
    },
  };
}
