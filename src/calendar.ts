import { UTCDate } from '@date-fns/utc';
import {
  addDays,
  addMonths,
  differenceInCalendarDays,
  endOfMonth,
  format,
  isValid,
  parse,
  startOfISOWeek,
  startOfMonth,
} from './date-fns.ts';

/** A UTC calendar date, `YYYY-MM-DD`. */
export type Day = string;

/** A first and a last day, both included. */
export interface Period {
  first: Day;
  last: Day;
}

/** What a person asked for, before it is cut to what exists. */
export interface RequestedPeriod extends Period {
  /** As people would say it: `last week`. */
  label: string;
  /** `7d`: the last so many *published* days, so it ends a day earlier while yesterday is not published. */
  lastDays?: number;
}

/** @example dayOf(new Date('2026-03-02T23:30:00-05:00')) // '2026-03-03' */
export function dayOf(instant: Date): Day {
  return instant.toISOString().slice(0, 10);
}

const toDate = (day: Day) => new UTCDate(`${day}T00:00:00Z`);
const toDay = (date: Date): Day => format(date, 'yyyy-MM-dd');

/** @example plusDays('2026-03-01', -1) // '2026-02-28' */
export function plusDays(day: Day, count: number): Day {
  return toDay(addDays(toDate(day), count));
}

/** How many days a period has, both ends included. */
export function lengthOf(period: Period): number {
  return differenceInCalendarDays(toDate(period.last), toDate(period.first)) + 1;
}

/** Every day of a period, first to last. */
export function daysOf(period: Period): Day[] {
  return Array.from({ length: Math.max(0, lengthOf(period)) }, (_, index) => plusDays(period.first, index));
}

/** Is `text` a date of the calendar (2026-02-30 is not)? */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isValid(parse(text, 'yyyy-MM-dd', new UTCDate(0)));
}

/** @example formatDay('2026-03-02') // 'Mon 2 Mar' */
export function formatDay(day: Day): string {
  return format(toDate(day), 'EEE d MMM');
}

/** @example formatMonth('2026-02-28') // 'February 2026' */
export function formatMonth(day: Day): string {
  return format(toDate(day), 'MMMM yyyy');
}

/** @example formatPeriod({ first: '2026-03-01', last: '2026-03-07' }) // '1 – 7 Mar 2026' */
export function formatPeriod({ first, last }: Period): string {
  const [from, to] = [toDate(first), toDate(last)];
  if (first === last) return format(from, 'EEE d MMM yyyy');
  if (first.slice(0, 7) === last.slice(0, 7)) return `${format(from, 'd')} – ${format(to, 'd MMM yyyy')}`;
  if (first.slice(0, 4) === last.slice(0, 4)) return `${format(from, 'd MMM')} – ${format(to, 'd MMM yyyy')}`;
  return `${format(from, 'd MMM yyyy')} – ${format(to, 'd MMM yyyy')}`;
}

/** Words with which a period begins; for suggestions. */
export const PERIOD_WORDS = ['yesterday', '7d', '28d', 'last week', 'this week', 'last month', 'this month', 'mtd'];

/** How far back `Nd` may reach: more than the platform's whole history so far, and no overflow of dates. */
const MAX_DAYS = 3_660;

/**
 * Reads a period from the beginning of a list of words.
 *
 * @param words in lower case
 * @param today the UTC date of now
 * @returns the longest reading, and how many words it took; nothing if there is no period at the beginning
 * @example readPeriod(['last', 'week', 'me'], '2026-03-04') // { requested: {first: '2026-02-23', …}, taken: 2 }
 */
export function readPeriod(
  words: readonly string[],
  today: Day,
): { requested: RequestedPeriod; taken: number } | undefined {
  for (let taken = Math.min(words.length, 7); taken > 0; taken -= 1) {
    const requested = readPhrase(words.slice(0, taken).join(' '), today);
    if (requested) return { requested, taken };
  }
  return undefined;
}

function readPhrase(phrase: string, today: Day): RequestedPeriod | undefined {
  return readNamed(phrase, today) ?? readLastDays(phrase, today) ?? readDates(phrase, today);
}

function readNamed(phrase: string, today: Day): RequestedPeriod | undefined {
  const now = toDate(today);
  const yesterday = plusDays(today, -1);
  const monday = startOfISOWeek(now);
  switch (phrase) {
    case 'today':
      return { first: today, last: today, label: 'today' };
    case 'yesterday':
      return { first: yesterday, last: yesterday, label: 'yesterday' };
    case 'this week':
      return { first: toDay(monday), last: plusDays(toDay(monday), 6), label: 'this week' };
    case 'last week':
      return { first: toDay(addDays(monday, -7)), last: toDay(addDays(monday, -1)), label: 'last week' };
    case 'mtd':
    case 'this month':
      return { first: toDay(startOfMonth(now)), last: toDay(endOfMonth(now)), label: 'this month' };
    case 'last month': {
      const month = addMonths(startOfMonth(now), -1);
      return { first: toDay(month), last: toDay(endOfMonth(month)), label: 'last month' };
    }
    default:
      return undefined;
  }
}

function readLastDays(phrase: string, today: Day): RequestedPeriod | undefined {
  const match = /^(?:last )?(\d{1,4}) ?d(?:ays?)?$/.exec(phrase);
  const count = Number(match?.[1] ?? 0);
  if (count < 1 || count > MAX_DAYS) return undefined;
  return {
    first: plusDays(today, -count),
    last: plusDays(today, -1),
    label: count === 1 ? 'the last day' : `the last ${count} days`,
    lastDays: count,
  };
}

function readDates(phrase: string, today: Day): RequestedPeriod | undefined {
  // A range of ISO dates may also be written with a dash: `2026-11-01-2026-11-07` is what autocorrection leaves.
  const parts =
    /^(\d{4}-\d{2}-\d{2})-(\d{4}-\d{2}-\d{2})$/.exec(phrase)?.slice(1) ?? phrase.split(/\.{2,}| to | until | - /);
  if (parts.length > 2) return undefined;
  const [from = '', to = from] = parts.map((part) => part.trim());
  const last = readDate(to, today);
  // `dec 20 to jan 5`: the first date belongs to the year before the last one.
  const first = last && readDate(from, parts.length === 2 ? last : today);
  if (!first || !last) return undefined;
  const [earlier, later] = first <= last ? [first, last] : [last, first];
  return { first: earlier, last: later, label: formatPeriod({ first: earlier, last: later }) };
}

const DATE_FORMATS = ['MMM d', 'd MMM', 'MMMM d', 'd MMMM'];

/** A date without a year is the latest one of that name that is not after `notAfter`. */
function readDate(text: string, notAfter: Day): Day | undefined {
  if (isDay(text)) return text;
  const year = Number(notAfter.slice(0, 4));
  for (const pattern of DATE_FORMATS) {
    for (const candidate of [year, year - 1]) {
      const date = parse(`${text} ${candidate}`, `${pattern} yyyy`, new UTCDate(0));
      if (isValid(date) && toDay(date) <= notAfter) return toDay(date);
    }
  }
  return undefined;
}
