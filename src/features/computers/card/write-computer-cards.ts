import { isOpen, type Delivery } from '../../../core/outbox/delivery-table.ts';
import { placeOfMessage } from '../../../core/outbox/earlier-message.ts';
import { COVERED, type FailureReport, type WriteDecision } from '../../../core/outbox/message-duties.ts';
import { type MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import type { ComputerDeps } from '../core/computers-deps.ts';
import { LAST_RESORT, lastResortCard, computerCard, computerEdit, doneNotice } from '../core/computer-messages.ts';
import { findOrder, moveOrder } from '../core/orders.ts';
import { decideEdit, pollDelayMs } from '../core/pace.ts';
import type { ComputerOrder } from '../core/computer-tables.ts';
import { cardsStillReferenced } from '../computer-policies.ts';
import { readComputer, readFacts, writtenCard } from './computer-facts.ts';
import { fallBackToDirectCard, continueAfterPost } from './follow.ts';
import { doneMessage } from './computer-card.ts';

const OVER: WriteDecision = { kind: 'skip', reason: 'The computer is no longer followed.' };
const UNREADABLE = 'The platform could not be read.';

export const cardMessages = (deps: ComputerDeps): MessageHandler[] => [card(deps), edit(deps), done(deps)];

/** Posts the card. Edits start only after it is posted. */
const card = (deps: ComputerDeps) =>
  computerCard.handledBy({
    write: async (message) => {
      const order = await findOrder(deps.db, message.payload.orderId);
      if (!order || order.computerId === null) return OVER;
      const facts = await readFacts(deps, order);
      if (!facts) return waitFor(deps, message, UNREADABLE);
      const { message: written, memo } = writtenCard(facts);
      return { kind: 'send', message: namesNobody(written), memo };
    },
    whenSent: async (trx, message, now) => {
      const order = await findOrder(trx, message.payload.orderId);
      if (order) await continueAfterPost(trx, order, message, now);
    },
    whenFailed: async (trx, { payload }, _failure, now) => {
      const order = await findOrder(trx, payload.orderId);
      if (order?.state === 'following') await fallBackToDirectCard(trx, order, now);
    },
    whenRefused: (trx, { payload }, now) => stopFollowing(trx, payload.orderId, now),
    report: async (trx, { payload: { orderId }, slot }) => {
      // A direct card follows, then the card of last resort.
      if (slot !== LAST_RESORT) return COVERED;
      return [await reportOf(trx, orderId, 'The card')];
    },
    keysStillReferenced: cardsStillReferenced,
  });

/** Keeps the card up to date: each edit enqueues the next one until the computer is ready, failed or too slow. */
const edit = (deps: ComputerDeps) =>
  computerEdit.handledBy({
    write: async (message) => {
      const { orderId, number } = message.payload;
      const order = await findOrder(deps.db, orderId);
      if (!isCurrent(order, number)) return OVER;
      const cards = await computerCard.listAbout(deps.db, orderId);
      // A later card replaces a lost one.
      const newest = cards.findLast((one) => one.state === 'sent' || isOpen(one));
      if (!newest) return { kind: 'skip', reason: 'Its card was not posted.' };
      const place = placeOfMessage(newest);
      if (!place) return waitFor(deps, message, 'The card is not posted yet.');
      const facts = await readFacts(deps, order);
      if (!facts) return waitFor(deps, message, UNREADABLE);
      const { message: written, memo, fingerprint } = writtenCard(facts);
      const decision = decideEdit(order, fingerprint, message.attempts, deps.clock.now());
      return decision.kind === 'wait' ? decision : { kind: 'edit', place, message: namesNobody(written), memo };
    },
    whenSent: async (trx, message, now) => {
      const order = await findOrder(trx, message.payload.orderId);
      if (isCurrent(order, message.payload.number)) await continueAfterPost(trx, order, message, now);
    },
    whenFailed: async (trx, { payload }, _failure, now) => {
      const order = await findOrder(trx, payload.orderId);
      if (isCurrent(order, payload.number)) await fallBackToDirectCard(trx, order, now);
    },
    whenRefused: (trx, { payload }, now) => stopFollowing(trx, payload.orderId, now),
    report: async (trx, { payload: { orderId } }) => {
      const order = await findOrder(trx, orderId);
      const isLast = order && (await computerCard.find(trx, lastResortCard(order).key)) !== undefined;
      // Another card follows.
      if (!isLast) return COVERED;
      return [await reportOf(trx, orderId, 'The update of the card')];
    },
  });

const isCurrent = (order: ComputerOrder | undefined, number: number): order is ComputerOrder =>
  order?.state === 'following' && order.editNumber === number;

async function stopFollowing(trx: DatabaseTransaction, id: string, now: Date): Promise<void> {
  await moveOrder(trx, { id, from: ['following'] }, { state: 'ended' }, now);
}

export async function reportOf(trx: DatabaseTransaction, orderId: string, what: string): Promise<FailureReport> {
  const order = await findOrder(trx, orderId);
  return {
    owner: order?.person ?? null,
    what: `${what} of the computer ${order?.name ?? orderId}`,
    command: { command: '/computers', words: ['list'] },
  };
}

function waitFor(deps: ComputerDeps, { attempts }: Pick<Delivery, 'attempts'>, reason: string): WriteDecision {
  const until = new Date(deps.clock.now().getTime() + pollDelayMs(attempts));
  return { kind: 'wait', until, reason };
}

const done = (deps: ComputerDeps) =>
  doneNotice.handledBy({
    write: async (message) => {
      const { orderId, outcome } = message.payload;
      const order = await findOrder(deps.db, orderId);
      if (!order || order.computerId === null) return OVER;
      const reading = await readComputer(deps, order.computerId);
      if (reading === 'unreadable') return waitFor(deps, message, UNREADABLE);
      const written = doneMessage(order, outcome, reading === 'gone' ? undefined : reading);
      return { kind: 'send', message: namesNobody(written) };
    },
    report: async (trx, { payload }) => [await reportOf(trx, payload.orderId, 'The result')],
  });
