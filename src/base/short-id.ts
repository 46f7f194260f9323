/** Letters and digits that nobody mistakes for each other, read aloud or typed on a phone. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * A short id that people type.
 *
 * @param random from 0 to below 1
 * @example makeShortId(Math.random, 5) // 'k7m2x'
 */
export function makeShortId(random: () => number, length: number): string {
  return Array.from({ length }, () => ALPHABET[Math.floor(random() * ALPHABET.length)] ?? 'a').join('');
}
