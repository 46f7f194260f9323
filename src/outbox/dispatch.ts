import type { Clock } from '../base/time/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { DeliveryKind, Preparation } from './delivery-outcomes.ts';
import type { Settlement } from './deliveries.ts';
import type { Delivery } from './delivery-table.ts';
import type { Door } from './door.ts';
import { notifyOfFailure, notifyOfLostReader } from './failure-notices.ts';
import { findFollowed } from './followed.ts';
import type { Followed, FollowedMessage, MessageHandler, Written } from './message-duties.ts';
import type { DeclaredMessage } from './poster.ts';
import { findLoss, isPersonAddress, type LostReader, type PersonReader, type Reader } from './reader.ts';

export interface DispatchDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  door: Door;
}

/**
 * Wraps each kind of message in the outbox's duties: it resolves the readers, refuses content that they may not see, records
 * the disclosure, and notifies the owner of a failure. No feature can leave any of it out.
 */
export function dispatchAll(deps: DispatchDeps, handlers: readonly MessageHandler[]): Record<string, DeliveryKind> {
  return Object.fromEntries(handlers.map((handler) => [handler.name, dispatch(deps, handler)]));
}

function dispatch(deps: DispatchDeps, handler: MessageHandler): DeliveryKind {
  return {
    prepare: (delivery) => prepare(deps, handler, delivery),
    onSettled: (trx, delivery, settlement, now) => settled(handler, trx, delivery, settlement, now),
    findNeeded: async (trx, ended) => (await handler.keysStillReferenced?.(trx, ended)) ?? new Set(),
  };
}

async function prepare(deps: DispatchDeps, handler: MessageHandler, delivery: Delivery): Promise<Preparation> {
  if (handler.spread) return { kind: 'skip', reason: await handler.spread(delivery) };
  const admitted = await admit(deps, handler, delivery.channel);
  if (admitted.kind === 'lost')
    return { kind: 'skip', reason: LOSS_REASONS[admitted.lost.reason], lost: admitted.lost };
  const follows = handler.follows?.(delivery);
  const followed = follows && (await findFollowed(deps, follows));
  if (followed && followed.kind !== 'posted') return followed;
  const { reader } = admitted;
  const written = await handler.write?.(delivery, reader, followed);
  if (!written) throw new Error(`Messages of kind ${handler.name} cannot be written`);
  if (written.kind === 'wait' || written.kind === 'skip') return written;
  const refusal = await deps.door.admit(reader, written.message);
  if (refusal !== undefined) {
    deps.log.warn({ delivery: delivery.key, refusal }, 'A message was not sent: its readers may not see all of it');
    return { kind: 'skip', reason: refusal };
  }
  return placed(written, withStop(deps, handler, delivery, follows, written.message), follows, followed);
}

const LOSS_REASONS: Readonly<Record<LostReader['reason'], string>> = {
  guest: 'Its recipient is a guest.',
  outsider: 'Its recipient belongs to another workspace.',
  bot: 'Its recipient is a bot.',
  deactivated: 'The account of its recipient is deactivated.',
  erased: 'The data of its recipient was erased.',
  unknown: 'Slack does not know its recipient.',
  role: 'Its recipient no longer has the role for it.',
};

type Admission = { kind: 'admitted'; reader: Reader } | { kind: 'lost'; lost: LostReader };

async function admit({ door }: DispatchDeps, handler: MessageHandler, address: string): Promise<Admission> {
  if (handler.isForAnybody) return { kind: 'admitted', reader: strangerOf(address) };
  const reader = await door.resolveReader(address, { isRoleFresh: handler.isRoleFresh });
  const neededRole = handler.addressee.kind === 'subscription' ? handler.addressee.role : 'member';
  const lost = findLoss(address, reader, neededRole);
  if (lost) return { kind: 'lost', lost };
  if (reader.kind === 'refused') throw new Error('A refused reader was not found to be lost');
  return { kind: 'admitted', reader };
}

/** A person without any role. */
const strangerOf = (slackId: string): PersonReader => ({
  kind: 'person',
  slackId,
  name: '',
  email: undefined,
  role: 'member',
  seesPeople: false,
  timeZone: 'UTC',
});

/** The button belongs to the message in the conversation, not to the answers in its thread. */
function withStop(
  { door }: DispatchDeps,
  handler: MessageHandler,
  { channel, key }: Delivery,
  follows: Followed | undefined,
  message: DeclaredMessage,
): DeclaredMessage {
  if (!handler.stop || !isPersonAddress(channel) || follows?.as === 'reply') return message;
  return door.withStopButton(message, follows?.key ?? key);
}

function placed(
  written: Extract<Written, { kind: 'send' | 'edit' }>,
  message: DeclaredMessage,
  follows: Followed | undefined,
  followed: FollowedMessage | undefined,
): Preparation {
  const memo = written.memo === undefined ? {} : { memo: written.memo };
  if (written.kind === 'edit') return { kind: 'edit', place: written.place, message, ...memo };
  if (!follows || !followed) return { kind: 'send', message, ...memo };
  if (follows.as === 'edit') return { kind: 'edit', place: followed.place, message, ...memo };
  return { kind: 'send', message: { ...message, replyTo: followed.place }, ...memo };
}

async function settled(
  handler: MessageHandler,
  trx: DatabaseTransaction,
  delivery: Delivery,
  settlement: Settlement,
  now: Date,
): Promise<void> {
  if (settlement.state === 'sent') return handler.whenSent(trx, delivery, now);
  if (settlement.state === 'failed') {
    await handler.whenFailed(trx, delivery, settlement, now);
    const reports = await handler.report(trx, delivery, settlement, now);
    return notifyOfFailure(trx, delivery, settlement, reports, now);
  }
  if (settlement.state !== 'skipped' || !settlement.lost) return;
  const { lost, reason } = settlement;
  if (!handler.stop) return handler.whenRefused(trx, delivery, now);
  const stopped = await handler.stop(trx, delivery, reason, now);
  if (stopped) await notifyOfLostReader(trx, delivery, lost, stopped, now);
}
