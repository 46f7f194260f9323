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
  dayOf,
  daysOf,
  formatDay,
  formatMonth,
  formatPeriod,
  lengthOf,
  plusDays,
} from '../../base/time/calendar.ts';
import { DAY_MS } from '../../base/time/durations.ts';
import { countOf, formatCompact, formatNumber, formatRange } from '../../base/text/numbers.ts';
import { memoizeByJson } from '../../base/memoize-by-text.ts';
import { meanOf, sumOf } from '../../base/statistics.ts';
import { sumAhead, type Uncertainty } from './month-end.ts';
import { usualRange } from './unusual.ts';

/** Two weeks: with fewer days, hardly any weekday occurred twice. */
const LEAST_DAYS = 14;

/** The latest days that may still be unpublished without counting as a gap, because the batch may be late. */
const LATE_DAYS = 2;

export interface LikelyRange {
  lower: number;
  upper: number;
}

export interface Forecast {
  /** The whole period, from the first day with figures. */
  period: Period;
  /** The credits of its published days. */
  soFar: number;
  daysSoFar: number;
  /** By the end of the period. */
  expected: number;
  /** The credits by which the published days will likely still rise, as such days did before. */
  rise?: number | undefined;
  range: LikelyRange | undefined;
  /** Why there is no range; undefined if no day is left. */
  uncertainty?: Uncertainty | undefined;
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
  return forecastPeriod(period, rows, history.rows, today);
}

/** A thousand budgets and digests of a morning ask for fewer different ones; each takes about half a kilobyte. */
const REMEMBERED = 1_000;

interface ForecastFacts {
  period: Period;
  rows: readonly DailyCreditsRow[];
  history: readonly DailyCreditsRow[];
  today: Day;
}

/** `rows` must reach from the period’s first day through yesterday; of `history`, the last `FORECAST_DAYS` count. */
export function forecastPeriod(
  period: Period,
  rows: readonly DailyCreditsRow[],
  history: readonly DailyCreditsRow[],
  today: Day,
): ForecastDecision {
  return forecastOnce({ period, rows, history, today });
}

const forecastOnce = memoizeByJson((facts: ForecastFacts) => forecastOf(facts), REMEMBERED);

function forecastOf({ period, rows, history, today }: ForecastFacts): ForecastDecision {
  const published = new Map(rows.map((row) => [row.date, row.billable_tokens]));
  const past = daysOf({ first: period.first, last: earlierOf(plusDays(today, -1), period.last) });
  const late = plusDays(today, -LATE_DAYS);
  const missing = past.filter((day) => !published.has(day) && day < late);
  if (missing.length > 0) return { kind: 'missing_days', days: missing };
  const oldest = plusDays(today, -FORECAST_DAYS);
  const settled = history.filter((row) => row.date >= oldest && dayStateOf(row.date, true, today) === 'settled');
  const first = settled[0]?.date;
  if (first === undefined || settled.length < LEAST_DAYS) return { kind: 'too_few_days', settled: settled.length };
  const soFar = sumOf(past, (day) => published.get(day) ?? 0);
  const next = plusDays(past.at(-1) ?? plusDays(period.first, -1), 1);
  const firstOpen = past.find((day) => !published.has(day)) ?? next;
  const known = history.filter(({ date }) => date >= oldest && date < earlierOf(today, firstOpen));
  const doubtful = firstDoubtfulDay(known, today);
  const trusted = known.filter(({ date }) => doubtful === undefined || date < doubtful).map((row) => asExpected(row));
  const last = trusted.at(-1)?.date ?? first;
  const rises = risesOf(known.filter(({ date }) => date >= period.first && date <= period.last));
  const daysSoFar = past.filter((day) => published.has(day)).length;
  const value = { period, soFar, daysSoFar, ...(rises.expected > 0 ? { rise: rises.expected } : {}) };
  const restsOn = { days: trusted.length, first, last };
  /** Adds the days from one on to the published ones before it. */
  const endFrom = (from: Day) => {
    const skipped = lengthOf({ first: last, last: from }) - 2;
    const count = lengthOf({ first: from, last: period.last });
    const ahead =
      count < 1
        ? { expected: 0, range: undefined }
        : sumAhead(withoutGaps(trusted), dayNumberOf(first), skipped, count);
    const before = sumOf(past, (day) => (day < from ? (published.get(day) ?? 0) : 0)) + rises.expected;
    const endAt = (rest: number) => Math.max(soFar, before + rest);
    return ahead && { expected: endAt(ahead.expected), range: mapRange(ahead.range, endAt) };
  };
  const end = endFrom(firstOpen);
  const risen = doubtful === undefined ? end : endFrom(doubtful < period.first ? period.first : doubtful);
  if (!end || !risen) return { kind: 'too_few_days', settled: settled.length };
  const expected = (end.expected + risen.expected) / 2;
  const [low, high] = [end.range, risen.range];
  if (!isRange(low) || !isRange(high)) {
    const uncertainty = isRange(low) ? undefined : low;
    return { kind: 'known', value: { ...value, expected, range: undefined, uncertainty, restsOn } };
  }
  // What is told later of the last days, and what the days ahead bring, have nothing to do with each other.
  const lower = expected - Math.hypot(expected - Math.min(low.lower, high.lower), rises.below);
  const upper = expected + Math.hypot(Math.max(low.upper, high.upper) - expected, rises.above);
  return { kind: 'known', value: { ...value, expected, range: { lower: Math.max(soFar, lower), upper }, restsOn } };
}

const asExpected = ({ date, billable_tokens, likely }: DailyCreditsRow): DailyCreditsRow => ({
  date,
  billable_tokens: likely?.expected ?? billable_tokens,
});

/** How much more than was told the days that may still change will come to, and how far that is from certain. */
function risesOf(rows: readonly DailyCreditsRow[]): Record<'expected' | 'below' | 'above', number> {
  const rising = rows.flatMap(({ billable_tokens, likely }) => (likely ? [{ ...likely, told: billable_tokens }] : []));
  return {
    expected: sumOf(rising, ({ expected, told }) => expected - told),
    below: Math.hypot(...rising.map(({ expected, low }) => expected - low)),
    above: Math.hypot(...rising.map(({ expected, high }) => high - expected)),
  };
}

type AheadRange = LikelyRange | Uncertainty | undefined;

const isRange = (range: AheadRange): range is LikelyRange => typeof range === 'object' && 'lower' in range;

const mapRange = (range: AheadRange, map: (amount: number) => number): AheadRange =>
  isRange(range) ? { lower: map(range.lower), upper: map(range.upper) } : range;

/** A day that may still change and is below its usual range may be told in part. If the day before is too, it isn’t one. */
function firstDoubtfulDay(known: readonly DailyCreditsRow[], today: Day): Day | undefined {
  const days = known.map((row) => ({ day: row.date, amount: row.billable_tokens }));
  const isLearned = new Set(known.filter(({ likely }) => likely).map(({ date }) => date));
  const isLow = ({ day, amount }: (typeof days)[number]) => amount < (usualRange(days, day)?.low ?? 0);
  const fresh = days.filter(({ day }) => dayStateOf(day, true, today) === 'fresh' && !isLearned.has(day));
  const first = fresh.find((day) => isLow(day));
  if (!first) return undefined;
  const before = days.findLast(({ day }) => day < first.day);
  return before && isLow(before) ? undefined : first.day;
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

/** A smaller rise changes nothing that is shown. */
const LEAST_RISE = 0.005;

function knownSentences({ period, soFar, daysSoFar, expected, rise, range, uncertainty, restsOn }: Forecast): string[] {
  const basis = formatPeriod({ first: restsOn.first, last: restsOn.last }, period.last);
  const likely = likelyWords(range);
  const rising =
    rise === undefined || rise < expected * LEAST_RISE
      ? ''
      : ` The last of them will likely rise by ${formatCompact(rise)}, as such days did before.`;
  const how = `The rest is estimated from ${countOf(restsOn.days, 'day')}, ${basis}`;
  return [
    `${formatMonth(period.last)} is on track for about ${formatCompact(expected)}${likely === undefined ? '' : ` (likely ${likely})`}.`,
    `${formatCompact(soFar)} so far, on ${countOf(daysSoFar, 'day')}.${rising} ${how}. ${rangeWords(range, uncertainty)}`,
  ];
}

function rangeWords(range: LikelyRange | undefined, uncertainty: Uncertainty | undefined): string {
  if (range) return 'In trials, about 8 of 10 months ended in the likely range.';
  if (uncertainty === 'few_days') return 'That is too few for a likely range.';
  if (uncertainty === 'unlike') return 'The last days differ from all of these, so there is no likely range.';
  if (uncertainty === undefined) return 'No day is left.';
  return `The level changed on ${formatDay(dayOf(new Date(uncertainty.stepOn * DAY_MS)))}: for two weeks, there is no likely range.`;
}

/** undefined if both ends read the same. @example likelyWords({ lower: 159e6, upper: 173e6 }) // '159–173 M' */
export function likelyWords(range: LikelyRange | undefined): string | undefined {
  const isOne = !range || formatCompact(range.lower) === formatCompact(range.upper);
  return isOne ? undefined : formatRange(range.lower, range.upper, '–');
}
