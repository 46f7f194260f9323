import { z } from 'zod';
import { isDay } from '../../../base/time/calendar.ts';
import { priceSchema, titleOf, type Budget } from './budget.ts';
import type { Figures } from './decide.ts';

const day = z.string().refine(isDay);

const thresholdSchema = z.object({ basis: z.enum(['actual', 'forecast']), percent: z.number() });

/** What a message says, as it was decided: it is posted without anything being read again. */
export const saidSchema = z.object({
  title: z.string(),
  credits: z.number(),
  price: priceSchema.optional(),
  period: z.object({ first: day, last: day }),
  through: day,
  spent: z.number(),
  expected: z.number().optional(),
  range: z.object({ lower: z.number(), upper: z.number() }).optional(),
  /** Such as `atlas-large: 45%`. */
  explained: z.array(z.string()),
});
export type Said = z.infer<typeof saidSchema>;

export function saidOf(budget: Budget, { period, through = period.first, spent, expected, range }: Figures): Said {
  const { credits, price } = budget;
  return { title: titleOf(budget), credits, price, period, through, spent, expected, range, explained: [] };
}

export const noticeSchema = z.object({
  kind: z.literal('crossed'),
  budgetId: z.string(),
  thresholds: z.array(thresholdSchema).min(1),
  said: saidSchema,
});
export type Notice = z.infer<typeof noticeSchema>;

/** The one line about a period that ended. */
export const summarySchema = z.object({
  kind: z.literal('summary'),
  budgetId: z.string(),
  said: saidSchema,
  /** What was expected in the middle of the period. */
  halfway: z.object({ day, expected: z.number() }).optional(),
});
export type Summary = z.infer<typeof summarySchema>;

export const messageSchema = z.discriminatedUnion('kind', [noticeSchema, summarySchema]);

/** What a message says after the platform restated days. */
export const correctionSchema = z.object({
  messageKey: z.string(),
  before: messageSchema,
  after: messageSchema,
  /** Of the thresholds that the message named, those that are still crossed. */
  standing: z.array(thresholdSchema),
});
export type Correction = z.infer<typeof correctionSchema>;

/** The kinds of delivery of a budget; those of a heads-up are others, since it is told to one person. */
export const deliveryKindsOf = (kind: Budget['kind']) => {
  const message = kind === 'budget' ? 'budget' : 'heads-up';
  return { message, correction: `${message}-correction`, note: `${message}-correction-note` };
};
