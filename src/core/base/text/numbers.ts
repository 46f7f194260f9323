/** A small negative amount that rounds to zero has no sign. */
const ENGLISH = { signDisplay: 'negative' } as const;
const whole = new Intl.NumberFormat('en-US', { ...ENGLISH, maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', { ...ENGLISH, maximumFractionDigits: 1 });

/** The part of a sum that may be rounding noise: 64-bit numbers hold about sixteen digits. */
export const ROUNDING = 1e-9;

/** More digits than any amount is shown with, and fewer than a sum of decimals is exact to. */
const EXACT_DIGITS = 12;

/**
 * Sums of the same decimals look the same, in whatever order they were added.
 *
 * @example formatNumber(1234567) // '1,234,567'
 * @example formatNumber(1234.4999999999998) // '1,235': the sum of decimals that come to 1234.5
 */
export function formatNumber(value: number): string {
  const exact = Number.isInteger(value) ? value : Number(value.toPrecision(EXACT_DIGITS));
  return Math.abs(exact) < 10 && !Number.isInteger(exact) ? oneDecimal.format(exact) : whole.format(exact);
}

const threeDigits = new Intl.NumberFormat('en-US', { ...ENGLISH, maximumSignificantDigits: 3 });
const MAGNITUDES = [
  { size: 1e12, letter: 'T' },
  { size: 1e9, letter: 'B' },
  { size: 1e6, letter: 'M' },
  { size: 1e3, letter: 'K' },
] as const;

/**
 * Shows three digits, in headlines, bullets, notifications and App Home. Tables and files show all, with
 * `formatNumber`.
 *
 * @example formatCompact(44_889_090) // '44.9 M'; formatCompact(902) // '902'
 */
export function formatCompact(value: number): string {
  const rounded = Number(value.toPrecision(3));
  const magnitude = MAGNITUDES.find(({ size }) => Math.abs(rounded) >= size);
  return magnitude ? `${threeDigits.format(rounded / magnitude.size)} ${magnitude.letter}` : formatNumber(value);
}

/**
 * Names the unit once if both ends share it, otherwise at both ends. If the low end is below a thousand, both ends show
 * all digits, so that “350 to 1.2 M” is not read as 350 thousand.
 *
 * @example formatRange(159_000_000, 173_000_000, ' to ') // '159 to 173 M'
 * @example formatRange(806_000, 63_200_000, '–') // '806 K–63.2 M'
 * @example formatRange(806, 63_180, '–') // '806–63,200'
 */
export function formatRange(low: number, high: number, between: string): string {
  const [from, to] = [formatCompact(low), formatCompact(high)];
  if (from === to) return to;
  const [amount = from, unit] = from.split(' ');
  const [, unitOfHigh] = to.split(' ');
  if (unit === unitOfHigh) return `${amount}${between}${to}`;
  if (low === 0 || unit !== undefined) return `${from}${between}${to}`;
  return `${from}${between}${formatNumber(Number(high.toPrecision(3)))}`;
}

/** The percentage by which sums of the same decimals differ with the order of addition. */
const NOISE = 1e-10;

/** Shows "0%" only for none and "100%" only for all. @example formatShare(1, 3) // '33%'; of nothing: '–' */
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

const BAR_LENGTH = 10;

/** @example barOf(81, 100) // '████████░░'; of nothing it is empty */
export function barOf(part: number, whole: number): string {
  const full = whole === 0 ? 0 : Math.max(0, Math.min(BAR_LENGTH, Math.floor((part * BAR_LENGTH) / whole)));
  return '█'.repeat(full) + '░'.repeat(BAR_LENGTH - full);
}

/** @example formatRanges([3, 4, 5, 9]) // '3–5, 9'; formatRanges([3, 4, 5, 9], 1) // '3–5 and 1 more' */
export function formatRanges(numbers: readonly number[], mostRanges = Number.POSITIVE_INFINITY): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const visibleRanges = ranges
    .slice(0, mostRanges)
    .map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  const remaining = ranges.slice(mostRanges).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return remaining > 0 ? `${visibleRanges.join(', ')} and ${formatNumber(remaining)} more` : visibleRanges.join(', ');
}
