/** More than that is a slip of the finger, and every number up to here is exact. */
const LARGEST = 1_000_000_000_000;

const formatter = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/**
 * Reads an amount as people type it; nothing if it is none.
 *
 * @example readAmount('5,000') // 5000
 */
export function readAmount(text: string): number | undefined {
  const plain = /^\d{1,3}([,' ]\d{3})+(\.\d+)?$/.test(text.trim()) ? text.replaceAll(/[,' ]/g, '') : text.trim();
  if (!/^\d{1,13}(\.\d{1,2})?$/.test(plain)) return undefined;
  const amount = Number(plain);
  return amount <= LARGEST ? amount : undefined;
}

/** @example formatAmount(5000.5) // '5,000.5' */
export function formatAmount(amount: number): string {
  return formatter.format(amount);
}

export const AMOUNT_RULE = 'Type a number from 0 up, such as 5000, with at most two decimals.';
