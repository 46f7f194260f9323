import { z } from 'zod';
import { isDay } from '../../../../core/base/time/calendar.ts';
import { costAt, formatCost } from '../../../../core/base/text/numbers.ts';
import type { PriceList } from '../../../../core/figures/money/price-list.ts';
import { priceOf, priceSchema, titleOf, type Alert, type BudgetPrice } from './budget.ts';
import { admittedAmount, groupSums, type Admission } from '../../../../core/figures/groups/admission.ts';
import type { Figures } from './decide.ts';

const day = z.string().refine(isDay);

const thresholdSchema = z.object({ basis: z.enum(['actual', 'forecast']), percent: z.number() });

/** The figures of a message as decided: it is posted without reading anything again. */
export const messageFiguresSchema = z.object({
  title: z.string(),
  credits: z.number(),
  price: priceSchema.optional(),
  /** As they are shown; the credits of the budget cost nothing certain if the price changes in its period. */
  cost: z.object({ spent: z.string(), credits: z.string().optional() }).optional(),
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

interface PricedCredits {
  credits: number;
  price?: BudgetPrice | undefined;
}

/** @param admission what its readers may see: a forecast needs a group’s figures of each day */
export function messageFiguresOf(
  alert: Alert,
  figures: Figures,
  admission: Admission,
  prices: PriceList,
): MessageFigures {
  const { period, through = period.first } = figures;
  const { credits, price }: PricedCredits = alert;
  const amounts = amountsOf(alert, figures, admission, prices);
  return { title: titleOf(alert), credits, price, period, through, ...amounts, explained: [] };
}

export function amountsOf(
  alert: PricedCredits,
  figures: Figures,
  { amount, sums, isBestAlternative }: Admission,
  prices: PriceList,
): Pick<MessageFigures, 'spent' | 'expected' | 'range' | 'sums' | 'cost'> {
  const { spent, expected, range } = figures;
  return {
    spent: amount(spent),
    expected: expected === undefined || !isBestAlternative ? undefined : amount(expected),
    range: range && isBestAlternative ? { lower: amount(range.lower), upper: amount(range.upper) } : undefined,
    ...(sums.length > 0 ? { sums } : {}),
    cost: costOf(alert, figures, prices, isBestAlternative),
  };
}

/** @param showsDays whether readers may see each day: money at two prices shows what was used before the change */
function costOf(
  { credits, price: ownPrice }: PricedCredits,
  { period, spent, days }: Figures,
  prices: PriceList,
  showsDays: boolean,
): MessageFigures['cost'] {
  const price = ownPrice ? priceOf(ownPrice) : prices.over(period);
  if (price) {
    const [used, all] = [costAt(price, spent), costAt(price, credits)];
    return { spent: formatCost(used, all), credits: formatCost(all) };
  }
  const used = showsDays ? prices.costOf(days.map((row) => [row.date, row.billable_tokens])) : undefined;
  return used && { spent: formatCost(used) };
}

/** The channel that may not see the message, which therefore goes to the owner of the budget. */
const withheldFrom = z.string().optional();

export const noticeSchema = z.object({
  kind: z.literal('crossed'),
  budgetId: z.string(),
  thresholds: z.array(thresholdSchema).min(1),
  /** It was caused by people who joined, not by what was used since the last evaluation. */
  haveMembersChanged: z.boolean().optional(),
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
