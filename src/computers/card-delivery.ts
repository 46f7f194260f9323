import { createHash } from 'node:crypto';
import type { DeliveryKind, Preparation } from '../outbox/attempt.ts';
import { enqueue } from '../outbox/deliveries.ts';
import type { Delivery } from '../outbox/delivery-table.ts';
import { findDeliveries } from '../outbox/past-deliveries.ts';
import type { MessagePlace } from '../outbox/poster.ts';
import { isPlatformError } from '../platform/errors.ts';
import type { Computer } from '../platform/computers.ts';
import type { DatabaseTransaction } from '../store/tables.ts';
import { cardMessage, doneMessage, type CardFacts } from './card.ts';
import type { Watch } from './computer-watch-table.ts';
import {
  cardKey,
  directCardKey,
  donePayload,
  doneKey,
  editKey,
  editPayload,
  saidMemo,
  watchPayload,
  type Said,
} from './delivery-keys.ts';
import { decideEdit, isAwaitingRetry, outcomeOf, pollDelayMs, speedOf, watchedSinceMs } from './pace.ts';
import type { ComputerParts } from './parts.ts';
import { readyAfterMs, usualMs } from './states.ts';
import { findWatch, moveWatch, readyTimesMs } from './watches.ts';

const OVER: Preparation = { kind: 'skip', reason: 'The computer is not watched any more.' };

/** Posts the card. What follows from it begins when it stands. */
export function cardDelivery(parts: ComputerParts): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const watch = await findWatch(parts.db, watchPayload.parse(JSON.parse(delivery.payload)).watchId);
      if (!watch || watch.computer_id === null) return OVER;
      const facts = await readFacts(parts, watch);
      if (!facts) return waitFor(parts, delivery, UNREADABLE);
      const { message, memo } = saying(facts);
      return { kind: 'send', message, memo };
    },
    onSettled: async (trx, delivery, settlement, now) => {
      const { watchId } = watchPayload.parse(JSON.parse(delivery.payload));
      const watch = await findWatch(trx, watchId);
      if (watch && settlement.state === 'sent') await goOnFrom(trx, watch, delivery, now);
      if (watch && settlement.state === 'failed') await goDirect(trx, watch, now);
    },
  };
}

/** A channel that takes no card, or lost it: then it goes to whoever asked, once. */
async function goDirect(trx: DatabaseTransaction, watch: Watch, now: Date): Promise<void> {
  const wish = { kind: 'computer-card', channel: watch.person, payload: { watchId: watch.id }, dueAt: now };
  const isFirst = await enqueue(trx, { ...wish, key: directCardKey(watch.id) }, now);
  const to = isFirst ? { channel: watch.person } : { state: 'ended' as const };
  await moveWatch(trx, { id: watch.id, from: ['watching'] }, to, now);
}

/** Keeps the card up to date: each edit is followed by the next one, until the computer is ready, failed or too slow. */
export function editDelivery(parts: ComputerParts): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const { watchId, number } = editPayload.parse(JSON.parse(delivery.payload));
      const watch = await findWatch(parts.db, watchId);
      if (!watch || watch.state !== 'watching' || watch.edit_number !== number) return OVER;
      const place = await placeOfCard(parts, watchId);
      if (!place) return waitFor(parts, delivery, 'The card is not posted yet.');
      const facts = await readFacts(parts, watch);
      if (!facts) return waitFor(parts, delivery, UNREADABLE);
      const { message, memo, fingerprint } = saying(facts);
      const decision = decideEdit(watch, fingerprint, delivery.attempts, parts.clock.now());
      return decision.kind === 'wait' ? decision : { kind: 'edit', place, message, memo };
    },
    onSettled: async (trx, delivery, settlement, now) => {
      const { watchId, number } = editPayload.parse(JSON.parse(delivery.payload));
      const watch = await findWatch(trx, watchId);
      if (!watch || watch.state !== 'watching' || watch.edit_number !== number) return;
      if (settlement.state === 'sent') await goOnFrom(trx, watch, delivery, now);
      if (settlement.state === 'failed') await goDirect(trx, watch, now);
    },
  };
}

const UNREADABLE = 'The platform could not be read.';

function waitFor(parts: ComputerParts, delivery: Delivery, reason: string): Preparation {
  const until = new Date(parts.clock.now().getTime() + pollDelayMs(delivery.attempts));
  return { kind: 'wait', until, reason };
}

async function placeOfCard({ db }: ComputerParts, watchId: string): Promise<MessagePlace | undefined> {
  const cards = await findDeliveries(db, [cardKey(watchId), directCardKey(watchId)]);
  // A second card stands for a first one that is gone.
  const newest = cards.find(({ key }) => key === directCardKey(watchId)) ?? cards[0];
  const { message_channel: channel = null, message_ts: ts = null } = newest ?? {};
  return channel !== null && ts !== null ? { channel, ts } : undefined;
}

/** @returns nothing when the platform could not be read */
async function readFacts(parts: ComputerParts, watch: Watch): Promise<CardFacts | undefined> {
  const reading = await readComputer(parts, watch.computer_id ?? '');
  if (reading === 'unreadable') return undefined;
  const computer = reading === 'gone' ? undefined : reading;
  const now = parts.clock.now();
  const usual = usualMs(await readyTimesMs(parts.db));
  return {
    watch,
    computer,
    outcome: outcomeOf(watch, computer, now),
    tookMs: (computer && readyAfterMs(computer)) ?? now.getTime() - watchedSinceMs(watch),
    usualMs: usual,
    speed: speedOf(watch, usual, now),
    isAwaitingRetry: computer !== undefined && isAwaitingRetry(watch, computer, now),
  };
}

async function readComputer(parts: ComputerParts, id: string): Promise<Computer | 'gone' | 'unreadable'> {
  try {
    return await parts.computers.get(id);
  } catch (error) {
    if (isPlatformError(error, 'not_found')) return 'gone';
    parts.log.warn({ err: error }, 'A watched computer could not be read');
    return 'unreadable';
  }
}

function saying(facts: CardFacts) {
  const { computer, outcome, speed, tookMs, watch } = facts;
  const message = cardMessage(facts);
  // The time that it took is no news by itself: else an edit would follow every poll.
  const told = JSON.stringify([cardMessage({ ...facts, tookMs: undefined }).blocks, outcome, speed]);
  const fingerprint = createHash('sha256').update(told).digest('hex');
  const isFirstTry = outcome === 'ready' && computer !== undefined && watch.round === 0;
  const said: Said = { fingerprint, outcome: outcome ?? null, readyAfterMs: isFirstTry ? (tookMs ?? null) : null };
  return { message, fingerprint, memo: JSON.stringify(said) };
}

/** The card says what it was told to: the next look follows, or the end. */
async function goOnFrom(trx: DatabaseTransaction, watch: Watch, delivery: Delivery, now: Date): Promise<void> {
  const said = delivery.memo === null ? undefined : saidMemo.safeParse(JSON.parse(delivery.memo)).data;
  const shown = { shown: said?.fingerprint ?? null, edited_at: now.toISOString() };
  const from = { id: watch.id, from: ['watching'] } as const;
  if (said?.outcome) {
    const state = said.outcome === 'gone' ? 'ended' : said.outcome;
    if (!(await moveWatch(trx, from, { ...shown, state, ready_after_ms: said.readyAfterMs }, now))) return;
    return enqueueDone(trx, watch, said.outcome, now);
  }
  const number = watch.edit_number + 1;
  if (!(await moveWatch(trx, from, { ...shown, edit_number: number }, now))) return;
  await enqueueEdit(trx, { ...watch, edit_number: number }, now);
}

export async function enqueueEdit(trx: DatabaseTransaction, watch: Watch, now: Date): Promise<void> {
  const { id, edit_number: number, channel } = watch;
  const wish = { kind: 'computer-edit', channel, payload: { watchId: id, number }, dueAt: now };
  await enqueue(trx, { ...wish, key: editKey(id, number) }, now);
}

async function enqueueDone(trx: DatabaseTransaction, watch: Watch, outcome: string, now: Date): Promise<void> {
  const wish = { kind: 'computer-done', channel: watch.person, payload: { watchId: watch.id, outcome }, dueAt: now };
  await enqueue(trx, { ...wish, key: doneKey(watch.id, watch.round, outcome) }, now);
}

/** The one direct message when it is over. */
export function doneDelivery(parts: ComputerParts): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const { watchId, outcome } = donePayload.parse(JSON.parse(delivery.payload));
      const watch = await findWatch(parts.db, watchId);
      if (!watch || watch.computer_id === null) return OVER;
      const reading = await readComputer(parts, watch.computer_id);
      if (reading === 'unreadable') return waitFor(parts, delivery, UNREADABLE);
      return { kind: 'send', message: doneMessage(watch, outcome, reading === 'gone' ? undefined : reading) };
    },
  };
}
