import { z } from 'zod';

export const cardKey = (orderId: string) => `computer:${orderId}:card`;
/** Where the channel refused the card. */
export const directCardKey = (orderId: string) => `computer:${orderId}:card-direct`;
export const editKey = (orderId: string, number: number) => `computer:${orderId}:edit:${number}`;
export const doneKey = (orderId: string, round: number, outcome: string) =>
  `computer:${orderId}:done:${round}:${outcome}`;

export const orderPayload = z.object({ orderId: z.string() });
export const editPayload = z.object({ orderId: z.string(), number: z.int() });
export const noticePayload = z.object({
  orderId: z.string(),
  notice: z.enum(['not_created', 'refused', 'asked', 'late']),
});
/** How an order ended. `gone`: the platform no longer knows the computer. */
const outcome = z.enum(['ready', 'failed', 'ended', 'gone']);
export type Outcome = z.infer<typeof outcome>;
export const donePayload = z.object({ orderId: z.string(), outcome });
/** What an edit or a card says: noted when it has been said. */
export const saidMemo = z.object({
  fingerprint: z.string(),
  outcome: outcome.nullable(),
  readyAfterMs: z.number().nullable(),
});
export type Said = z.infer<typeof saidMemo>;
