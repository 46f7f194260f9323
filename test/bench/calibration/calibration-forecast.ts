import type { ReadPart } from '../../../src/core/analytics/day-facts.ts';
import { DAYS_IN_A_WEEK, daysOf, plusDays } from '../../../src/core/base/time/calendar.ts';
import type { CreditsRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { FORECAST_DAYS } from '../../../src/core/analytics/period.ts';
import { forecastMonth } from '../../../src/core/figures/insight/forecast.ts';
import { createNoise, type Noise } from './noise.ts';
import { percentOf } from '../statistics.ts';
import { WEEKDAY_LEVELS, WORKING_DAYS } from './weekdays.ts';

const MONTH = { first: '2026-10-01', last: '2026-10-31' };
export const DAYS_LEFT = [29, 21, 11, 4, 1] as const;
/** A Monday, long enough before the first forecast. */
const START = '2026-06-29';
const DAYS = daysOf({ first: START, last: MONTH.last });

/** The usage of a day, counted from a Monday; called once a day, in order. */
type World = (noise: Noise) => (day: number) => number;

const level = (day: number) => 1_000_000 * (WEEKDAY_LEVELS[day % DAYS_IN_A_WEEK] ?? 0);
/** Lognormal, with mean 1. */
const around = (noise: Noise, sigma: number) => Math.exp(sigma * noise.normal() - sigma ** 2 / 2);
const independent =
  (sigma: number): World =>
  (noise) =>
  (day) =>
    level(day) * around(noise, sigma);

const WEEKS_DIFFER = 0.15;
const WEEKS_FOLLOW = 0.7;
const weeksThatDiffer: World = (noise) => {
  let week = WEEKS_DIFFER * noise.normal();
  return (day) => {
    if (day % DAYS_IN_A_WEEK === 0)
      week = WEEKS_FOLLOW * week + WEEKS_DIFFER * Math.sqrt(1 - WEEKS_FOLLOW ** 2) * noise.normal();
    return level(day) * Math.exp(week) * around(noise, 0.1);
  };
};
const growing: World = (noise) => (day) => level(day) * 1.02 ** (day / DAYS_IN_A_WEEK) * around(noise, 0.1);
const onePerson: World = (noise) => (day) => {
  const isActive = day % DAYS_IN_A_WEEK < WORKING_DAYS && noise.uniform() < 0.75;
  return isActive ? 50_000 * around(noise, 0.8) : 0;
};

const WORLDS: { name: string; world: World }[] = [
  { name: 'noise 10 %', world: independent(0.1) },
  { name: 'noise 30 %', world: independent(0.3) },
  { name: 'noise 60 %', world: independent(0.6) },
  { name: 'weeks differ ±15 %', world: weeksThatDiffer },
  { name: 'growth 2 % a week', world: growing },
  { name: 'one person', world: onePerson },
];

export interface ForecastCell {
  daysLeft: number;
  /** The share of months, among those with a range, that ended in it, in percent. */
  inside: number;
  /** The share of months with a range, in percent. */
  withRange: number;
  /** The mean error of the middle, in percent of the month. */
  off: number;
  /** Half the mean range, in percent of the month. */
  reach: number;
}

export interface ForecastLine {
  name: string;
  cells: ForecastCell[];
}

/**
 * Lets this number of Octobers pass in each world, and compares the forecasts of some mornings with the actual end of
 * the month.
 */
export function measureForecast(months: number): ForecastLine[] {
  return WORLDS.map(({ name, world }, index) => {
    const noise = createNoise(100 + index);
    const sums = DAYS_LEFT.map((daysLeft) => ({
      daysLeft,
      inside: 0,
      ranges: 0,
      certain: 0,
      off: 0,
      reach: 0,
      total: 0,
    }));
    for (let month = 0; month < months; month += 1) {
      const amountOf = world(noise);
      // So that months end on each day of the week.
      const shift = month % DAYS_IN_A_WEEK;
      for (let day = 0; day < shift; day += 1) amountOf(day);
      const rows = DAYS.map((day, at) => toRow(day, amountOf(at + shift)));
      const total = rows.reduce((sum, row) => sum + (row.date >= MONTH.first ? row.billable_tokens : 0), 0);
      for (const sum of sums) {
        const { expected, range } = forecastOn(rows, plusDays(MONTH.last, 1 - sum.daysLeft));
        sum.total += total;
        sum.off += expected - total;
        if (!range) continue;
        // A person who never works on Sundays adds nothing on a last Sunday: no range is shown.
        if (range.lower === range.upper) {
          sum.certain += 1;
          continue;
        }
        sum.ranges += 1;
        sum.reach += (range.upper - range.lower) / 2;
        if (total >= range.lower && total <= range.upper) sum.inside += 1;
      }
    }
    const cells = sums.map(({ daysLeft, inside, ranges, certain, off, reach, total }) => ({
      daysLeft,
      inside: percentOf(inside, ranges),
      withRange: percentOf(ranges + certain, months),
      off: percentOf(off, total),
      reach: percentOf(reach, total),
    }));
    return { name, cells };
  });
}

function forecastOn(rows: readonly CreditsRow[], today: string) {
  const before = rows.filter((row) => row.date < today);
  const history = toPart(before.slice(-FORECAST_DAYS));
  const forecast = forecastMonth(toPart(before.filter((row) => row.date >= MONTH.first)), history, today);
  if (forecast.kind !== 'known') throw new Error(`There was no forecast on ${today}: ${forecast.kind}`);
  return forecast.value;
}

const READ_AT = new Date('2026-11-01T09:00:00Z');
const toPart = (rows: readonly CreditsRow[]): ReadPart<CreditsRow> => ({
  kind: 'read',
  rows,
  readAt: READ_AT,
});

const toRow = (date: string, billable_tokens: number): CreditsRow => ({
  date,
  billable_tokens,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  by_model: [],
});
