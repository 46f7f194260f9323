import { z } from 'zod';
import type { DatabaseTransaction } from '../store/tables.ts';
import type { Delivery } from './delivery-table.ts';
import type { Failure, FailureReport, StoppedSubscription } from './message-duties.ts';
import { declareNamedMessage } from './message-kind.ts';
import { declareOwnerNotice, notifyOwner } from './owner-notices.ts';
import type { LostReader } from './reader.ts';

const command = z.object({ command: z.string(), words: z.array(z.string()).readonly() });

export const failureNotice = declareOwnerNotice(
  'delivery-failed',
  z.object({
    what: z.string(),
    /** The channel or the person that did not get it. */
    to: z.string(),
    reason: z.string(),
    command: command.optional(),
  }),
);

const lossSchema = z.object({
  what: z.string(),
  person: z.string(),
  reason: z.enum(['guest', 'outsider', 'bot', 'deactivated', 'erased', 'unknown', 'role']),
  neededRole: z.enum(['member', 'manager', 'admin']),
});

/** Announces to the owner or the admins that a person no longer gets a subscription. */
export const lostReaderNotice = declareOwnerNotice('reader-lost', lossSchema);

/** The last sentence to a person who no longer gets a subscription. */
export const lastMessageToReader = declareNamedMessage(
  { name: 'reader-lost-farewell', payload: lossSchema.extend({ owner: z.string().nullable() }) },
  ['former subscriber'],
);

/** Enqueues one notice for each owner of a message that failed for good. A failed notice is only logged and counted. */
export async function notifyOfFailure(
  trx: DatabaseTransaction,
  { key, channel: to, due_at: dueAt }: Pick<Delivery, 'key' | 'channel' | 'due_at'>,
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
    await notifyOwner(
      trx,
      owner,
      { key: `delivery-failed:${key}:${dueAt}:${report.owner ?? 'settings'}`, ...content },
      now,
    );
  }
}

/** The reasons after which a person still gets a last sentence: those who are still in the workspace. */
const ADDRESSABLE: ReadonlySet<LostReader['reason']> = new Set(['guest', 'role']);

/** Enqueues the notice about a subscription that ended because its reader lost access, and a last one to the reader. */
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
