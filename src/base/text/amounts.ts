import { formatCompact } from './numbers.ts';

/** A larger amount is a typing mistake. Every number up to this one is exact. */
const LARGEST = 1_000_000_000_000;

const formatter = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

const MULTIPLES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000, b: 1_000_000_000 };
const GROUPED = /^\d{1,3}(?:(?:[,' ]\d{3})+|(?:\.\d{3})+)(?=$|\.\d{1,2}$)/;
const MAX_TYPED_LENGTH = 30;

/**
 * Undefined if the text is no amount. Three digits after a point are a group, because amounts have at most two
 * decimals.
 *
 * @example readAmount('5,000') // 5000, as is '5.000' or '5k'; readAmount('2.5m') // 2500000
 */
export function readAmount(text: string): number | undefined {
  const typed = text.trim().slice(0, MAX_TYPED_LENGTH).toLowerCase();
  const [, digits = '', letter = ''] = /^([^a-z]*?) ?([kmb])?$/.exec(typed) ?? [];
  const plain = digits.replace(GROUPED, (group) => group.replaceAll(/[,' .]/g, ''));
  const isAmount = letter === '' ? /^\d{1,13}(\.\d{1,2})?$/ : /^\d{1,7}(\.\d{1,3})?$/;
  if (!isAmount.test(plain)) return undefined;
  // Whole thousandths are exact; products of decimals are not.
  const amount = letter === '' ? Number(plain) : (Math.round(Number(plain) * 1_000) * (MULTIPLES[letter] ?? 1)) / 1_000;
  return amount <= LARGEST ? amount : undefined;
}

/** @example formatAmount(5000.5) // '5,000.5' */
export const formatAmount = (amount: number): string => formatter.format(amount);

/** Shortens only if no digit is lost. @example formatShortAmount(6_000_000) // '6 M'; 6_123_456 gives '6,123,456' */
export function formatShortAmount(amount: number): string {
  return Number(amount.toPrecision(3)) === amount ? formatCompact(amount) : formatAmount(amount);
}

export const AMOUNT_RULE = 'Type a number from 0 up, such as 5,000,000 or 5m, with at most two decimals.';
