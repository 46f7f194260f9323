import type { Clock } from '../base/time/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { DeliveryKind, Preparation, Skip } from './attempts/delivery-outcomes.ts';
import type { Settlement } from './deliveries.ts';
import type { Delivery } from './delivery-table.ts';
import { notifyOfFailure, notifyOfLostReader } from './failure-notices.ts';
import { findEarlierMessage } from './earlier-message.ts';
import { waitWhilePaused } from './attempts/paused.ts';
import type { Addressee, EarlierMessage, EarlierMessageReference, WriteDecision } from './message-duties.ts';
import type { Handling, MessageHandler } from './message-kind.ts';
import type { DeclaredMessage } from './poster.ts';
import {
  findLoss,
  isPersonAddress,
  mayPass,
  type LostReader,
  type PersonReader,
  type Reader,
  type ReaderResolution,
} from './reader.ts';

/** The outbox itself knows no people. */
export interface Door {
  /** Throws while Slack cannot be asked. Unless `isRoleFresh`, the role may be a minute old. */
  resolveReader(address: string, how: { isRoleFresh: boolean }): Promise<ReaderResolution>;
  /** Records the disclosure; if it throws, nothing is sent. @returns why the readers may not see the figures */
  admit(reader: Reader, message: DeclaredMessage): Promise<string | undefined>;
  withStopButton(message: DeclaredMessage, key: string): DeclaredMessage;
}

export interface DispatchDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  door: Door;
}

/** Resolves readers, refuses what they may not see, records disclosures, reports failures: no feature can skip it. */
export function dispatchAll(deps: DispatchDeps, handlers: readonly MessageHandler[]): Record<string, DeliveryKind> {
  return Object.fromEntries(
    handlers.map((handler) => [handler.name, handler.open((handling) => dispatch(deps, handling))]),
  );
}

function dispatch<Payload>(deps: DispatchDeps, handling: Handling<Payload>): DeliveryKind {
  const { kind, duties } = handling;
  return {
    prepare: (delivery) => prepare(deps, handling, delivery),
    onSettled: (trx, delivery, settlement, now) => applySettlement(handling, trx, { delivery, settlement }, now),
    keysStillReferenced: async (trx, ended) =>
      (await duties.keysStillReferenced?.(
        trx,
        ended.map((one) => kind.parseEnded(one)),
      )) ?? new Set(),
  };
}

async function prepare<Payload>(
  deps: DispatchDeps,
  { kind, duties }: Handling<Payload>,
  delivery: Delivery,
): Promise<Preparation> {
  if (duties.spread) {
    const reason = await duties.spread(kind.parse(delivery));
    return reason === undefined ? { kind: 'unconfirmed', skip: NOBODY } : { kind: 'skip', reason };
  }
  const admission = await admit(deps, kind.addressee, duties, delivery.channel);
  if (admission.kind === 'unconfirmed') return admission;
  if (admission.kind === 'lost')
    return { kind: 'skip', reason: LOSS_REASONS[admission.lost.reason], lost: admission.lost };
  const stored = kind.parse(delivery);
  const reference = duties.follows?.(stored.payload);
  const earlierMessage = reference && (await findEarlierMessage(deps, reference));
  if (earlierMessage && earlierMessage.kind !== 'posted') return earlierMessage;
  if (reference?.as !== 'edit' && (await duties.isPaused?.(stored))) return waitWhilePaused(deps.clock.now());
  const { reader } = admission;
  const decision = await duties.write?.(stored, reader, earlierMessage);
  if (!decision) throw new Error(`Messages of kind ${kind.name} cannot be written`);
  if (decision.kind !== 'send' && decision.kind !== 'edit') return decision;
  const refusal = await deps.door.admit(reader, decision.message);
  if (refusal !== undefined) {
    deps.log.warn({ delivery: delivery.key, refusal }, 'Did not send a message: its readers may not see all of it');
    return { kind: 'skip', reason: refusal };
  }
  const isStoppable = duties.stop !== undefined;
  const message = isStoppable ? withStop(deps, delivery, reference, decision.message) : decision.message;
  return toPreparation(decision, message, reference, earlierMessage);
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

const NOBODY: Skip = { kind: 'skip', reason: 'Slack names no admin who could get it.' };
/** Names no lost reader: a refused group doesn’t end a subscription, however long Slack refuses it. */
const ROLE_UNSURE: Skip = {
  kind: 'skip',
  reason: 'Slack refuses the user groups that may give its recipient the role.',
};

type Admission =
  | { kind: 'admitted'; reader: Reader }
  | { kind: 'lost'; lost: LostReader }
  | Extract<Preparation, { kind: 'unconfirmed' }>;

async function admit(
  { door }: DispatchDeps,
  addressee: Addressee,
  { isForAnybody = false, isRoleFresh = false }: { isForAnybody?: boolean; isRoleFresh?: boolean },
  address: string,
): Promise<Admission> {
  if (isForAnybody) return { kind: 'admitted', reader: strangerOf(address) };
  const reader = await door.resolveReader(address, { isRoleFresh });
  const neededRole = addressee.kind === 'subscription' ? addressee.role : 'member';
  const lost = findLoss(address, reader, neededRole);
  if (lost && mayPass(lost, reader)) {
    const skip: Skip = lost.reason === 'role' ? ROLE_UNSURE : { kind: 'skip', reason: LOSS_REASONS[lost.reason], lost };
    return { kind: 'unconfirmed', skip };
  }
  if (lost) return { kind: 'lost', lost };
  if (reader.kind === 'refused') throw new Error('A refused reader was not found to be lost');
  return { kind: 'admitted', reader };
}

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
  { channel, key }: Delivery,
  reference: EarlierMessageReference | undefined,
  message: DeclaredMessage,
): DeclaredMessage {
  if (!isPersonAddress(channel) || reference?.as === 'reply') return message;
  return door.withStopButton(message, reference?.key ?? key);
}

function toPreparation(
  decision: Extract<WriteDecision, { kind: 'send' | 'edit' }>,
  message: DeclaredMessage,
  reference: EarlierMessageReference | undefined,
  earlierMessage: EarlierMessage | undefined,
): Preparation {
  const memo = decision.memo === undefined ? {} : { memo: decision.memo };
  if (decision.kind === 'edit') return { kind: 'edit', place: decision.place, message, ...memo };
  if (!reference || !earlierMessage) return { kind: 'send', message, ...memo };
  if (reference.as === 'edit') return { kind: 'edit', place: earlierMessage.place, message, ...memo };
  return { kind: 'send', message: { ...message, replyTo: earlierMessage.place }, ...memo };
}

async function applySettlement<Payload>(
  { kind, duties }: Handling<Payload>,
  trx: DatabaseTransaction,
  { delivery, settlement }: { delivery: Delivery; settlement: Settlement },
  now: Date,
): Promise<void> {
  if (settlement.state === 'sent') return duties.whenSent?.(trx, kind.parse(delivery), now);
  if (settlement.state === 'failed') {
    const message = kind.parse(delivery);
    await duties.whenFailed?.(trx, message, settlement, now);
    const reports = await duties.report(trx, message, settlement, now);
    return notifyOfFailure(trx, delivery, settlement, reports, now);
  }
  if (settlement.state !== 'skipped' || !settlement.lost) return;
  const { lost, reason } = settlement;
  if (!duties.stop) return duties.whenRefused?.(trx, kind.parse(delivery), now);
  const stopped = await duties.stop(trx, kind.parse(delivery), reason, now);
  if (stopped) await notifyOfLostReader(trx, delivery, lost, stopped, now);
}
