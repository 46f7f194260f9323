import { lazily } from '../lazily.ts';
import { readDecimals } from './decimals.ts';
import { withoutTrailing } from './trailing.ts';

/** A small negative amount that rounds to zero has no sign. */
const ENGLISH = { signDisplay: 'negative' } as const;
// The first use of Intl in a process takes 15 ms, which a start does not need.
const whole = lazily(() => new Intl.NumberFormat('en-US', { ...ENGLISH, maximumFractionDigits: 0 }));
const oneDecimal = lazily(() => new Intl.NumberFormat('en-US', { ...ENGLISH, maximumFractionDigits: 1 }));

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
  return Math.abs(exact) < 10 && !Number.isInteger(exact) ? oneDecimal().format(exact) : whole().format(exact);
}

const threeDigits = lazily(() => new Intl.NumberFormat('en-US', { ...ENGLISH, maximumSignificantDigits: 3 }));
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
 * @example formatCompact(44_889_090) // '44.9 M'; formatCompact(902) // '902'; formatCompact(0.02) // '<0.1'
 */
export function formatCompact(value: number): string {
  const rounded = Number(value.toPrecision(3));
  const magnitude = MAGNITUDES.find(({ size }) => Math.abs(rounded) >= size);
  if (magnitude) return `${threeDigits().format(rounded / magnitude.size)} ${magnitude.letter}`;
  const text = formatNumber(value);
  return text === '0' && value > LEAST_USED ? LESS_THAN_SHOWN : text;
}

/** A smaller amount is what rounding left of a sum. */
const LEAST_USED = 1e-6;
/** A positive amount can be too small for its first digit, because the platform counts decimals: it is not zero. */
export const LESS_THAN_SHOWN = '<0.1';

/** Whether a change shows in the digits of `formatCompact`. */
export const isShownChange = (change: number): boolean =>
  Math.abs(change) >= 1 || formatNumber(Math.abs(change)) !== '0';

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
  return `${whole().format(percent)}%`;
}

/** @example ordinal(22) // '22nd' */
export function ordinal(day: number): string {
  const isTeen = day >= 11 && day <= 13;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
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

/** What a million credits cost. The amount is a decimal text, so that it is exact. */
export interface Price {
  /** Such as `4.20`. */
  perMillion: string;
  /** A code of ISO 4217, such as `USD`. */
  currency: string;
}

/** What an amount of credits costs, exactly. */
export interface Cost {
  /** In units of 10^-18 of the currency: a millionth of a credit at a millionth of the currency per million. */
  exact: bigint;
  currency: string;
}

/** Credits and prices count to six decimals, and a price is for a million. */
const DECIMALS = 6;
const COST_DECIMALS = 3 * DECIMALS;
/** From this many units of a currency, its decimals say less than they cost to read. */
const LEAST_WHOLE = 10n;

const CODE_BY_SYMBOL: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY' };

const MAX_TYPED_LENGTH = 40;
const FOR_A_MILLION = ' PER MILLION';

export const PRICE_EXAMPLE = '4.20 USD';
export const PRICE_RULE = `Type an amount and a currency, such as ${PRICE_EXAMPLE}.`;

/** Either a price, or a sentence that says why the text is no price or could mean two. */
export type PriceReading = { price: Price; problem?: undefined } | { price?: undefined; problem: string };

/**
 * The currency may be missing. A currency rules out the same readings as a letter after an amount, so `4.205 USD` has
 * decimals, and `4,205 USD` could mean two prices.
 *
 * @example splitPrice('12,50 EUR') // { price: { perMillion: '12.50', currency: 'EUR' } }; '7' has the currency ''
 */
export function splitPrice(text: string): PriceReading {
  const typed = text.trim();
  const upper = typed.length > MAX_TYPED_LENGTH ? '' : typed.toUpperCase();
  const price = upper.endsWith(FOR_A_MILLION) ? upper.slice(0, -FOR_A_MILLION.length).trimEnd() : upper;
  const [before = ''] = /^(?:[A-Z]{3}|[€$£¥])/.exec(price) ?? [];
  const [after = ''] = /(?:[A-Z]{3}|[€$£¥])$/.exec(price.slice(before.length)) ?? [];
  const digits = price.slice(before.length, price.length - after.length);
  const readings = readDecimals(digits, true).filter((decimal) => isPrice(decimal));
  const [perMillion, other] = readings;
  if (perMillion === undefined || (before !== '' && after !== '')) return { problem: PRICE_RULE };
  if (other !== undefined)
    return { problem: `“${typed}” could mean ${perMillion} or ${other}. Type ${perMillion} or ${other}0.` };
  return { price: { perMillion, currency: before + after } };
}

const isPrice = (decimal: string) => Number(decimal) > 0 && /^\d{1,9}(?:\.\d{1,6})?$/.test(decimal);

/** Requires a currency that exists. @example readPrice('4.20 USD per million') // { price: { perMillion: '4.20', currency: 'USD' } } */
export function readPrice(text: string): PriceReading {
  const reading = splitPrice(text);
  if (!reading.price) return reading;
  const currency = currencyOf(reading.price.currency);
  const exists = Intl.supportedValuesOf('currency').includes(currency);
  return exists ? { price: { ...reading.price, currency } } : { problem: PRICE_RULE };
}

/** @example currencyOf('€') // 'EUR' */
export const currencyOf = (symbol: string): string => CODE_BY_SYMBOL[symbol] ?? symbol;

export const isSamePrice = (one: Price, other: Price): boolean =>
  one.currency === other.currency && scaled(one.perMillion) === scaled(other.perMillion);

/** An integer of 10^-6. @example scaled('4.2') // 4_200_000n */
function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
}

export function costAt({ perMillion, currency }: Price, credits: number): Cost {
  return { exact: scaled(credits.toFixed(DECIMALS)) * scaled(perMillion), currency };
}

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/** undefined without any cost, or for two currencies, which cannot be added. */
export function sumCosts(costs: readonly Cost[]): Cost | undefined {
  const [first] = costs;
  if (!first || costs.some(({ currency }) => currency !== first.currency)) return undefined;
  return { exact: sumOf(costs.map(({ exact }) => exact)), currency: first.currency };
}

/** What fills the decimals that a cost of this size is shown with, such as a cent or a dollar. */
function stepOf({ exact, currency }: Cost): bigint {
  const { maximumFractionDigits: decimals = 0 } = formatterOf(currency).resolvedOptions();
  return 10n ** BigInt(COST_DECIMALS - (exact < LEAST_WHOLE * 10n ** BigInt(COST_DECIMALS) ? decimals : 0));
}

const roundTo = (exact: bigint, step: bigint): bigint => ((exact + step / 2n) / step) * step;

const formatterOf = (currency: string, decimals?: number) =>
  new Intl.NumberFormat('en-US', {
    ...(currency === '' ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { style: 'currency', currency }),
    ...(decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  });

function write(exact: bigint, step: bigint, currency: string): string {
  const unit = 10n ** BigInt(COST_DECIMALS);
  if (step === unit) return formatterOf(currency, 0).format(exact / unit);
  return formatterOf(currency).format(Number(exact / step) / Number(unit / step));
}

/**
 * Shows whole units from ten up. A positive cost that rounds to nothing is less than the least amount.
 *
 * @param like shares its decimals, so that both can be compared
 * @example formatCost(costAt(price, 20_000_000)) // '$84'; of 1,000 credits: '<$0.01'
 */
export function formatCost({ exact, currency }: Cost, like: Cost = { exact, currency }): string {
  const step = stepOf(like);
  const rounded = roundTo(exact, step);
  return rounded === 0n && exact > 0n ? `<${write(step, step, currency)}` : write(rounded, step, currency);
}

/** @example aboutCost(cost) // 'about $84' */
export const aboutCost = (cost: Cost): string => aboutAmount(formatCost(cost));

/** @param amount as `formatCost` returns it */
export const aboutAmount = (amount: string): string =>
  amount.startsWith('<') ? `less than ${amount.slice(1)}` : `about ${amount}`;

/** Follows an amount of credits; empty without a cost. @example costNote(cost) // ' (about $84)' */
export const costNote = (cost: Cost | undefined): string =>
  cost === undefined || cost.exact === 0n ? '' : ` (${aboutCost(cost)})`;

/** @example formatPrice({ perMillion: '4.20', currency: 'USD' }) // '$4.20' */
export function formatPrice({ perMillion, currency }: Price): string {
  const [, fraction = ''] = perMillion.split('.');
  const { maximumFractionDigits: usual = 0 } = formatterOf(currency).resolvedOptions();
  return formatterOf(currency, Math.max(usual, withoutTrailing(fraction, '0').length)).format(Number(perMillion));
}

/** What each named part of an amount of credits costs. */
export interface PartCosts {
  total: Cost;
  /** As they are shown, beside the total. */
  parts: ReadonlyMap<string, Cost>;
  /** Whether the parts don’t add up to the total as it is shown. */
  isRounded: boolean;
}

/** Rounds parts so that they add up to the total as it is shown: the largest remainders are rounded up. */
export function splitCost(total: Cost, exactParts: ReadonlyMap<string, Cost>): PartCosts {
  const { currency } = total;
  const step = stepOf(total);
  const named = [...exactParts].map(([name, { exact }]) => ({ name, floor: (exact / step) * step, exact }));
  const shownTotal = roundTo(total.exact, step);
  const isRounded = roundTo(sumOf(named.map(({ exact }) => exact)), step) !== shownTotal;
  const missing = Number((shownTotal - sumOf(named.map(({ floor }) => floor))) / step);
  const remainderOf = ({ exact, floor }: (typeof named)[number]) => exact - floor;
  const largestFirst = named.toSorted((a, b) =>
    remainderOf(a) < remainderOf(b) ? 1 : remainderOf(a) > remainderOf(b) ? -1 : 0,
  );
  const raised = new Set(largestFirst.slice(0, Math.max(0, missing)));
  const shownPart = (part: (typeof named)[number]) =>
    isRounded ? roundTo(part.exact, step) : part.floor + (raised.has(part) ? step : 0n);
  return {
    total,
    parts: new Map(named.map((part) => [part.name, { exact: shownPart(part), currency }])),
    isRounded,
  };
}

/** A part beside its total. Credits cost something, even if the other parts have all that is shown. */
export const formatPart = (cost: Cost, total: Cost, credits: number): string =>
  formatCost(cost.exact === 0n && credits > 0 ? { ...cost, exact: 1n } : cost, total);

/** Follows the credits of one or more parts; empty without costs. @example partNote(costs, ['atlas-large']) // ', $38' */
export function partNote(costs: PartCosts | undefined, names: readonly string[]): string {
  const cost = costs && sumCosts(names.flatMap((name) => costs.parts.get(name) ?? []));
  if (!cost) return '';
  // Credits cost something, even if the other parts have all that is shown.
  const amount = formatCost(cost.exact === 0n ? { ...cost, exact: 1n } : cost, costs.total);
  return `, ${amount}${costs.isRounded ? ' rounded' : ''}`;
}
