/** Letters and digits that nobody mistakes for each other, read aloud or typed on a phone. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 4;

/**
 * A short id that people type.
 *
 * @param random from 0 to below 1
 */
export function makeId(random: () => number): string {
  return Array.from({ length: LENGTH }, () => SIGNS[Math.floor(random() * SIGNS.length)] ?? 'a').join('');
}
