import { z } from 'zod';
import type { DatabaseTransaction } from '../store/tables.ts';
import type { Delivery } from './delivery-table.ts';
import type { Failure, FailureReport, StoppedSubscription } from './message-duties.ts';
import { declareNamedMessage } from './message-kind.ts';
import { declareOwnerNotice, notifyOwner } from './owner-notices.ts';
import type { LostReader } from './reader.ts';

const command = z.object({ command: z.string(), words: z.array(z.string()).readonly() });

const failureSchema = z.object({ what: z.string(), to: z.string(), reason: z.string(), command: command.optional() });
export const failureNotice = declareOwnerNotice('delivery-failed', failureSchema);

const lossSchema = z.object({
  what: z.string(),
  person: z.string(),
  reason: z.enum(['guest', 'outsider', 'bot', 'deactivated', 'erased', 'unknown', 'role']),
  neededRole: z.enum(['member', 'manager', 'admin']),
});

/** Announces to the owner or the admins that a person no longer gets a subscription. */
export const lostReaderNotice = declareOwnerNotice('reader-lost', lossSchema);

export const lastMessageToReader = declareNamedMessage(
  { name: 'reader-lost-farewell', payload: lossSchema.extend({ owner: z.string().nullable() }) },
  ['former subscriber'],
);

/** One notice for each owner. A failed notice is only logged and counted. */
export async function notifyOfFailure(
  trx: DatabaseTransaction,
  { key, channel: to, dueAt }: Pick<Delivery, 'key' | 'channel' | 'dueAt'>,
  { reason }: Failure,
  reports: readonly FailureReport[],
  now: Date,
): Promise<void> {
  for (const report of reports) {
    const content =
      'notice' in report
        ? report.notice
        : failureNotice.about({ what: report.what, to, reason, command: report.command });
    // An owner whose own direct message failed gets no further one now.
    const owner = report.owner === to ? null : report.owner;
    // A message that was sent again and failed again is a new failure.
    const noticeKey = `delivery-failed:${report.once ?? `${key}:${dueAt}`}:${report.owner ?? 'settings'}`;
    await notifyOwner(trx, owner, { key: noticeKey, ...content }, now);
  }
}

/** Only people who are still in the workspace get a last sentence. */
const ADDRESSABLE: ReadonlySet<LostReader['reason']> = new Set(['guest', 'role']);

/** The reader gets a last message too. */
export async function notifyOfLostReader(
  trx: DatabaseTransaction,
  { key }: Delivery,
  { slackId, reason, neededRole }: LostReader,
  { owner, what }: StoppedSubscription,
  now: Date,
): Promise<void> {
  const payload = { what, person: slackId, reason, neededRole };
  const other = owner === slackId ? null : owner;
  await lostReaderNotice.notify(trx, other, { key: `reader-lost:${key}`, payload }, now);
  if (!ADDRESSABLE.has(reason)) return;
  const last = { ...payload, owner: other };
  await lastMessageToReader.enqueue(trx, { key: `reader-lost-farewell:${key}`, to: slackId, payload: last }, now);
}
