import { z } from 'zod';
import { isDay } from '../../../base/time/calendar.ts';
import { priceSchema, titleOf, type Budget } from './budget.ts';
import { admittedAmount, groupSums, type Admission } from '../../../figures/groups/admission.ts';
import type { Figures } from './decide.ts';

const day = z.string().refine(isDay);

const thresholdSchema = z.object({ basis: z.enum(['actual', 'forecast']), percent: z.number() });

/** The figures of a message as decided: it is posted without reading anything again. */
export const messageFiguresSchema = z.object({
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
  /** The group sums that the message shows to readers without the right to see single people. */
  sums: groupSums.optional(),
});
export type MessageFigures = z.infer<typeof messageFiguresSchema>;

/** @param admission what its readers may see: a forecast needs a group’s figures of each day */
export function messageFiguresOf(budget: Budget, figures: Figures, admission: Admission): MessageFigures {
  const { period, through = period.first } = figures;
  const { credits, price } = budget;
  return { title: titleOf(budget), credits, price, period, through, ...amountsOf(figures, admission), explained: [] };
}

export function amountsOf(
  { spent, expected, range }: Pick<Figures, 'spent' | 'expected' | 'range'>,
  { amount, sums, isBestAlternative }: Admission,
): Pick<MessageFigures, 'spent' | 'expected' | 'range' | 'sums'> {
  return {
    spent: amount(spent),
    expected: expected === undefined || !isBestAlternative ? undefined : amount(expected),
    range: range && isBestAlternative ? { lower: amount(range.lower), upper: amount(range.upper) } : undefined,
    ...(sums.length > 0 ? { sums } : {}),
  };
}

/** The channel that may not see the message, which therefore goes to the owner of the budget. */
const withheldFrom = z.string().optional();

export const noticeSchema = z.object({
  kind: z.literal('crossed'),
  budgetId: z.string(),
  thresholds: z.array(thresholdSchema).min(1),
  said: messageFiguresSchema,
  withheldFrom,
});
export type Notice = z.infer<typeof noticeSchema>;

export const summarySchema = z.object({
  kind: z.literal('summary'),
  budgetId: z.string(),
  said: messageFiguresSchema,
  halfway: z.object({ day, expected: admittedAmount }).optional(),
  withheldFrom,
});
export type Summary = z.infer<typeof summarySchema>;

export const messageSchema = z.discriminatedUnion('kind', [noticeSchema, summarySchema]);

/** The content of a message before and after the platform restated days. */
export const correctionSchema = z.object({
  messageKey: z.string(),
  before: messageSchema,
  after: messageSchema,
  /** The thresholds named in the message that are still crossed. */
  standing: z.array(thresholdSchema),
});
export type Correction = z.infer<typeof correctionSchema>;
