import { lazily } from '../lazily.ts';
import { readDecimals } from './decimals.ts';
import { formatCompact } from './numbers.ts';

/** A larger amount is a typing mistake. Every number up to this one is exact. */
const LARGEST = 1_000_000_000_000;

const formatter = lazily(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }));

/** The power of ten of each letter or word that can follow a number. */
const EXPONENTS: Readonly<Record<string, number>> = {
  '': 0,
  credit: 0,
  credits: 0,
  k: 3,
  thousand: 3,
  m: 6,
  mn: 6,
  mio: 6,
  million: 6,
  millions: 6,
  b: 9,
  bn: 9,
  billion: 9,
  billions: 9,
};
const MAX_TYPED_LENGTH = 40;
const NUMBER_WORDS = 'one two three four five six seven eight nine ten'.split(' ');
/** `five million` */
const NUMBER_WORD = /^(?:one|two|three|four|five|six|seven|eight|nine|ten)(?= [a-z])/i;

export const AMOUNT_RULE =
  'Type a number from 0 up, without a sign, such as 5,000,000 or 5m, with at most two decimals.';

/** Either an amount of credits, or a sentence that says why the text is no amount or could mean two. */
export type AmountReading = { amount: number; problem?: undefined } | { amount?: undefined; problem: string };

/**
 * Reads an amount of credits as people type it: with groups of digits, with decimals, and with a letter. A text that
 * could mean two amounts is refused, and the sentence names both.
 *
 * @example readAmount('5,000') // { amount: 5000 }; '2.5m' and '2,5 M' are 2500000, '1.250m' is 1250000
 *
 * @example readAmount('1.250') // { problem: '“1.250” could mean 1,250 or 1.25. Type 1,250 or 1.25.' }
 */
export function readAmount(text: string): AmountReading {
  const typed = text.trim().replace(NUMBER_WORD, (word) => String(NUMBER_WORDS.indexOf(word.toLowerCase()) + 1));
  if (typed.length > MAX_TYPED_LENGTH) return { problem: AMOUNT_RULE };
  const letters = typed.search(/[a-z]/i);
  const digits = letters < 0 ? typed : typed.slice(0, letters);
  // `5m`, `5 credits`, `5m credits`
  const [unit = '', noun = 'credits', ...rest] = letters < 0 ? [] : typed.slice(letters).toLowerCase().split(/\s+/);
  const isKnown = Object.hasOwn(EXPONENTS, unit) && /^credits?$/.test(noun) && rest.length === 0;
  const exponent = isKnown ? EXPONENTS[unit] : undefined;
  if (exponent === undefined) return { problem: AMOUNT_RULE };
  const readings = readDecimals(digits, exponent > 0)
    .map((decimal) => shiftPoint(decimal, exponent))
    .filter((decimal) => Number(decimal) <= LARGEST);
  const [reading, other] = readings;
  if (reading === undefined) return { problem: AMOUNT_RULE };
  if (other !== undefined) return { problem: ambiguity(typed, reading, other) };
  return hasFewDecimals(reading) ? { amount: Number(reading) } : { problem: AMOUNT_RULE };
}

/** Multiplies without the error that a product of decimals has. @example shiftPoint('1.2', 3) // '1200.' */
function shiftPoint(decimal: string, exponent: number): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const shifted = fraction.padEnd(exponent, '0');
  return `${whole}${shifted.slice(0, exponent)}.${shifted.slice(exponent)}`;
}

const hasFewDecimals = (decimal: string) => /^\d+\.\d{0,2}0*$/.test(decimal);

function ambiguity(typed: string, one: string, other: string): string {
  const [first, second] = [one, other].map((decimal) =>
    new Intl.NumberFormat('en-US', { maximumFractionDigits: 9 }).format(Number(decimal)),
  );
  const advice = hasFewDecimals(other) ? `Type ${first} or ${second}.` : `Type ${first}, or at most two decimals.`;
  return `“${typed}” could mean ${first} or ${second}. ${advice}`;
}

/** @example formatAmount(5000.5) // '5,000.5' */
export const formatAmount = (amount: number): string => formatter().format(amount);

/** Shortens only if no digit is lost. @example formatShortAmount(6_000_000) // '6 M'; 6_123_456 gives '6,123,456' */
export function formatShortAmount(amount: number): string {
  return Number(amount.toPrecision(3)) === amount ? formatCompact(amount) : formatAmount(amount);
}
