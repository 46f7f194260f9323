import type { Period } from '../../base/time/calendar.ts';

/** With fewer other people, even a rounded range reveals too much about each of them. */
const FEWEST_OTHERS = 5;

/** The range of most people’s credits in one week, rounded outward to coarse steps. */
export interface UsualBand {
  /** In credits, at a step. */
  low: number;
  /** Always above `low`. */
  high: number;
}

/** The band of one week, from Monday to Sunday. */
export interface UsualWeek extends UsualBand {
  week: Period;
}

const LEADING_DIGITS = [5, 3, 2, 1];

/**
 * Returns the two steps around an amount: 0, or 1, 2, 3 or 5 times a power of ten from 1 on.
 * @example stepsAround(420_000) // { low: 300_000, high: 500_000 }
 * @example stepsAround(500_000) // { low: 500_000, high: 1_000_000 }
 */
export function stepsAround(amount: number): UsualBand {
  if (amount < 1) return { low: 0, high: 1 };
  let power = 1;
  while (power * 10 <= amount) power *= 10;
  let high = power * 10;
  for (const digit of LEADING_DIGITS) {
    if (digit * power <= amount) return { low: digit * power, high };
    high = digit * power;
  }
  return { low: power, high };
}

/**
 * Returns the middle half of the amounts, rounded outward, with more than half of the people; undefined if there are
 * too few. The quartiles are ranks and not interpolated, so that a change of an amount within its step changes nothing.
 * The reader counts too: if each reader got a band without themselves, two readers could compare theirs.
 * @param amounts the credits of each person in one week; zero amounts are ignored
 * @param minGroup the minimum number of other people; at least five are required
 */
export function usualBandOf(amounts: readonly number[], minGroup: number): UsualBand | undefined {
  const used = amounts.filter((amount) => amount > 0).toSorted((a, b) => a - b);
  if (used.length <= Math.max(FEWEST_OTHERS, minGroup)) return undefined;
  const lower = used[Math.floor((used.length - 1) * 0.25)];
  const upper = used[Math.ceil((used.length - 1) * 0.75)];
  if (lower === undefined || upper === undefined) return undefined;
  return { low: stepsAround(lower).low, high: stepsAround(upper).high };
}
