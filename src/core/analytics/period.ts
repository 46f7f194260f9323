import { countOf } from '../base/text/numbers.ts';
import {
  DAYS_IN_A_WEEK,
  calendarPart,
  dayOf,
  formatDate,
  formatDay,
  lengthOf,
  plusDays,
  weekdayOf,
  type CalendarUnit,
  type Day,
  type Period,
} from '../base/time/calendar.ts';
import { type RequestedPeriod } from '../base/time/read-period.ts';
import type { Clock } from '../base/time/clock.ts';
import { FIRST_ANALYTICS_DAY } from '../platform/endpoints/analytics-range.ts';
import type { Part } from './day-facts.ts';

/** The number of days before today that a forecast is based on, in every answer. */
export const FORECAST_DAYS = 92;
/** The number of days before a day that tell what is usual for it: thirteen weeks, so that ten holidays are a few. */
export const USUAL_DAYS = 91;

/** How many days "the last 7 days" may move back to end with a published day. A longer gap is shown as a gap. */
const MAX_SHIFT_DAYS = 2;
/** A forecast concerns the current month: answers about periods that ended earlier than this leave it out. */
const CURRENT_DAYS = 4;

export interface Beginning {
  first: Day;
  /** The number of days for which figures of people are kept; undefined: the platform has no earlier figures. */
  keptDays?: number;
}

export const PLATFORM_BEGINNING: Beginning = { first: FIRST_ANALYTICS_DAY };

/** @example beginningOfPeople('2027-03-01', 375) // { first: '2026-02-19', keptDays: 375 } */
export function beginningOfPeople(today: Day, keptDays: number): Beginning {
  const first = plusDays(today, -keptDays);
  return first > FIRST_ANALYTICS_DAY ? { first, keptDays } : PLATFORM_BEGINNING;
}

export type ExistingPeriod =
  | { kind: 'exists'; period: Period; cutAtStart: boolean; cutAtEnd: boolean }
  | { kind: 'before_all' }
  | { kind: 'not_yet' };

/** Cuts a period to the days from the first day with figures through yesterday. */
export function cutToExisting(requested: Period, today: Day, { first } = PLATFORM_BEGINNING): ExistingPeriod {
  const yesterday = plusDays(today, -1);
  if (requested.last < first) return { kind: 'before_all' };
  if (requested.first > yesterday) return { kind: 'not_yet' };
  const period = {
    first: requested.first < first ? first : requested.first,
    last: requested.last > yesterday ? yesterday : requested.last,
  };
  return {
    kind: 'exists',
    period,
    cutAtStart: period.first !== requested.first,
    cutAtEnd: period.last !== requested.last,
  };
}

export function notBeforeFirstDay(day: Day, { first } = PLATFORM_BEGINNING): Day {
  return day < first ? first : day;
}

/**
 * Returns the period to compare with: whole weeks earlier, so that each day faces the same weekday. A month, quarter or
 * year is compared with the previous one or, while it runs, with the same part of it once that has each weekday.
 * @returns undefined if the compared period would begin before the first day with figures
 * @example comparedPeriod({ first: '2026-03-02', last: '2026-03-02' }) // Monday 23 February
 */
export function comparedPeriod(
  period: Period,
  unit?: CalendarUnit,
  { first } = PLATFORM_BEGINNING,
): Period | undefined {
  const hasEachWeekday = lengthOf(period) >= DAYS_IN_A_WEEK;
  const before = unit && hasEachWeekday ? samePartBefore(period, unit) : weeksBefore(period);
  return before.first < first ? undefined : before;
}

function weeksBefore(period: Period): Period {
  const shift = Math.ceil(lengthOf(period) / DAYS_IN_A_WEEK) * DAYS_IN_A_WEEK;
  return { first: plusDays(period.first, -shift), last: plusDays(period.last, -shift) };
}

function samePartBefore(period: Period, unit: CalendarUnit): Period {
  const whole = calendarPart(period.first, unit);
  const before = calendarPart(period.first, unit, -1);
  const samePart = plusDays(before.first, lengthOf(period) - 1);
  return { first: before.first, last: period.last === whole.last || samePart > before.last ? before.last : samePart };
}

/** Whether each weekday of the period occurs in the compared one: then a mean of that weekday exists. */
export function coversWeekdays(period: Period, comparedWith: Period): boolean {
  const before = countWeekdays(comparedWith);
  return countWeekdays(period).every((count, weekday) => count === 0 || (before[weekday] ?? 0) > 0);
}

export function hasSameWeekdays(period: Period, comparedWith: Period): boolean {
  const [own, before] = [countWeekdays(period), countWeekdays(comparedWith)];
  return own.every((count, weekday) => count === before[weekday]);
}

/**
 * Returns the weight of each compared day: the weighted days add up to the period’s weekdays at the compared period’s
 * mean of each weekday. A month with one more Monday is not “up”.
 * @example const before = sumOf(rows, (row) => row.credits * weightOf(row.date));
 */
export function weekdayWeights(period: Period, comparedWith: Period): (day: Day) => number {
  const [own, before] = [countWeekdays(period), countWeekdays(comparedWith)];
  const weights = own.map((count, weekday) => count / (before[weekday] || 1));
  const firstWeekday = weekdayOf(comparedWith.first);
  return (day) =>
    weights[(firstWeekday + lengthOf({ first: comparedWith.first, last: day }) - 1) % DAYS_IN_A_WEEK] ?? 1;
}

function countWeekdays(period: Period): number[] {
  const length = lengthOf(period);
  const first = weekdayOf(period.first);
  return Array.from({ length: DAYS_IN_A_WEEK }, (_, weekday) => {
    const offset = (weekday - first + DAYS_IN_A_WEEK) % DAYS_IN_A_WEEK;
    return Math.ceil(Math.max(0, length - offset) / DAYS_IN_A_WEEK);
  });
}

export interface PeriodScope {
  period: Period;
  /** undefined if it would begin before the first day with figures. */
  comparedWith: Period | undefined;
  today: Day;
}

/** Today’s date in UTC, like every day here. */
export function todayOf({ clock }: { clock: Clock }): Day {
  return dayOf(clock.now());
}

export type PeriodChoice =
  /** `isAhead`: none of its days has ended yet. */
  { kind: 'none'; sentence: string; isAhead: boolean } | { kind: 'chosen'; period: Period; notes: string[] };

/** Figures of people are deleted earlier than those of the organization, so `beginning` depends on the request. */
export function choosePeriod(requested: RequestedPeriod, today: Day, beginning = PLATFORM_BEGINNING): PeriodChoice {
  const existing = cutToExisting(requested, today, beginning);
  if (existing.kind === 'before_all') {
    const sentence = `${beginningSentence(beginning)}; ${requested.label} is before that.`;
    return { kind: 'none', sentence, isAhead: false };
  }
  if (existing.kind === 'not_yet') {
    return {
      kind: 'none',
      sentence: `There are no figures for ${requested.label} yet: the platform has them through yesterday (UTC).`,
      isAhead: true,
    };
  }
  const notes: string[] = [];
  if (existing.cutAtStart) notes.push(`${beginningSentence(beginning)}, so the period starts then.`);
  if (existing.cutAtEnd)
    notes.push(
      `The platform has figures through yesterday (UTC), so the period ends with ${formatDay(existing.period.last)}.`,
    );
  return { kind: 'chosen', period: existing.period, notes };
}

/** With the year, because figures can begin long ago. */
const dateWords = (day: Day) => formatDate(day, '');

export function beginningSentence({ first, keptDays }: Beginning): string {
  return keptDays === undefined
    ? `The platform has figures since ${dateWords(first)}`
    : `Figures of people are kept for ${countOf(keptDays, 'day')}, since ${dateWords(first)}`;
}

/** Whether a period reaches the last few days, so that its month is still running or has just ended. Pure. */
export function isCurrent({ period, today }: PeriodScope): boolean {
  return period.last >= plusDays(today, -CURRENT_DAYS);
}

/** Every answer about a day judges it by the same earlier days, which also determine the forecast of the month. */
export function historyOf(scope: PeriodScope): Period {
  const { period, today } = scope;
  const usual = { first: plusDays(period.first, -USUAL_DAYS), last: period.last };
  const forecast = { first: plusDays(today, -FORECAST_DAYS), last: plusDays(today, -1) };
  const { first, last } = isCurrent(scope) ? spanOf(usual, forecast) : usual;
  return { first: notBeforeFirstDay(first), last };
}

export function spanOf(a: Period, b: Period | undefined): Period {
  if (!b) return a;
  return { first: a.first < b.first ? a.first : b.first, last: a.last > b.last ? a.last : b.last };
}

/** Returns both periods and, for a forecast, the month so far. `hasHistory`: with unusual days and a forecast. */
export function daysToRead(scope: PeriodScope, hasHistory: boolean): Period {
  const { period, comparedWith, today } = scope;
  const firsts = [comparedWith?.first ?? period.first];
  const hasForecast = hasHistory && isCurrent(scope);
  if (hasForecast) firsts.push(`${today.slice(0, 7)}-01`);
  const last = hasForecast ? plusDays(today, -1) : period.last;
  return { first: notBeforeFirstDay(firsts.toSorted()[0] ?? period.first), last };
}

/** The same for a period that may still move. Pure. */
export function daysToReadOf(requested: RequestedPeriod, period: Period, today: Day, hasHistory: boolean): Period {
  const compared = { first: comparedPeriod(period, requested.unit)?.first ?? period.first, last: period.last };
  return daysToRead({ period, comparedWith: withRoom(requested, compared), today }, hasHistory);
}

/** Adds the days by which "the last 7 days" may still move. Pure. */
export function withRoom(requested: RequestedPeriod, { first, last }: Period): Period {
  return {
    first: requested.lastDays === undefined ? first : notBeforeFirstDay(plusDays(first, -MAX_SHIFT_DAYS)),
    last,
  };
}

/** The period after it moved to end with a published day, with notes about the move. */
type SettledPeriod = PeriodScope & { notes: string[] };

/** While yesterday is unpublished, "the last 7 days" end with the last published day of `part`. */
export function settlePeriod(
  requested: RequestedPeriod,
  chosenPeriod: Period,
  part: Part<{ date: Day }>,
  today: Day,
  beginning = PLATFORM_BEGINNING,
): SettledPeriod {
  const lastPublished =
    part.kind === 'read' ? part.rows.findLast((row) => row.date <= chosenPeriod.last)?.date : undefined;
  const { period, notes } = endPublished(requested, chosenPeriod, lastPublished, beginning);
  const comparedWith = comparedPeriod(period, requested.unit, beginning);
  return { period, comparedWith, today, notes: [...notes, ...(comparedWith ? [] : [notCompared(beginning)])] };
}

const notCompared = ({ first, keptDays }: Beginning) =>
  keptDays === undefined
    ? `Not compared: the period before starts before ${dateWords(first)}, the first day with figures.`
    : `Not compared: figures of people before ${dateWords(first)} are no longer kept.`;

function endPublished({ lastDays }: RequestedPeriod, period: Period, last: Day | undefined, beginning: Beginning) {
  if (lastDays === undefined || last === undefined || last >= period.last) return { period, notes: [] };
  const shift = lengthOf({ first: last, last: period.last }) - 1;
  if (shift > MAX_SHIFT_DAYS) return { period, notes: [] };
  return {
    period: { first: notBeforeFirstDay(plusDays(period.first, -shift), beginning), last },
    notes: [`${formatDay(period.last)} isn’t published yet, so this covers the days to ${formatDay(last)}.`],
  };
}
