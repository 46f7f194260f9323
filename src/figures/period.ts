import { comparedPeriod } from '../analytics/comparison.ts';
import { cutToExisting, notBeforeFirstDay, PLATFORM_BEGINNING, type Beginning } from '../analytics/existing-period.ts';
import type { Part } from '../analytics/day-facts.ts';
import {
  dayOf,
  formatDate,
  formatDay,
  lengthOf,
  plusDays,
  type Day,
  type Period,
  type RequestedPeriod,
} from '../base/time/calendar.ts';
import type { Clock } from '../base/time/clock.ts';
import { countOf } from '../base/text/numbers.ts';
import { FORECAST_DAYS } from './insight/forecast.ts';
import { USUAL_DAYS } from './insight/unusual.ts';
import type { Dated, ReportScope } from './measures/figures.ts';

/** How many days "the last 7 days" may move back to end with a published day. A longer gap is shown as a gap. */
const MAX_SHIFT_DAYS = 2;
/** A forecast concerns the current month: answers about periods that ended earlier than this leave it out. */
const CURRENT_DAYS = 4;

/** Today’s date in UTC, like every day here. */
export function todayOf({ clock }: { clock: Clock }): Day {
  return dayOf(clock.now());
}

export type PeriodChoice = { kind: 'none'; sentence: string } | { kind: 'chosen'; period: Period; notes: string[] };

/** Figures of people are deleted earlier than those of the organization, so `beginning` depends on the request. */
export function choosePeriod(requested: RequestedPeriod, today: Day, beginning = PLATFORM_BEGINNING): PeriodChoice {
  const existing = cutToExisting(requested, today, beginning);
  if (existing.kind === 'before_all') {
    return { kind: 'none', sentence: `${beginningSentence(beginning)}; ${requested.label} is before that.` };
  }
  if (existing.kind === 'not_yet') {
    return {
      kind: 'none',
      sentence: `There are no figures for ${requested.label} yet: the platform has them through yesterday (UTC).`,
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
export function isCurrent({ period, today }: ReportScope): boolean {
  return period.last >= plusDays(today, -CURRENT_DAYS);
}

/** Every answer about a day judges it by the same earlier days, which also determine the forecast of the month. */
export function historyOf(scope: ReportScope): Period {
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
export function daysToRead(scope: ReportScope, hasHistory: boolean): Period {
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
type SettledPeriod = ReportScope & { notes: string[] };

/** While yesterday is unpublished, "the last 7 days" end with the last published day of `part`. */
export function settlePeriod(
  requested: RequestedPeriod,
  chosenPeriod: Period,
  part: Part<Dated>,
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
