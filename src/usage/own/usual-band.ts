import type { Period } from '../../base/time/calendar.ts';

/** Below this many people besides the one who asks, even a rounded range says too much about each of them. */
const FEWEST_OTHERS = 5;

/** What most people in the organization used in one week, rounded outward to coarse steps. */
export interface UsualBand {
  /** Credits, each a step. */
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
 * The two steps around an amount: 0, or 1, 2, 3 or 5 times a power of ten from 1 on.
 *
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
 * The middle half of the amounts, rounded outward; more than half of the people are within it.
 *
 * The quartiles are ranks and not interpolated, so that an amount which changes within its step changes nothing. The person who
 * asks counts too: if each reader got a band without themselves, two readers could compare theirs.
 *
 * @param amounts what each person used in one week; those who used nothing are left out
 * @param minGroup how many others there must be at least; never fewer than five
 * @returns nothing if there are too few people
 */
export function usualBandOf(amounts: readonly number[], minGroup: number): UsualBand | undefined {
  const used = amounts.filter((amount) => amount > 0).toSorted((a, b) => a - b);
  if (used.length <= Math.max(FEWEST_OTHERS, minGroup)) return undefined;
  const lower = used[Math.floor((used.length - 1) * 0.25)];
  const upper = used[Math.ceil((used.length - 1) * 0.75)];
  if (lower === undefined || upper === undefined) return undefined;
  return { low: stepsAround(lower).low, high: stepsAround(upper).high };
}
