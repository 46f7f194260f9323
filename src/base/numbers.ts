const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** So much of a sum may be noise of its decimals: 64-bit numbers hold about sixteen digits. */
export const ROUNDING = 1e-9;

/** More digits than any amount is told with, and fewer than a sum of decimals is exact to. */
const EXACT_DIGITS = 12;

/**
 * Sums of decimals that were added in another order show the same.
 *
 * @example formatNumber(1234567) // '1,234,567'
 * @example formatNumber(1234.4999999999998) // '1,235': the sum of decimals that come to 1234.5
 */
export function formatNumber(value: number): string {
  const exact = Number.isInteger(value) ? value : Number(value.toPrecision(EXACT_DIGITS));
  return Math.abs(exact) < 10 && !Number.isInteger(exact) ? oneDecimal.format(exact) : whole.format(exact);
}

/** Sums of decimals differ by this much of a percent with the order in which they were added up. */
const NOISE = 1e-10;

/** Never "0%" of what is not none, nor "100%" of what is not all. @example formatShare(1, 3) // '33%'; of nothing: '–' */
export function formatShare(part: number, total: number): string {
  if (total === 0) return '–';
  const percent = (part / total) * 100;
  if (percent > NOISE && percent < 1) return '<1%';
  if (percent > 99 && percent < 100 - NOISE) return '>99%';
  return `${whole.format(percent)}%`;
}

/** @example countOf(1, 'day') // '1 day'; countOf(2, 'day') // '2 days' */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
