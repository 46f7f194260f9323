import { createHash } from 'node:crypto';
import type { DeliveryKind, Preparation } from '../../outbox/attempt.ts';
import { enqueue } from '../../outbox/deliveries.ts';
import { deliveryOf } from '../../outbox/delivery-kind.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import { findDeliveries } from '../../outbox/past-deliveries.ts';
import type { MessagePlace } from '../../outbox/poster.ts';
import { placeOfMessage } from '../../slack/outbound/posted-message.ts';
import { isPlatformError } from '../../platform/errors.ts';
import type { Computer } from '../../platform/endpoints/computers.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import { cardMessage, doneMessage, type CardFacts } from './message.ts';
import type { ComputerOrder } from '../core/tables.ts';
import {
  cardKey,
  directCardKey,
  donePayload,
  doneKey,
  editKey,
  editPayload,
  saidMemo,
  orderPayload,
  type Said,
} from '../core/keys.ts';
import { decideEdit, isAwaitingRetry, outcomeOf, pollDelayMs, speedOf, followedSinceMs } from '../core/pace.ts';
import type { ComputerDeps } from '../core/deps.ts';
import { readyAfterMs, usualMs } from '../core/states.ts';
import { findOrder, moveOrder, readyTimesMs } from '../core/orders.ts';

const OVER: Preparation = { kind: 'skip', reason: 'The computer is no longer followed.' };

/** Posts the card. What follows from it begins when it stands. */
export function cardDelivery(deps: ComputerDeps): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const order = await findOrder(deps.db, orderPayload.parse(JSON.parse(delivery.payload)).orderId);
      if (!order || order.computer_id === null) return OVER;
      const facts = await readFacts(deps, order);
      if (!facts) return waitFor(deps, delivery, UNREADABLE);
      const { message, memo } = saying(facts);
      return { kind: 'send', message, memo };
    },
    onSettled: async (trx, delivery, settlement, now) => {
      const { orderId } = orderPayload.parse(JSON.parse(delivery.payload));
      const order = await findOrder(trx, orderId);
      if (order && settlement.state === 'sent') await goOnFrom(trx, order, delivery, now);
      if (order && settlement.state === 'failed') await goDirect(trx, order, now);
    },
  };
}

/** A channel that takes no card, or lost it: then it goes to the person who asked, once. */
async function goDirect(trx: DatabaseTransaction, order: ComputerOrder, now: Date): Promise<void> {
  const delivery = { kind: 'computer-card', channel: order.person, payload: { orderId: order.id }, dueAt: now };
  const isFirst = await enqueue(trx, { ...delivery, key: directCardKey(order.id) }, now);
  const to = isFirst ? { channel: order.person } : { state: 'ended' as const };
  await moveOrder(trx, { id: order.id, from: ['following'] }, to, now);
}

/** Keeps the card up to date: each edit is followed by the next one, until the computer is ready, failed or too slow. */
export function editDelivery(deps: ComputerDeps): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const { orderId, number } = editPayload.parse(JSON.parse(delivery.payload));
      const order = await findOrder(deps.db, orderId);
      if (!order || order.state !== 'following' || order.edit_number !== number) return OVER;
      const place = await placeOfCard(deps, orderId);
      if (!place) return waitFor(deps, delivery, 'The card is not posted yet.');
      const facts = await readFacts(deps, order);
      if (!facts) return waitFor(deps, delivery, UNREADABLE);
      const { message, memo, fingerprint } = saying(facts);
      const decision = decideEdit(order, fingerprint, delivery.attempts, deps.clock.now());
      return decision.kind === 'wait' ? decision : { kind: 'edit', place, message, memo };
    },
    onSettled: async (trx, delivery, settlement, now) => {
      const { orderId, number } = editPayload.parse(JSON.parse(delivery.payload));
      const order = await findOrder(trx, orderId);
      if (!order || order.state !== 'following' || order.edit_number !== number) return;
      if (settlement.state === 'sent') await goOnFrom(trx, order, delivery, now);
      if (settlement.state === 'failed') await goDirect(trx, order, now);
    },
  };
}

const UNREADABLE = 'The platform could not be read.';

function waitFor(deps: ComputerDeps, delivery: Delivery, reason: string): Preparation {
  const until = new Date(deps.clock.now().getTime() + pollDelayMs(delivery.attempts));
  return { kind: 'wait', until, reason };
}

async function placeOfCard({ db }: ComputerDeps, orderId: string): Promise<MessagePlace | undefined> {
  const cards = await findDeliveries(db, [cardKey(orderId), directCardKey(orderId)]);
  // A second card stands for a first one that is gone.
  return placeOfMessage(cards.find(({ key }) => key === directCardKey(orderId)) ?? cards[0]);
}

/** @returns nothing when the platform could not be read */
async function readFacts(deps: ComputerDeps, order: ComputerOrder): Promise<CardFacts | undefined> {
  const reading = await readComputer(deps, order.computer_id ?? '');
  if (reading === 'unreadable') return undefined;
  const computer = reading === 'gone' ? undefined : reading;
  const now = deps.clock.now();
  const usual = usualMs(await readyTimesMs(deps.db));
  return {
    order,
    computer,
    outcome: outcomeOf(order, computer, now),
    tookMs: (computer && readyAfterMs(computer)) ?? now.getTime() - followedSinceMs(order),
    usualMs: usual,
    speed: speedOf(order, usual, now),
    isAwaitingRetry: computer !== undefined && isAwaitingRetry(order, computer, now),
  };
}

async function readComputer(deps: ComputerDeps, id: string): Promise<Computer | 'gone' | 'unreadable'> {
  try {
    return await deps.platform.computers.get(id);
  } catch (error) {
    if (isPlatformError(error, 'not_found')) return 'gone';
    deps.log.warn({ err: error }, 'A followed computer could not be read');
    return 'unreadable';
  }
}

function saying(facts: CardFacts) {
  const { computer, outcome, speed, tookMs, order } = facts;
  const message = cardMessage(facts);
  // The time that it took is no news by itself: else an edit would follow every poll.
  const content = JSON.stringify([cardMessage({ ...facts, tookMs: undefined }).blocks, outcome, speed]);
  const fingerprint = createHash('sha256').update(content).digest('hex');
  const isFirstTry = outcome === 'ready' && computer !== undefined && order.round === 0;
  const said: Said = { fingerprint, outcome: outcome ?? null, readyAfterMs: isFirstTry ? (tookMs ?? null) : null };
  return { message, fingerprint, memo: JSON.stringify(said) };
}

/** The card says what it is to say: the next look follows, or the end. */
async function goOnFrom(trx: DatabaseTransaction, order: ComputerOrder, delivery: Delivery, now: Date): Promise<void> {
  const said = delivery.memo === null ? undefined : saidMemo.safeParse(JSON.parse(delivery.memo)).data;
  const shown = { shown: said?.fingerprint ?? null, edited_at: now.toISOString() };
  const from = { id: order.id, from: ['following'] } as const;
  if (said?.outcome) {
    const state = said.outcome === 'gone' ? 'ended' : said.outcome;
    if (!(await moveOrder(trx, from, { ...shown, state, ready_after_ms: said.readyAfterMs }, now))) return;
    return enqueueDone(trx, order, said.outcome, now);
  }
  const number = order.edit_number + 1;
  if (!(await moveOrder(trx, from, { ...shown, edit_number: number }, now))) return;
  await enqueueEdit(trx, { ...order, edit_number: number }, now);
}

export async function enqueueEdit(trx: DatabaseTransaction, order: ComputerOrder, now: Date): Promise<void> {
  const { id, edit_number: number, channel } = order;
  const delivery = { kind: 'computer-edit', channel, payload: { orderId: id, number }, dueAt: now };
  await enqueue(trx, { ...delivery, key: editKey(id, number) }, now);
}

async function enqueueDone(trx: DatabaseTransaction, order: ComputerOrder, outcome: string, now: Date): Promise<void> {
  const { id, round, person: channel } = order;
  const delivery = { kind: 'computer-done', channel, payload: { orderId: id, outcome }, dueAt: now };
  await enqueue(trx, { ...delivery, key: doneKey(id, round, outcome) }, now);
}

/** The one direct message when it is over. */
export const doneDelivery = (deps: ComputerDeps) =>
  deliveryOf(donePayload, async ({ orderId, outcome }, delivery) => {
    const order = await findOrder(deps.db, orderId);
    if (!order || order.computer_id === null) return OVER;
    const reading = await readComputer(deps, order.computer_id);
    if (reading === 'unreadable') return waitFor(deps, delivery, UNREADABLE);
    return { kind: 'send', message: doneMessage(order, outcome, reading === 'gone' ? undefined : reading) };
  });
