import type { Names } from '../../../core/base/privacy/disclosure.ts';
import type { StoredMessage, SubscriptionDuties, WriteDecision } from '../../../core/outbox/message-duties.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import type { Reader } from '../../../core/outbox/reader.ts';
import type { Database, DatabaseTransaction } from '../../../core/store/tables.ts';
import {
  forgetChannelFailures,
  reportChannelFailure,
  stopForPerson,
} from '../../../core/watches/channel-subscriptions.ts';
import { arePaused } from '../../../core/watches/paused-subscriptions.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { noteMessage, watchMessage } from './unusual-day-messages.ts';
import {
  unusualDaysEdit,
  unusualDaysMessage,
  unusualDaysNote,
  type WatchEntry,
  type WatchMessage,
} from './unusual-day-payload.ts';
import { daysOfMessage, keysReferencedByDays, unusualDayWatches } from './unusual-day-store.ts';
import { unusualDayWatch } from './unusual-day-watch.ts';

const { kind } = unusualDayWatches;

const stopWatches = (trx: DatabaseTransaction, person: string, why: string | null, now: Date) =>
  stopForPerson(trx, { kind, person }, why, 'Messages about unusual days', now);

export function unusualDaysMessages(deps: AlertDeps): MessageHandler[] {
  const { db } = deps;
  return [
    ...unusualDayWatch(deps).messages,
    unusualDaysMessage.handledBy({
      isPaused: ({ channel, payload }) => arePaused(db, subscribedTo(channel, payload)),
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
  kind,
  channel,
  subjects: entries.map(({ subject }) => subject),
});

function followUpDuties(db: Database, as: 'edit' | 'reply'): Omit<SubscriptionDuties<{ messageKey: string }>, 'write'> {
  return {
    follows: ({ messageKey }) => ({ key: messageKey, what: 'message', as }),
    isPaused: async ({ channel, payload: { messageKey } }) => {
      const original = await unusualDaysMessage.find(db, messageKey);
      return original !== undefined && arePaused(db, subscribedTo(channel, original.payload));
    },
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
  const watches = await Promise.all(payload.entries.map(({ subject }) => unusualDayWatches.find(db, channel, subject)));
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
