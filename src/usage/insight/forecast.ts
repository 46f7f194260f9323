import { dayStateOf } from '../../analytics/day-state.ts';
import type { Part } from '../../analytics/facts.ts';
import type { CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import { FIRST_ANALYTICS_DAY } from '../../platform/endpoints/analytics-range.ts';
import { daysOf, formatDay, formatPeriod, plusDays, type Day, type Period } from '../../calendar.ts';
import { countOf, formatNumber } from '../../numbers.ts';
import { sumOf } from '../measures/figures.ts';
import { quantile } from './spread.ts';
import { weekdayOf, type DayAmount } from './weekdays.ts';

/** Two weeks: with fewer, hardly a weekday was seen twice. */
const LEAST_DAYS = 14;
/** Eight weeks: older days tell of another team size. */
const MAX_DAYS = 56;
/** A late batch is no gap: so many of the latest days may still be unpublished. */
const LATE_DAYS = 2;
/** A weekday seen less often than this has no spread of its own. */
const LEAST_OF_A_WEEKDAY = 2;

/** Where the credits of this month are heading. */
export interface Forecast {
  /** The whole month, as far as there are figures. */
  month: Period;
  /** What is published of it. */
  soFar: number;
  daysSoFar: number;
  /** To the end of the month: every day still to come like the median of its weekday, or like a quartile of it. */
  expected: number;
  lower: number;
  upper: number;
  /** The settled days that it rests on. */
  restsOn: { days: number; first: Day; last: Day };
}

export type KnownForecast =
  | { kind: 'known'; value: Forecast }
  | { kind: 'unreadable' }
  | { kind: 'too_few_days'; settled: number }
  | { kind: 'missing_days'; days: Day[] };

/**
 * Credits to the end of the month of `today`. Pure.
 *
 * @param credits must reach back to the first of the month; eight weeks are used if they are there
 */
export function forecastMonth(credits: Part<CreditsRow>, today: Day): KnownForecast {
  if (credits.kind === 'unreadable') return { kind: 'unreadable' };
  const month = monthOf(today);
  const published = new Map(credits.rows.map((row) => [row.date, row.billable_tokens]));
  const past = daysOf(month).filter((day) => day < today);
  const missing = past.filter((day) => !published.has(day) && day < plusDays(today, -LATE_DAYS));
  if (missing.length > 0) return { kind: 'missing_days', days: missing };
  const settled = credits.rows
    .filter((row) => dayStateOf(row.date, true, today) === 'settled')
    .map((row) => ({ day: row.date, amount: row.billable_tokens }))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .slice(-MAX_DAYS);
  const [first, last] = [settled[0], settled.at(-1)];
  if (!first || !last || settled.length < LEAST_DAYS) return { kind: 'too_few_days', settled: settled.length };
  const known = past.flatMap((day) => published.get(day) ?? []);
  const toCome = daysOf(month).filter((day) => day >= today || !published.has(day));
  const soFar = sumOf(known, (amount) => amount);
  const endAt = (part: number) => soFar + sumOf(toCome, (day) => quantile(likeDays(settled, day), part));
  return {
    kind: 'known',
    value: {
      month,
      soFar,
      daysSoFar: known.length,
      expected: endAt(0.5),
      lower: endAt(0.25),
      upper: endAt(0.75),
      restsOn: { days: settled.length, first: first.day, last: last.day },
    },
  };
}

function likeDays(settled: readonly DayAmount[], day: Day): number[] {
  const same = settled.filter((one) => weekdayOf(one.day) === weekdayOf(day));
  return (same.length < LEAST_OF_A_WEEKDAY ? settled : same).map((one) => one.amount);
}

function monthOf(day: Day): Period {
  const start = `${day.slice(0, 7)}-01`;
  const nextMonth = plusDays(start, 31).slice(0, 7);
  return {
    first: start < FIRST_ANALYTICS_DAY ? FIRST_ANALYTICS_DAY : start,
    last: plusDays(`${nextMonth}-01`, -1),
  };
}

/** Two short sentences: where it goes, and what that rests on. */
export function forecastSentences(forecast: KnownForecast): string[] {
  switch (forecast.kind) {
    case 'unreadable':
      return [];
    case 'too_few_days':
      return [`No forecast yet: it needs ${LEAST_DAYS} settled days, there are ${formatNumber(forecast.settled)}.`];
    case 'missing_days': {
      const [first = ''] = forecast.days;
      const more = forecast.days.length > 1 ? ` and ${countOf(forecast.days.length - 1, 'more day')}` : '';
      return [`No forecast: ${formatDay(first)}${more} of this month ${more === '' ? 'is' : 'are'} not published.`];
    }
    case 'known':
      return knownSentences(forecast.value);
    default:
      return forecast satisfies never;
  }
}

function knownSentences({ month, soFar, daysSoFar, expected, lower, upper, restsOn }: Forecast): string[] {
  const basis = formatPeriod({ first: restsOn.first, last: restsOn.last });
  const [from, to] = [roundNumber(lower), roundNumber(upper)];
  const range = from === to ? '' : `, most likely ${from} to ${to}`;
  return [
    `Heading for about ${roundNumber(expected)} Standard Credits by ${formatDay(month.last)}${range}.`,
    `So far ${formatNumber(soFar)} on ${countOf(daysSoFar, 'day')}; the rest as in the middle half of the same weekdays of ${countOf(restsOn.days, 'settled day')}, ${basis}.`,
  ];
}

/** Three figures: more would promise what no forecast knows. */
const roundNumber = (value: number) => formatNumber(Number(value.toPrecision(3)));
