import type { Clock } from '../../clock.ts';

export interface Identifiers {
  /** `F` → `F0000000012`: like Slack's, and easy to distinguish in a failure. */
  next(prefix: string): string;
  /** Letters and digits that cannot be guessed from earlier ones. */
  token(length: number): string;
  /** A message time stamp, `1772355600.000100`, different from all before. */
  timestamp(): string;
  nowSeconds(): number;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * @param clock for the time stamps; it may stop or be moved back
 * @param random returns a number from 0 to below 1, for tokens
 */
export function createIdentifiers(clock: Clock, random: () => number): Identifiers {
  let count = 0;
  let lastMicroseconds = 0;
  const used = new Set<number>();
  return {
    next: (prefix) => `${prefix}${String(++count).padStart(10, '0')}`,
    token: (length) => Array.from({ length }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join(''),
    timestamp: () => {
      let microseconds = clock.now().getTime() * 1000;
      // A frozen clock would repeat a stamp; a clock that was moved back must not stay in the future.
      if (Math.abs(lastMicroseconds - microseconds) < 1_000_000) {
        microseconds = Math.max(microseconds, lastMicroseconds + 1);
      }
      while (used.has(microseconds)) microseconds += 1;
      used.add(microseconds);
      lastMicroseconds = microseconds;
      const digits = String(microseconds).padStart(16, '0');
      return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
    },
    nowSeconds: () => Math.floor(clock.now().getTime() / 1000),
  };
}
