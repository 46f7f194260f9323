import { z } from 'zod';
import { declareNamedMessage, type NewMessage } from '../../../core/outbox/message-kind.ts';
import { type ComputerOrder, OUTCOMES } from './computer-tables.ts';

const aboutOrder = z.object({ orderId: z.string() });
export type AboutOrder = z.infer<typeof aboutOrder>;

export const computerCard = declareNamedMessage({ name: 'computer-card', payload: aboutOrder }, [
  'channel of the command',
  'person who ordered a computer',
]);

/** Only the edit whose number the order has is current. */
export const computerEdit = declareNamedMessage(
  { name: 'computer-edit', payload: z.object({ orderId: z.string(), number: z.int() }) },
  ['channel of the command', 'person who ordered a computer'],
);

export const doneNotice = declareNamedMessage(
  { name: 'computer-done', payload: z.object({ orderId: z.string(), outcome: z.enum(OUTCOMES) }) },
  ['person who ordered a computer'],
);

/** The result of an order, for a requester who is no longer looking at the form. */
export const orderNotice = declareNamedMessage(
  {
    name: 'computer-notice',
    payload: z.object({ orderId: z.string(), notice: z.enum(['not_created', 'refused', 'asked', 'late']) }),
  },
  ['person who ordered a computer'],
);

type OrderOf = Pick<ComputerOrder, 'id' | 'person' | 'channel'>;

export const LAST_RESORT = 'again';

type NewCard = NewMessage<AboutOrder>;
const cardTo = ({ id }: OrderOf, to: string) => ({ to, payload: { orderId: id }, about: id });

export const firstCard = (order: OrderOf): NewCard => ({
  ...cardTo(order, order.channel),
  key: `computer:${order.id}:card`,
});

/** To the requester, because the first card was refused or lost. */
export const directCard = (order: OrderOf): NewCard => ({
  ...cardTo(order, order.person),
  key: `computer:${order.id}:card-direct`,
});

/** To the requester, because the direct card was lost too; one in each round of the order. */
export const lastResortCard = (order: OrderOf & { round: number }): NewCard => ({
  ...cardTo(order, order.person),
  key: `computer:${order.id}:card-direct:again-${order.round}`,
  slot: LAST_RESORT,
});

export const editKey = (orderId: string, number: number) => `computer:${orderId}:edit:${number}`;
export const doneKey = (orderId: string, round: number, outcome: string) =>
  `computer:${orderId}:done:${round}:${outcome}`;
