import { run, unexpected, type ReadSubcommand } from './subcommands.ts';
import { DAY_NAMES } from '../../base/time/period-spelling.ts';
import { DAYS_IN_A_WEEK, lengthOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';
import { readPeriod } from '../../base/time/read-period.ts';

const DAYS = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

/**
 * Reads the grammar of `/usage`. Figures end with yesterday, but events happen today too, so open periods end today.
 *
 * @param words the words after the subcommand
 * @example joinPeriod(['last', 'week', '5'], '2026-03-04') // ['2026-02-23..2026-03-01', '5']
 */
export function joinPeriod(words: readonly string[], today: Day): readonly string[] {
  const reading = readPeriod(
    words.map((word) => word.toLowerCase()),
    today,
  );
  if (!reading) return words;
  const { first, last, lastDays, label } = reading.requested;
  const isUntilNow = lastDays !== undefined || label.startsWith('since ');
  const days = {
    first: lastDays === undefined ? first : plusDays(first, 1),
    last: isUntilNow ? today : last,
  };
  return [`${days.first}..${days.last}`, ...words.slice(reading.wordCount)];
}

/** Finds periods anywhere. `isOther`: a word has another meaning at its place, such as a name after `by`. */
export function joinPeriods(
  words: readonly string[],
  today: Day,
  isOther: (word: string, before: string | undefined) => boolean = () => false,
): string[] {
  const joined: string[] = [];
  let remainingWords = words;
  while (remainingWords.length > 0) {
    if (!isOther(remainingWords[0] ?? '', joined.at(-1))) remainingWords = joinPeriod(remainingWords, today);
    joined.push(...remainingWords.slice(0, 1));
    remainingWords = remainingWords.slice(1);
  }
  return joined;
}

/** A subcommand that takes only a period: `list last week`, read after `joinPeriods`. */
export const ofDays =
  <Request>(make: (days: Period | undefined) => Request): ReadSubcommand<Request> =>
  ([word, ...rest], subcommand) => {
    const days = word === undefined ? undefined : daysOfWord(word);
    const extra = days === undefined ? word : rest[0];
    return extra === undefined ? run(make(days)) : unexpected(extra, subcommand);
  };

/** Reads a word from `joinPeriod`. */
export function daysOfWord(word: string): Period | undefined {
  const [, first, last] = DAYS.exec(word) ?? [];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** Periods are read back in time: here a weekday is the next one, and a date without a year that of the next twelve months. */
export function readDayAhead(words: readonly string[], today: Day): Day | undefined {
  const read = readPeriod(words, today);
  if (!read || read.wordCount !== words.length || lengthOf(read.requested) !== 1) return undefined;
  const day = read.requested.first;
  if (day > today || words.some((one) => /\d{4}/.test(one))) return day;
  if (DAY_NAMES.some((name) => name === words[0])) return plusDays(day, DAYS_IN_A_WEEK);
  return words.length > 1 ? `${Number(day.slice(0, 4)) + 1}${day.slice(4)}` : day;
}
