import { namesNobody } from '../../../core/outbox/poster.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { buttonRow, messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { markup, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { againButton, anotherButton } from '../core/computer-buttons.ts';
import type { ComputerOrder } from '../core/computer-tables.ts';
import { sameNameLines } from './computer-form.ts';
import type { Notice } from './carry-out.ts';
import { orderNotice } from '../core/computer-messages.ts';
import { reportOf } from '../card/write-computer-cards.ts';
import { sameNamed } from '../core/lookup.ts';
import type { ComputerDeps } from '../core/computers-deps.ts';
import { findOrder } from '../core/orders.ts';

export const noticeMessage = (deps: ComputerDeps): MessageHandler =>
  orderNotice.handledBy({
    write: async ({ payload: { orderId, notice } }) => {
      const order = await findOrder(deps.db, orderId);
      // If the computer has since appeared, or the requester has answered, the notice is wrong.
      const expected = notice === 'asked' ? 'asked' : 'not_created';
      if (order?.state !== expected) return { kind: 'skip', reason: 'It is no longer true.' };
      return { kind: 'send', message: namesNobody(await messageAbout(deps, order, notice)) };
    },
    report: async (trx, { payload }) => [await reportOf(trx, payload.orderId, 'The news')],
  });

async function messageAbout(deps: ComputerDeps, order: ComputerOrder, notice: Notice) {
  if (notice !== 'asked') return messageOf(prose(wordsOf(order, notice)), buttonRow(againButton(order.id)));
  const same = sameNamed(await deps.platform.computers.list(), order.name);
  const lines = sameNameLines(order.name, same, deps.clock.now());
  return messageOf(prose(lines), buttonRow(anotherButton(order.id)));
}

function wordsOf({ name, createdAt: at }: ComputerOrder, notice: Exclude<Notice, 'asked'>): Markup {
  const orderedSentence = markup`You requested it ${readerTime(new Date(at))}.`;
  switch (notice) {
    case 'not_created':
      return markup`*${name} was not created.* The platform’s answer was lost, and Quartermaster did not find it in its list. ${orderedSentence}`;
    case 'refused':
      return markup`*${name} was not created.* The platform refused it; the server log has the reason. ${orderedSentence}`;
    case 'late':
      return markup`*${name} was not created.* Quartermaster was down for too long. ${orderedSentence}`;
    default:
      return notice satisfies never;
  }
}
