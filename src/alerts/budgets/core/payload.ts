import { z } from 'zod';
import { isDay } from '../../../base/time/calendar.ts';
import { priceSchema, titleOf, type Budget } from './budget.ts';
import { admittedAmount, groupSums, type Admission } from '../../../figures/groups/admission.ts';
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
  spent: admittedAmount,
  expected: admittedAmount.optional(),
  range: z.object({ lower: admittedAmount, upper: admittedAmount }).optional(),
  /** Such as `atlas-large: 45%`. */
  explained: z.array(z.string()),
  /** The sums of a group that it shows to readers who may not see single people. */
  sums: groupSums.optional(),
});
export type Said = z.infer<typeof saidSchema>;

/** @param admission of those who will read it: without each day of a group, there is no forecast of it */
export function saidOf(budget: Budget, figures: Figures, admission: Admission): Said {
  const { period, through = period.first } = figures;
  const { credits, price } = budget;
  return { title: titleOf(budget), credits, price, period, through, ...amountsOf(figures, admission), explained: [] };
}

/** The amounts of a message. Pure. */
export function amountsOf(
  { spent, expected, range }: Pick<Figures, 'spent' | 'expected' | 'range'>,
  { amount, sums, isWhole }: Admission,
): Pick<Said, 'spent' | 'expected' | 'range' | 'sums'> {
  return {
    spent: amount(spent),
    expected: expected === undefined || !isWhole ? undefined : amount(expected),
    range: range && isWhole ? { lower: amount(range.lower), upper: amount(range.upper) } : undefined,
    ...(sums.length > 0 ? { sums } : {}),
  };
}

/** The channel that may not see it: then it goes to the owner of the budget. */
const withheldFrom = z.string().optional();

export const noticeSchema = z.object({
  kind: z.literal('crossed'),
  budgetId: z.string(),
  thresholds: z.array(thresholdSchema).min(1),
  said: saidSchema,
  withheldFrom,
});
export type Notice = z.infer<typeof noticeSchema>;

/** The one line about a period that ended. */
export const summarySchema = z.object({
  kind: z.literal('summary'),
  budgetId: z.string(),
  said: saidSchema,
  /** What was expected in the middle of the period. */
  halfway: z.object({ day, expected: admittedAmount }).optional(),
  withheldFrom,
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
