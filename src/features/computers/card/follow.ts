import { z } from 'zod';
import { parseJson } from '../../../core/base/text/parse-json.ts';
import type { Delivery } from '../../../core/outbox/delivery-table.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { computerCard, computerEdit, directCard, doneKey, doneNotice, editKey } from '../core/computer-messages.ts';
import { moveOrder } from '../core/orders.ts';
import { type ComputerOrder, OUTCOMES } from '../core/computer-tables.ts';

/** The content of a card or edit, stored before it is posted. */
const contentSchema = z.object({
  fingerprint: z.string(),
  outcome: z.enum(OUTCOMES).nullable(),
  readyAfterMs: z.number().nullable(),
});
export type CardContent = z.infer<typeof contentSchema>;

/** Continues after a card or edit was posted: enqueues the next edit, or ends the order. */
export async function continueAfterPost(
  trx: DatabaseTransaction,
  order: ComputerOrder,
  { memo }: Pick<Delivery, 'memo'>,
  now: Date,
): Promise<void> {
  const content = contentSchema.safeParse(parseJson(memo ?? '')).data;
  const shownFields = { shown: content?.fingerprint ?? null, editedAt: now.toISOString() };
  const from = { id: order.id, from: ['following'] } as const;
  if (content?.outcome) {
    const { outcome, readyAfterMs } = content;
    const state = outcome === 'gone' ? 'ended' : outcome;
    if (!(await moveOrder(trx, from, { ...shownFields, state, readyAfterMs }, now))) return;
    const { id, round, person } = order;
    const done = { key: doneKey(id, round, outcome), to: person, payload: { orderId: id, outcome }, about: id };
    await doneNotice.enqueue(trx, done, now);
    return;
  }
  const number = order.editNumber + 1;
  if (!(await moveOrder(trx, from, { ...shownFields, editNumber: number }, now))) return;
  await enqueueEdit(trx, { ...order, editNumber: number }, now);
}

export async function enqueueEdit(trx: DatabaseTransaction, order: ComputerOrder, now: Date): Promise<void> {
  const { id, editNumber: number, channel } = order;
  const edit = { key: editKey(id, number), to: channel, payload: { orderId: id, number }, about: id };
  await computerEdit.enqueue(trx, edit, now);
}

/** Sends the card to the requester, once, if its channel refused or lost it. */
export async function fallBackToDirectCard(trx: DatabaseTransaction, order: ComputerOrder, now: Date): Promise<void> {
  const isFirst = await computerCard.enqueue(trx, directCard(order), now);
  if (isFirst) await moveOrder(trx, { id: order.id, from: ['following'] }, { channel: order.person }, now);
}
