import { formatDate, formatDay, formatPeriod } from '../../../../core/base/time/calendar.ts';
import { aboutAmount, countOf, formatCompact, formatPrice } from '../../../../core/base/text/numbers.ts';
import { likelyWords } from '../../../../core/figures/insight/forecast.ts';
import { daysLeft, priceOf } from './budget.ts';
import type { MessageFigures } from './budget-payload.ts';

export type BudgetState = 'within' | 'at_risk' | 'over';

export const STATES: Readonly<Record<BudgetState, { icon: string; word: string }>> = {
  within: { icon: '✅', word: 'within budget' },
  at_risk: { icon: '⚠️', word: 'at risk' },
  over: { icon: '🛑', word: 'over budget' },
};

export function stateOf({
  credits,
  spent,
  expected,
}: Pick<MessageFigures, 'credits' | 'spent' | 'expected'>): BudgetState {
  if (spent > credits) return 'over';
  return expected !== undefined && expected > credits ? 'at_risk' : 'within';
}

/** Rounds down, so that no threshold appears reached before it is. @example percentOf(799, 1000) // '79%' */
export const percentOf = (part: number, whole: number): string => `${Math.floor((part * 100) / whole)}%`;

/** @example usedPoint(80, { spent: 83, credits: 100 }) // '83% used, past 80%' */
export function usedPoint(threshold: number, { spent, credits }: Pick<MessageFigures, 'spent' | 'credits'>): string {
  const used = percentOf(spent, credits);
  return used === `${threshold}%` ? `${used} used` : `${used} used, past ${threshold}%`;
}

/** @example usedWords(said) // '8.12 M of 10 M credits used, as of Sat 21 Nov. 9 days left.' */
export function usedWords({ spent, credits, through, period }: MessageFigures): string {
  const remainingDays = daysLeft(period, through);
  const end = remainingDays === 0 ? 'The period is over.' : `${countOf(remainingDays, 'day')} left.`;
  return `${formatCompact(spent)} of ${formatCompact(credits)} credits used, as of ${formatDay(through)}. ${end}`;
}

/** @example forecastWords(said) // 'On track for 10.4 M by 30 Nov, 104% of the budget (likely 9.9–10.9 M).' */
export function forecastWords(
  { expected, range, credits, period }: MessageFigures,
  of = 'the budget',
): string | undefined {
  if (expected === undefined) return undefined;
  const likely = likelyWords(range);
  const cases = likely === undefined ? '' : ` (likely ${likely})`;
  return `On track for ${formatCompact(expected)} by ${formatDate(period.last)}, ${percentOf(expected, credits)} of ${of}${cases}.`;
}

/** @example costWords({ spent: '$34', credits: '$42' }) // 'about $34 of $42' */
export const costWords = ({ spent, credits }: NonNullable<MessageFigures['cost']>): string =>
  `${aboutAmount(spent)}${credits === undefined ? '' : ` of ${credits}`}`;

/** @example priceWords(figures) // 'In money: about €12 of €15, at this budget’s price of €1.50 a million credits.' */
export function priceWords({ price, cost }: Pick<MessageFigures, 'price' | 'cost'>): string | undefined {
  if (!cost) return undefined;
  const own = price ? `, at this budget’s price of ${formatPrice(priceOf(price))} a million credits` : '';
  return `In money: ${costWords(cost)}${own}.`;
}

export const NOT_A_STOP = 'A budget only warns. It doesn’t stop anyone.';

export const periodNote = ({ period, through }: Pick<MessageFigures, 'period' | 'through'>) =>
  `${formatPeriod(period, through)}, UTC days. ${NOT_A_STOP}`;
