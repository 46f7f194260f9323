import { deliveryOf } from '../../outbox/delivery-kind.ts';
import { buttonRow, messageOf, prose } from '../../slack/blocks/paragraphs.ts';
import { markup, readerTime, type Markup } from '../../base/text/markup.ts';
import { againButton, anotherButton } from '../core/buttons.ts';
import type { ComputerOrder } from '../core/tables.ts';
import { sameNameLines } from './form.ts';
import type { Notice } from './carry-out.ts';
import { noticePayload } from '../core/keys.ts';
import { sameNamed } from '../core/lookup.ts';
import type { ComputerDeps } from '../core/deps.ts';
import { findOrder } from '../core/orders.ts';

/** What became of an order, for somebody who is no longer in front of the form. */
export const noticeDelivery = (deps: ComputerDeps) =>
  deliveryOf(noticePayload, async ({ orderId, notice }) => {
    const order = await findOrder(deps.db, orderId);
    // It turned up after all, or somebody has answered: then this would be wrong.
    const expected = notice === 'asked' ? 'asked' : 'not_created';
    if (order?.state !== expected) return { kind: 'skip', reason: 'It is no longer true.' };
    if (notice !== 'asked')
      return { kind: 'send', message: messageOf(prose(wordsOf(order, notice)), buttonRow(againButton(order.id))) };
    const same = sameNamed(await deps.platform.computers.list(), order.name);
    const lines = sameNameLines(order.name, same, deps.clock.now());
    return { kind: 'send', message: messageOf(prose(lines), buttonRow(anotherButton(order.id))) };
  });

function wordsOf({ name, created_at: at }: ComputerOrder, notice: Exclude<Notice, 'asked'>): Markup {
  const asked = markup`You asked for it ${readerTime(new Date(at))}.`;
  switch (notice) {
    case 'not_created':
      return markup`*${name} was not created.* The platform’s answer was lost, and two looks into its list did not find it. ${asked}`;
    case 'refused':
      return markup`*${name} was not created.* The platform refused it; the operator’s log says why. ${asked}`;
    case 'late':
      return markup`*${name} was not created.* Quartermaster was down for too long. ${asked}`;
    default:
      return notice satisfies never;
  }
}
