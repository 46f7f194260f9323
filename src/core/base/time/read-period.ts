import { formatDay, formatPeriod, lengthOf, plusDays, type Day, type Period } from './calendar.ts';
import { readPart, type RequestedPeriod } from './period-parts.ts';
import {
  canBeginPeriod,
  canBeInPeriod,
  DAY_NAMES,
  MONTH_NAMES,
  plainPeriodWord,
  spellDays,
} from './period-spelling.ts';

export type { RequestedPeriod } from './period-parts.ts';

/** Words for suggestions. */
export const PERIOD_WORDS = 'yesterday|7d|28d|last week|this week|last month|this month|mtd|ytd|since'
  .split('|')
  .concat(MONTH_NAMES, DAY_NAMES);

/** `from wednesday the 4th of november to friday the 6th of november` */
const MOST_WORDS = 13;

interface PeriodReading {
  /** Two or three for `02/01` or `last few days`. */
  meanings: readonly RequestedPeriod[];
  wordCount: number;
}

/**
 * Reads a period from the beginning of a list of words in lower case; undefined if there is none. The longest reading
 * wins.
 */
function readPeriodMeanings(words: readonly string[], today: Day): PeriodReading | undefined {
  if (!canBeginPeriod(words[0] ?? '')) return undefined;
  const end = words.slice(0, MOST_WORDS).findIndex((word) => !canBeInPeriod(word));
  const plain = words.slice(0, MOST_WORDS).map((word) => plainWords(word));
  for (let wordCount = end < 0 ? plain.length : end; wordCount > 0; wordCount -= 1) {
    // An article before the next word belongs to that word.
    if (plain[wordCount - 1] === '') continue;
    const meanings = readPhrase(plain.slice(0, wordCount).join(' ').replaceAll(/ +/g, ' ').trim(), today);
    // Without this check, “feb 30” would be read as February.
    const isWrongDate = meanings[0]?.unit === 'month' && /^\d{1,2}$/.test(words[wordCount] ?? '');
    if (meanings.length > 0 && !isWrongDate) return { meanings, wordCount };
  }
  return undefined;
}

/**
 * Reads a period of one meaning; undefined if there is none, or if there are several.
 *
 * @example readPeriod(['last', 'week', 'me'], '2026-03-04') // { requested: {first: '2026-02-23', …}, wordCount: 2 }
 */
export function readPeriod(
  words: readonly string[],
  today: Day,
): { requested: RequestedPeriod; wordCount: number } | undefined {
  const reading = readPeriodMeanings(words, today);
  const [requested, other] = reading?.meanings ?? [];
  return reading && requested && !other ? { requested, wordCount: reading.wordCount } : undefined;
}

/** Says what a period of several meanings could mean; undefined for other words. */
export function ambiguityOfPeriod(words: readonly string[], today: Day): string | undefined {
  const reading = readPeriodMeanings(words, today);
  if (!reading || reading.meanings.length < 2) return undefined;
  const typed = words.slice(0, reading.wordCount).join(' ');
  const meant = reading.meanings.map((one) => spellPeriod(one, today)).join(' or ');
  return `“${typed}” could mean several periods. Type ${meant}.`;
}

/** A month of the year before is hardly meant if the coming one of that name is nearer. */
const FAR_DAYS = 300;

/** A period in the words of commands. */
interface PeriodWords {
  /** One for each meaning. */
  words: readonly string[];
  isDay: boolean;
  /** No day of it is over, or it names a month far back without its year. */
  isAhead: boolean;
  wordCount: number;
}

/** Reads a period from the beginning of a message. */
export function readPeriodWords(words: readonly string[], today: Day): PeriodWords | undefined {
  const reading = readPeriodMeanings(words, today);
  return (
    reading && {
      words: reading.meanings.map((one) => spellPeriod(one, today)),
      isDay: reading.meanings.every(({ first, last }) => first === last),
      isAhead: reading.meanings.every(
        ({ first, last, label }) => first >= today || (!label.startsWith('last ') && last < plusDays(today, -FAR_DAYS)),
      ),
      wordCount: reading.wordCount,
    }
  );
}

/** The words of commands that mean this period. @example spellPeriod(readPeriod(['past', 'week'], today).requested, today) // 'last week' */
export function spellPeriod(period: RequestedPeriod, today: Day): string {
  const { first, last, lastDays, label } = period;
  if (lastDays !== undefined) return `${lastDays}d`;
  if (label.startsWith('since ')) return `since ${spellDays({ first, last: first }, today)}`;
  if (/^(?:this|last|next) |^(?:today|tomorrow|yesterday)$/.test(label)) return label;
  if (period.unit !== undefined && first <= today && today <= last) return `this ${period.unit}`;
  if (period.unit === 'year') return first.slice(0, 4);
  if (period.unit !== 'quarter') return spellDays({ first, last }, today);
  const year = first.slice(0, 4) === today.slice(0, 4) ? '' : ` ${first.slice(0, 4)}`;
  return `q${Math.ceil(Number(first.slice(5, 7)) / 3)}${year}`;
}

const plainWords = (word: string) =>
  word
    .split(/\.{2,}/)
    .map((one) => plainPeriodWord(one))
    .join(' to ');

const BEFORE =
  /^(?:(?:in|on|for|during|over|within|across|throughout|from|all|whole|entire|full|complete|so far|just|start) )+/;
const AFTER = / (?:so far|alone|onward|on|started|to now|to today|to date)$/;

function readPhrase(phrase: string, today: Day): readonly RequestedPeriod[] {
  const direct = readPart(phrase, today);
  if (direct.length > 0) return direct;
  const isOpen = /^(?:since|starting) /.test(phrase) || (phrase.startsWith('from ') && AFTER.test(phrase));
  if (isOpen) return readSince(phrase.replace(AFTER, ''), today);
  const range = readRange(phrase.replace(/^(?:(?:from|in|on|for|during|over|within) )+/, ''), today);
  if (range.length > 0) return range;
  const inner = phrase.replace(BEFORE, '').replace(/ (?:so far|alone)$/, '');
  return inner === phrase ? [] : readPart(inner, today);
}

function readSince(phrase: string, today: Day): readonly RequestedPeriod[] {
  const from = phrase.replace(/^(?:since|starting|from) /, '').replace(/^(?:start|early) /, '');
  const starts = readPart(/^(?:week|month|quarter|year)$/.test(from) ? `this ${from}` : from, today);
  return starts
    .filter(({ first }) => first < today)
    .map(({ first }) => ({ first, last: plusDays(today, -1), label: `since ${formatDay(first)}` }));
}

const MONTH_THEN_DAYS = /^([a-z]+) (\d{1,2})(?:st|nd|rd|th)? (?:to|and|&|\+) (\d{1,2})(?:st|nd|rd|th)?$/;
const DAYS_THEN_MONTH = /^(\d{1,2})(?:st|nd|rd|th)? (?:to|and|&|\+) (\d{1,2})(?:st|nd|rd|th)? ([a-z]+)$/;

function readRange(phrase: string, today: Day): readonly RequestedPeriod[] {
  if (!/ (?:to|and|&|\+) /.test(phrase)) return [];
  const plain = phrase.replace(/^between /, '');
  const [, month, one, other] = MONTH_THEN_DAYS.exec(plain) ?? [];
  if (month !== undefined) return readRange(`${month} ${one} to ${month} ${other}`, today);
  const [, first, last, name] = DAYS_THEN_MONTH.exec(plain) ?? [];
  if (name !== undefined) return readRange(`${first} ${name} to ${last} ${name}`, today);
  const [from = '', to = '', ...others] = plain.split(/ (?:to|and|&|\+) /);
  // “Monday and Tuesday” are days of one period; “October and November” may be compared.
  const isJoined = !plain.includes(' and ') || plain !== phrase || [from, to].every((day) => DAY_NAMES.includes(day));
  const [end, otherEnd] = readPart(to, today);
  if (!isJoined || others.length > 0 || !end || otherEnd) return [];
  const period = rangeTo(end, (notAfter) => readPart(from, plusDays(notAfter, 1)).at(0));
  return period ? [{ ...period, label: formatPeriod(period) }] : [];
}

/**
 * The days from a part of the calendar to another, in whichever order they were typed. A first date without a year is of
 * the year that gives the shorter period: `dec 20 to jan 5` begins in the year before, and `oct 7 to oct 1` is 1–7
 * October.
 *
 * @param readFirst the latest part of its name that begins before a day is over; one with a year is always itself
 */
function rangeTo(end: Period, readFirst: (notAfter: Day) => Period | undefined): Period | undefined {
  const starts = [readFirst(end.last), readFirst(`${end.last.slice(0, 4)}-12-31`)].filter((one) => one !== undefined);
  const periods = starts.map((start) =>
    start.first <= end.last ? { first: start.first, last: end.last } : { first: end.first, last: start.last },
  );
  return periods.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0];
}
