import { UTCDate } from '@date-fns/utc';
import {
  calendarPart,
  dayOf,
  DAYS_IN_A_WEEK,
  formatDay,
  formatPeriod,
  isDay,
  lengthOf,
  mondayOf,
  plusDays,
  weekdayOf,
  type CalendarUnit,
  type Day,
  type Period,
} from './calendar.ts';
import { isValid, parse } from './date-fns.ts';

/** The period that a person asked for, before it is cut to the days that exist. */
export interface RequestedPeriod extends Period {
  /** The period in everyday words: `last week`. */
  label: string;
  /** `7d` means the last 7 *published* days, so it ends a day earlier while yesterday is not published. */
  lastDays?: number;
  /** Set if the period is a part of the calendar, which is compared with the previous part. */
  unit?: CalendarUnit;
}

export const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ');
export const DAY_NAMES = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** Words for suggestions. */
export const PERIOD_WORDS = 'yesterday|7d|28d|last week|this week|last month|this month|mtd|since'
  .split('|')
  .concat(MONTH_NAMES, DAY_NAMES);

/** The longest `Nd`: longer than the platform's whole history, and short enough that dates do not overflow. */
const MAX_DAYS = 3_660;

/**
 * Reads a period from the beginning of a list of words in lower case; undefined if there is none. The longest reading
 * wins.
 *
 * @example readPeriod(['last', 'week', 'me'], '2026-03-04') // { requested: {first: '2026-02-23', …}, wordCount: 2 }
 */
export function readPeriod(
  words: readonly string[],
  today: Day,
): { requested: RequestedPeriod; wordCount: number } | undefined {
  for (let wordCount = Math.min(words.length, 7); wordCount > 0; wordCount -= 1) {
    const requested = readPhrase(words.slice(0, wordCount).join(' '), today);
    // Without this check, “feb 30” would be read as February.
    const isWrongDate = requested?.unit === 'month' && /^\d{1,2}$/.test(words[wordCount] ?? '');
    if (requested && !isWrongDate) return { requested, wordCount };
  }
  return undefined;
}

function readPhrase(phrase: string, today: Day): RequestedPeriod | undefined {
  const period = readPart(phrase, today) ?? readDates(phrase, today);
  if (period || !phrase.startsWith('since ')) return period;
  const since = phrase.slice('since '.length);
  const first = (readPart(since, today) ?? readDates(since, today))?.first;
  if (first === undefined || first >= today) return undefined;
  return { first, last: plusDays(today, -1), label: `since ${formatDay(first)}` };
}

function readPart(phrase: string, today: Day): RequestedPeriod | undefined {
  return readNamed(phrase, today) ?? readLastDays(phrase, today) ?? readCalendarName(phrase, today);
}

const NAMED_PARTS: Readonly<Record<string, { unit: CalendarUnit; offset: number; label: string } | undefined>> = {
  mtd: { unit: 'month', offset: 0, label: 'this month' },
  'this month': { unit: 'month', offset: 0, label: 'this month' },
  'last month': { unit: 'month', offset: -1, label: 'last month' },
  'this quarter': { unit: 'quarter', offset: 0, label: 'this quarter' },
  'last quarter': { unit: 'quarter', offset: -1, label: 'last quarter' },
  'this year': { unit: 'year', offset: 0, label: 'this year' },
  'last year': { unit: 'year', offset: -1, label: 'last year' },
};

function readNamed(phrase: string, today: Day): RequestedPeriod | undefined {
  const yesterday = plusDays(today, -1);
  const monday = mondayOf(today);
  const part = Object.hasOwn(NAMED_PARTS, phrase) ? NAMED_PARTS[phrase] : undefined;
  if (part) return { ...calendarPart(today, part.unit, part.offset), label: part.label, unit: part.unit };
  switch (phrase) {
    case 'today':
      return { first: today, last: today, label: 'today' };
    case 'yesterday':
      return { first: yesterday, last: yesterday, label: 'yesterday' };
    case 'this week':
      return { first: monday, last: plusDays(monday, 6), label: 'this week' };
    case 'last week':
      return { first: plusDays(monday, -7), last: plusDays(monday, -1), label: 'last week' };
    default:
      return undefined;
  }
}

const SHORTEST_NAME = 3;

/** The index of a name, or of its abbreviation of at least three letters; -1 if the list lacks it. */
const indexOfName = (names: readonly string[], word: string) =>
  word.length < SHORTEST_NAME ? -1 : names.findIndex((name) => name.startsWith(word));

/** Reads `monday`, `october`, `oct 2026`, `2026-10`, `q3`, `q3 2026`, `2026`. By default the latest that has begun. */
function readCalendarName(phrase: string, today: Day): RequestedPeriod | undefined {
  const weekday = indexOfName(DAY_NAMES, phrase);
  if (weekday >= 0) {
    const back = (weekdayOf(today) - weekday + DAYS_IN_A_WEEK) % DAYS_IN_A_WEEK || DAYS_IN_A_WEEK;
    const day = plusDays(today, -back);
    return { first: day, last: day, label: formatPeriod({ first: day, last: day }) };
  }
  const [, name = '', year] = /^([a-z]+|q[1-4])(?: (\d{4}))?$/.exec(phrase) ?? [];
  const month = indexOfName(MONTH_NAMES, name);
  if (month >= 0) return readCalendarPart('month', month, year, today);
  if (name.startsWith('q')) return readCalendarPart('quarter', (Number(name.slice(1)) - 1) * 3, year, today);
  const [, isoYear, isoMonth] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(phrase) ?? [];
  if (isoYear === undefined) return undefined;
  return isoMonth === undefined
    ? readCalendarPart('year', 0, isoYear, today)
    : readCalendarPart('month', Number(isoMonth) - 1, isoYear, today);
}

function readCalendarPart(
  unit: CalendarUnit,
  month: number,
  year: string | undefined,
  today: Day,
): RequestedPeriod | undefined {
  const firstIn = (one: number) => dayOf(new Date(Date.UTC(one, month, 1)));
  const thisYear = Number(today.slice(0, 4));
  const first =
    year === undefined ? [firstIn(thisYear), firstIn(thisYear - 1)].find((one) => one <= today) : firstIn(Number(year));
  if (first === undefined) return undefined;
  const period = calendarPart(first, unit);
  return { ...period, label: formatPeriod(period), unit };
}

function readLastDays(phrase: string, today: Day): RequestedPeriod | undefined {
  const [, number = 0, unit] = /^(?:last )?(\d{1,4}) ?(d|w)(?:(?<=d)ays?|(?<=w)eeks?)?$/.exec(phrase) ?? [];
  const count = Number(number) * (unit === 'w' ? DAYS_IN_A_WEEK : 1);
  if (count < 1 || count > MAX_DAYS) return undefined;
  return {
    first: plusDays(today, -count),
    last: plusDays(today, -1),
    label: count === 1 ? 'the last day' : `the last ${count} days`,
    lastDays: count,
  };
}

function readDates(phrase: string, today: Day): RequestedPeriod | undefined {
  // A range of ISO dates may also have a dash: autocorrection makes `2026-11-01-2026-11-07`.
  const parts =
    /^(\d{4}-\d{2}-\d{2})-(\d{4}-\d{2}-\d{2})$/.exec(phrase)?.slice(1) ?? phrase.split(/\.{2,}| to | until | - /);
  if (parts.length > 2) return undefined;
  const [from = '', to = from] = parts.map((part) => part.trim());
  const last = readDate(to, today);
  if (last === undefined) return undefined;
  const period = parts.length === 1 ? { first: last, last } : rangeTo(last, (notAfter) => readDate(from, notAfter));
  return period && { ...period, label: formatPeriod(period) };
}

/**
 * The days from a date to `last`, in whichever order the two were typed. A first date without a year is of the year that
 * gives the shorter period: `dec 20 to jan 5` begins in the year before, and `oct 7 to oct 1` is 1–7 October.
 *
 * @param readFirst the latest date of its name that is not after a day; a date with a year is always itself
 */
export function rangeTo(last: Day, readFirst: (notAfter: Day) => Day | undefined): Period | undefined {
  const dates = [readFirst(last), readFirst(`${last.slice(0, 4)}-12-31`)].filter((date) => date !== undefined);
  const periods = dates.map((date) => (date <= last ? { first: date, last } : { first: last, last: date }));
  return periods.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0];
}

const DATE_FORMATS = ['MMM d', 'd MMM', 'MMMM d', 'd MMMM'];

/** A date without a year is the latest one of that name that is not after `notAfter`. */
function readDate(text: string, notAfter: Day): Day | undefined {
  if (isDay(text)) return text;
  // Each word of a command is tried as a date, and each format of it takes longer than this.
  if (!/\d/.test(text)) return undefined;
  const year = Number(notAfter.slice(0, 4));
  for (const pattern of DATE_FORMATS) {
    for (const candidate of [year, year - 1]) {
      const date = parse(`${text} ${candidate}`, `${pattern} yyyy`, new UTCDate(0));
      if (isValid(date) && dayOf(date) <= notAfter) return dayOf(date);
    }
  }
  return undefined;
}
