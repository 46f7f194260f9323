import { dayStateOf } from '../../analytics/reading/day-store.ts';
import type { DailyCreditsRow, Part } from '../../analytics/day-facts.ts';
import type { CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import { FORECAST_DAYS, notBeforeFirstDay } from '../../analytics/period.ts';
import {
  DAYS_IN_A_WEEK,
  type Day,
  type Period,
  calendarPart,
  dayNumberOf,
  daysOf,
  formatDay,
  formatMonth,
  formatPeriod,
  lengthOf,
  plusDays,
} from '../../base/time/calendar.ts';
import { countOf, formatCompact, formatNumber, formatRange } from '../../base/text/numbers.ts';
import { memoizeByJson } from '../../base/memoize-by-text.ts';
import { meanOf, sumOf } from '../../base/statistics.ts';
import { type Outlook, sumAhead } from './month-end.ts';

/** Two weeks: with fewer days, hardly any weekday occurred twice. */
const LEAST_DAYS = 14;

/** The latest days that may still be unpublished without counting as a gap, because the batch may be late. */
const LATE_DAYS = 2;

export interface Forecast {
  /** The whole period, from the first day with figures. */
  period: Period;
  /** The credits of its published days. */
  soFar: number;
  daysSoFar: number;
  /** By the end of the period. */
  expected: number;
  range: { lower: number; upper: number } | undefined;
  restsOn: { days: number; first: Day; last: Day };
}

export type ForecastDecision =
  | { kind: 'known'; value: Forecast }
  | { kind: 'too_few_days'; settled: number }
  | { kind: 'missing_days'; days: Day[] };

export type KnownForecast = ForecastDecision | { kind: 'unreadable' };

/** `credits` must reach from the first of the month through yesterday; of `history`, the last `FORECAST_DAYS` count. */
export function forecastMonth(credits: Part<CreditsRow>, history: Part<DailyCreditsRow>, today: Day): KnownForecast {
  if (credits.kind === 'unreadable' || history.kind === 'unreadable') return { kind: 'unreadable' };
  const { first, last } = calendarPart(today, 'month');
  const period = { first: notBeforeFirstDay(first), last };
  const rows = credits.rows.map(({ date, billable_tokens }) => ({ date, billable_tokens }));
  return forecastOnce({ period, rows, history: history.rows, today });
}

const REMEMBERED = 100;

interface ForecastFacts {
  period: Period;
  rows: readonly DailyCreditsRow[];
  history: readonly DailyCreditsRow[];
  today: Day;
}

const forecastOnce = memoizeByJson(
  ({ period, rows, history, today }: ForecastFacts) => forecastPeriod(period, rows, history, today),
  REMEMBERED,
);

/** `rows` must reach from the period’s first day through yesterday; of `history`, the last `FORECAST_DAYS` count. */
export function forecastPeriod(
  period: Period,
  rows: readonly DailyCreditsRow[],
  history: readonly DailyCreditsRow[],
  today: Day,
): ForecastDecision {
  const published = new Map(rows.map((row) => [row.date, row.billable_tokens]));
  const past = daysOf({ first: period.first, last: earlierOf(plusDays(today, -1), period.last) });
  const late = plusDays(today, -LATE_DAYS);
  const missing = past.filter((day) => !published.has(day) && day < late);
  if (missing.length > 0) return { kind: 'missing_days', days: missing };
  const oldest = plusDays(today, -FORECAST_DAYS);
  const settled = history.filter((row) => row.date >= oldest && dayStateOf(row.date, true, today) === 'settled');
  const [first, last] = [settled[0]?.date, settled.at(-1)?.date];
  if (first === undefined || last === undefined || settled.length < LEAST_DAYS)
    return { kind: 'too_few_days', settled: settled.length };
  const soFar = sumOf(past, (day) => published.get(day) ?? 0);
  const next = plusDays(past.at(-1) ?? plusDays(period.first, -1), 1);
  const toCome = { first: past.find((day) => !published.has(day)) ?? next, last: period.last };
  const before = sumOf(past, (day) => (day < toCome.first ? (published.get(day) ?? 0) : 0));
  const skipped = lengthOf({ first: last, last: toCome.first }) - 2;
  const isOver = lengthOf(toCome) < 1;
  const ahead: Outlook | undefined = isOver
    ? { expected: 0 }
    : sumAhead(withoutGaps(settled), dayNumberOf(first), skipped, lengthOf(toCome));
  if (!ahead) return { kind: 'too_few_days', settled: settled.length };
  const endAt = (rest: number) => Math.max(soFar, before + rest);
  return {
    kind: 'known',
    value: {
      period,
      soFar,
      daysSoFar: past.filter((day) => published.has(day)).length,
      expected: endAt(ahead.expected),
      range: ahead.range && { lower: endAt(ahead.range.lower), upper: endAt(ahead.range.upper) },
      restsOn: { days: settled.length, first, last },
    },
  };
}

const earlierOf = (one: Day, other: Day) => (one < other ? one : other);

/** Returns the amounts of all days from first to last; a missing day gets the mean of its weekday, or of all days. */
function withoutGaps(rows: readonly DailyCreditsRow[]): number[] {
  const start = dayNumberOf(rows[0]?.date ?? '');
  const points = rows.map((row) => ({ at: dayNumberOf(row.date) - start, amount: row.billable_tokens }));
  const amounts: (number | undefined)[] = Array.from({ length: (points.at(-1)?.at ?? -1) + 1 });
  for (const { at, amount } of points) amounts[at] = amount;
  const like = (at: number) => {
    const same = points.filter((one) => (one.at - at) % DAYS_IN_A_WEEK === 0);
    return meanOf((same.length === 0 ? points : same).map((one) => one.amount));
  };
  return amounts.map((amount, at) => amount ?? like(at));
}

/** Returns two short sentences about a month: its expected end, and the basis of the forecast. */
export function forecastSentences(forecast: KnownForecast): string[] {
  switch (forecast.kind) {
    case 'unreadable':
      return [];
    case 'too_few_days':
      return [
        `No forecast yet: it needs ${LEAST_DAYS} days with final figures, and there are ${formatNumber(forecast.settled)}.`,
      ];
    case 'missing_days': {
      const [first = ''] = forecast.days;
      const more = forecast.days.length > 1 ? ` and ${countOf(forecast.days.length - 1, 'more day')}` : '';
      return [`No forecast: ${formatDay(first)}${more} ${more === '' ? 'isn’t' : 'aren’t'} published.`];
    }
    case 'known':
      return knownSentences(forecast.value);
    default:
      return forecast satisfies never;
  }
}

function knownSentences({ period, soFar, daysSoFar, expected, range, restsOn }: Forecast): string[] {
  const basis = formatPeriod({ first: restsOn.first, last: restsOn.last }, period.last);
  const likely = likelyWords(range);
  const why = range
    ? 'In trials, about 8 of 10 months ended in the likely range.'
    : 'That is too few for a likely range.';
  const how = `The rest is estimated from ${countOf(restsOn.days, 'final day')}, ${basis}`;
  return [
    `${formatMonth(period.last)} is on track for about ${formatCompact(expected)}${likely === undefined ? '' : ` (likely ${likely})`}.`,
    `${formatCompact(soFar)} so far, on ${countOf(daysSoFar, 'day')}. ${how}. ${why}`,
  ];
}

/** undefined if both ends read the same. @example likelyWords({ lower: 159e6, upper: 173e6 }) // '159–173 M' */
export function likelyWords(range: Outlook['range']): string | undefined {
  const isOne = !range || formatCompact(range.lower) === formatCompact(range.upper);
  return isOne ? undefined : formatRange(range.lower, range.upper, '–');
}
