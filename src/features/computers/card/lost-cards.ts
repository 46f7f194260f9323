import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import { isOpen, type Delivery } from '../../../core/outbox/delivery-table.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import type { ComputerDeps } from '../core/computers-deps.ts';
import { lastResortCard, computerCard, computerEdit, editKey } from '../core/computer-messages.ts';
import { findOrder, listFollowing, moveOrder } from '../core/orders.ts';
import type { ComputerOrder } from '../core/computer-tables.ts';

const PAUSE_MS = 2 * MINUTE_MS;

type Outline = Pick<Delivery, 'state' | 'createdAt'>;

export interface FollowFacts {
  cards: readonly Outline[];
  edit: Outline | undefined;
  /** Whether this round of the order already has its card of last resort. */
  hasLastResortCard: boolean;
  updatedAt: string;
}

export type Rescue =
  /** `dueAt` depends on the failed messages alone, so that a restored store finds posts made since then. */
  { kind: 'card'; dueAt: Date } | { kind: 'end'; dueAt: Date };

/** A posted card or edit creates the next edit; without one, the order gets one direct card per round, then ends. */
export function rescueOf({ cards, edit, hasLastResortCard, updatedAt }: FollowFacts): Rescue | undefined {
  const messages = edit ? [...cards, edit] : cards;
  if (messages.some((one) => isOpen(one))) return undefined;
  const [last = updatedAt] = messages
    .map((one) => one.createdAt)
    .toSorted()
    .toReversed();
  return { kind: hasLastResortCard ? 'end' : 'card', dueAt: new Date(Date.parse(last) + PAUSE_MS) };
}

export async function replaceLostCards({ db, clock, log }: ComputerDeps): Promise<void> {
  const now = clock.now();
  for (const order of await listFollowing(db)) {
    const needsRescue = (await db.transaction().execute((trx) => dueRescue(trx, order, now))) !== undefined;
    if (!needsRescue) continue;
    await db.transaction().execute((trx) => rescue(trx, order, now));
    log.warn({ order: order.id }, 'A followed computer had no card; a new one is sent');
  }
}

async function rescue(trx: DatabaseTransaction, { id, round, person }: ComputerOrder, now: Date): Promise<void> {
  const move = { id, from: ['following'], round } as const;
  // Locks the order, so that another replica doing the same finds this card.
  if (!(await moveOrder(trx, move, { channel: person }, now))) return;
  const order = await findOrder(trx, id);
  const due = order && (await dueRescue(trx, order, now));
  if (!due) return;
  if (due.kind === 'end') await moveOrder(trx, move, { state: 'ended' }, now);
  else await computerCard.enqueue(trx, { ...lastResortCard(order), dueAt: due.dueAt }, now);
}

async function dueRescue(trx: DatabaseTransaction, order: ComputerOrder, now: Date): Promise<Rescue | undefined> {
  const { key } = lastResortCard(order);
  const cards = await computerCard.listAbout(trx, order.id);
  const edit = await computerEdit.find(trx, editKey(order.id, order.editNumber));
  const hasLastResortCard = cards.some((card) => card.key === key);
  const due = rescueOf({ cards, edit, hasLastResortCard, updatedAt: order.updatedAt });
  return due && due.dueAt <= now ? due : undefined;
}
