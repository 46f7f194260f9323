import { z } from 'zod';
import { declareNamedMessage } from '../../../outbox/message-kind.ts';

/** Posts the card of a session, or brings it up to date. */
export const hookCard = declareNamedMessage(
  { name: 'hook-card', payload: z.object({ id: z.string(), number: z.int() }) },
  ['person whose agent it is'],
);

/** Calls the person in the thread of a card that was edited. */
export const hookCall = declareNamedMessage(
  { name: 'hook-again', payload: z.object({ id: z.string(), since: z.iso.datetime() }) },
  ['person whose agent it is'],
);

/** What happened in quiet hours. */
export const morningSummary = declareNamedMessage(
  { name: 'hook-morning', payload: z.object({ until: z.iso.datetime() }) },
  ['person whose agent it is'],
);

export const cardKey = (id: string, number: number) => `hook-card:${id}:${number}`;
/** @param since when the agent began to wait */
export const callKey = (id: string, since: string) => `hook-again:${id}:${since}`;
export const morningKey = (owner: string, until: Date) => `hook-morning:${owner}:${until.toISOString()}`;
