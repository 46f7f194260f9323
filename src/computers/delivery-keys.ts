import { z } from 'zod';

export const cardKey = (watchId: string) => `computer:${watchId}:card`;
/** Where the channel refused the card. */
export const directCardKey = (watchId: string) => `computer:${watchId}:card-direct`;
export const editKey = (watchId: string, number: number) => `computer:${watchId}:edit:${number}`;
export const doneKey = (watchId: string, round: number, outcome: string) =>
  `computer:${watchId}:done:${round}:${outcome}`;

export const watchPayload = z.object({ watchId: z.string() });
export const editPayload = z.object({ watchId: z.string(), number: z.int() });
export const noticePayload = z.object({
  watchId: z.string(),
  notice: z.enum(['not_created', 'refused', 'asked', 'late']),
});
/** How a watch ended. `gone`: the platform does not know the computer any more. */
const outcome = z.enum(['ready', 'failed', 'ended', 'gone']);
export type Outcome = z.infer<typeof outcome>;
export const donePayload = z.object({ watchId: z.string(), outcome });
/** What an edit or a card says: noted when it has been said. */
export const saidMemo = z.object({
  fingerprint: z.string(),
  outcome: outcome.nullable(),
  readyAfterMs: z.number().nullable(),
});
export type Said = z.infer<typeof saidMemo>;
