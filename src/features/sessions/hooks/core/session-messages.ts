import { z } from 'zod';
import { declareNamedMessage } from '../../../../core/outbox/message-kind.ts';

export const hookCard = declareNamedMessage(
  { name: 'hook-card', payload: z.object({ id: z.string(), number: z.int() }) },
  ['person whose agent it is'],
);

export const hookCall = declareNamedMessage(
  { name: 'hook-again', payload: z.object({ id: z.string(), since: z.iso.datetime() }) },
  ['person whose agent it is'],
);

export const morningSummary = declareNamedMessage(
  { name: 'hook-morning', payload: z.object({ until: z.iso.datetime() }) },
  ['person whose agent it is'],
);

export const cardKey = (id: string, number: number) => `hook-card:${id}:${number}`;
export const callKey = (id: string, since: string) => `hook-again:${id}:${since}`;
export const morningKey = (owner: string, until: Date) => `hook-morning:${owner}:${until.toISOString()}`;
