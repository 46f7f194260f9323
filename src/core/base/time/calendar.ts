import { memoizeByText } from '../memoize-by-text.ts';
import { DAY_MS, MINUTE_MS } from './durations.ts';
// Without the texts of a date, whose three formatters would be made at each start, in 15 ms.
import { UTCDateMini } from '@date-fns/utc/date/mini';
import { format, isValid } from './date-fns.ts';

/** A UTC calendar date, `YYYY-MM-DD`. */
export type Day = string;

/** A first and a last day, both included. */
export interface Period {
  first: Day;
  last: Day;
}

/** @example instantsOf({ first: '2026-03-02', last: '2026-03-02' }) // { from: '2026-03-02T00:00:00.000Z', before: '2026-03-03T00:00:00.000Z' } */
export const instantsOf = ({ first, last }: Period): { from: string; before: string } => ({
  from: `${first}T00:00:00.000Z`,
  before: `${plusDays(last, 1)}T00:00:00.000Z`,
});

export type CalendarUnit = 'month' | 'quarter' | 'year';

/** @example dayOf(new Date('2026-03-02T23:30:00-05:00')) // '2026-03-03' */
export const dayOf = (instant: Date): Day => instant.toISOString().slice(0, 10);

/** For each pattern the latest thirty years: an answer formats some days again and again. */
const MAX_FORMATTED = 110_000;
const formatters = new Map<string, (day: Day) => string>();

/** @param pattern one of this file, of which there are few. @example formatIn('d MMM', '2026-03-02') // '2 Mar' */
function formatIn(pattern: string, day: Day): string {
  let formatter = formatters.get(pattern);
  if (!formatter) {
    formatter = memoizeByText((text: Day) => format(new UTCDateMini(`${text}T00:00:00Z`), pattern), MAX_FORMATTED);
    formatters.set(pattern, formatter);
  }
  return formatter(day);
}

/** UTC days have no clock changes, so days are counted as numbers. Views and digests do it thousands of times. */
export const DAYS_IN_A_WEEK = 7;

/** Days since 1970-01-01. @example dayNumberOf('1970-01-08') // 7 */
export const dayNumberOf = (day: Day): number => Date.parse(day) / DAY_MS;

/** @example plusDays('2026-03-01', -1) // '2026-02-28' */
export const plusDays = (day: Day, count: number): Day => dayOfNumber(dayNumberOf(day) + count);

/** Thirty years; each answer names hundreds of days, mostly the same ones, and a date takes ten times as long. */
const MAX_DAYS_NAMED = 11_000;
const daysNamed = new Map<number, Day>();

function dayOfNumber(number: number): Day {
  const known = daysNamed.get(number);
  if (known !== undefined) return known;
  const day = dayOf(new Date(number * DAY_MS));
  if (daysNamed.size >= MAX_DAYS_NAMED) daysNamed.clear();
  daysNamed.set(number, day);
  return day;
}

/** The number of days in a period, both ends included. */
export const lengthOf = (period: Period): number => (Date.parse(period.last) - Date.parse(period.first)) / DAY_MS + 1;

/** @example mondayOf('2026-03-04') // '2026-03-02' */
export const mondayOf = (day: Day): Day => plusDays(day, -((weekdayOf(day) + 6) % DAYS_IN_A_WEEK));

/** @example weekdayOf('2026-03-02') // 1, a Monday; a Sunday is 0 */
export const weekdayOf = (day: Day): number => new Date(day).getUTCDay();

const MONTHS_OF: Record<CalendarUnit, number> = { month: 1, quarter: 3, year: 12 };

/** The month, quarter or year of a day, or an earlier one. @example calendarPart('2026-03-04', 'month') // March */
export function calendarPart(day: Day, unit: CalendarUnit, offset = 0): Period {
  const months = MONTHS_OF[unit];
  const date = new Date(day);
  const year = date.getUTCFullYear();
  const month = Math.floor(date.getUTCMonth() / months) * months + offset * months;
  return { first: dayOf(new Date(Date.UTC(year, month, 1))), last: dayOf(new Date(Date.UTC(year, month + months, 0))) };
}

export function daysOf(period: Period): Day[] {
  const first = dayNumberOf(period.first);
  return Array.from({ length: Math.max(0, lengthOf(period)) }, (_, index) => dayOfNumber(first + index));
}

/** @example isDay('2026-02-30') // false */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // Some dates that do not exist are read as one of the next month.
  const date = new Date(`${text}T00:00:00Z`);
  return isValid(date) && dayOf(date) === text;
}

/** @example formatDay('2026-03-02') // 'Mon 2 Mar' */
export const formatDay = (day: Day): string => formatIn('EEE d MMM', day);

/** @example weekdayName('2026-03-02') // 'Monday' */
export const weekdayName = (day: Day): string => formatIn('EEEE', day);

/** Leaves out the year of `today`. @example formatDate('2026-03-02') // '2 Mar' */
export function formatDate(day: Day, today = day): string {
  return formatIn(day.slice(0, 4) === today.slice(0, 4) ? 'd MMM' : 'd MMM yyyy', day);
}

/** Leaves out the year of `today`. @example formatMonth('2026-02-28') // 'February 2026' */
export function formatMonth(day: Day, today?: Day): string {
  return formatIn(day.slice(0, 4) === today?.slice(0, 4) ? 'MMMM' : 'MMMM yyyy', day);
}

/**
 * Leaves out the year if the whole period is in the year of `today`.
 *
 * @example formatPeriod({ first: '2026-03-01', last: '2026-03-07' }) // '1–7 Mar 2026'
 * @example formatPeriod({ first: '2026-02-23', last: '2026-03-01' }, '2026-03-04') // '23 Feb – 1 Mar'
 */
export function formatPeriod({ first, last }: Period, today?: Day): string {
  const year = [first, last].every((day) => day.slice(0, 4) === today?.slice(0, 4)) ? '' : ' yyyy';
  if (first === last) return formatIn(`EEE d MMM${year}`, first);
  if (first.slice(0, 7) === last.slice(0, 7)) return `${formatIn('d', first)}–${formatIn(`d MMM${year}`, last)}`;
  if (first.slice(0, 4) === last.slice(0, 4)) return `${formatIn('d MMM', first)} – ${formatIn(`d MMM${year}`, last)}`;
  return `${formatIn('d MMM yyyy', first)} – ${formatIn('d MMM yyyy', last)}`;
}

/** Whether a text is an IANA time zone that this program knows. @example isTimeZone('Europe/Berlin') // true */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** After a longer jump of the clock, what runs each minute runs once. Nobody walks through days of missed minutes. */
const MAX_MINUTES = 60;

/** The starts of the minutes that passed, in order; `jumped`: the clock was set back, or far ahead. */
export type PassedMinutes = readonly Date[] | 'jumped';

export const untilNextMinuteMs = (nowMs: number): number => MINUTE_MS - (nowMs % MINUTE_MS);

/** Returns a function that tells which minutes began since its last call; undefined within the same minute. */
export function createMinuteWatch(nowMs: () => number): () => PassedMinutes | undefined {
  const readMinute = () => Math.floor(nowMs() / MINUTE_MS);
  let last = readMinute();
  return () => {
    const [before, current] = [last, readMinute()];
    last = current;
    const count = current - before;
    if (count === 0) return undefined;
    if (count < 0 || count > MAX_MINUTES) return 'jumped';
    return Array.from({ length: count }, (_, index) => new Date((before + 1 + index) * MINUTE_MS));
  };
}
