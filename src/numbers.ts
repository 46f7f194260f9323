const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** So much of a sum may be noise of its decimals: 64-bit numbers hold about sixteen digits. */
export const ROUNDING = 1e-9;

/** @example formatNumber(1234567) // '1,234,567' */
export function formatNumber(value: number): string {
  return Math.abs(value) < 10 && !Number.isInteger(value) ? oneDecimal.format(value) : whole.format(value);
}

/** @example formatShare(1, 3) // '33%'; of nothing: '–' */
export function formatShare(part: number, total: number): string {
  if (total === 0) return '–';
  const percent = (part / total) * 100;
  if (percent > 0 && percent < 1) return '<1%';
  if (percent > 99 && percent < 100) return '>99%';
  return `${whole.format(percent)}%`;
}

/** @example countOf(1, 'day') // '1 day'; countOf(2, 'day') // '2 days' */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
