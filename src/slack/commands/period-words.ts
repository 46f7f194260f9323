import { plusDays, readPeriod, type Day, type Period } from '../../base/time/calendar.ts';

const DAYS = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

/**
 * Replaces a period at the beginning of the words, in the grammar of `/usage`, by one word with its days. Figures end
 * with yesterday, but events happen today too, so open periods are extended to today.
 *
 * @param words the words after the subcommand
 * @example joinPeriod(['last', 'week', '5'], '2026-03-04') // ['2026-02-23..2026-03-01', '5']
 */
export function joinPeriod(words: readonly string[], today: Day): readonly string[] {
  const found = readPeriod(
    words.map((word) => word.toLowerCase()),
    today,
  );
  if (!found) return words;
  const { first, last, lastDays, label } = found.requested;
  const isUntilNow = lastDays !== undefined || label.startsWith('since ');
  const days = {
    first: lastDays === undefined ? first : plusDays(first, 1),
    last: isUntilNow ? today : last,
  };
  return [`${days.first}..${days.last}`, ...words.slice(found.taken)];
}

/** Reads a word from `joinPeriod`. */
export function daysOfWord(word: string): Period | undefined {
  const [, first, last] = DAYS.exec(word) ?? [];
  return first === undefined || last === undefined ? undefined : { first, last };
}
