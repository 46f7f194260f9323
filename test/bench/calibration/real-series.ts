import { z } from 'zod';
import type { DailyCreditsRow } from '../../../src/core/analytics/day-facts.ts';
import { forecastPeriod } from '../../../src/core/figures/insight/forecast.ts';
import { placeIn, usualRange } from '../../../src/core/figures/insight/unusual.ts';
import { BASELINE_NAMES, BASELINES, type BaselineName } from './months/baselines.ts';
import cargoCommits from './real/cargo-commits.json' with { type: 'json' };
import fastifyCommits from './real/fastify-commits.json' with { type: 'json' };
import articleViews from './real/r-article-views.json' with { type: 'json' };

const seriesSchema = z.object({ name: z.string(), first: z.iso.date(), amounts: z.array(z.number()) });
const SERIES = [articleViews, cargoCommits, fastifyCommits].map((series) => seriesSchema.parse(series));

const DAYS_LEFT = [25, 15, 5, 1] as const;
const HISTORY_DAYS = 92;
const DAY_MS = 86_400_000;

export interface RealLine {
  name: string;
  days: number;
  high: number;
  low: number;
  /** A day in the middle of the series at twice its amount, for each workday. */
  doubled: number;
  doubledFound: number;
  months: readonly {
    daysLeft: number;
    count: number;
    ranges: number;
    inside: number;
    /** Sums of errors, in shares of the month. */
    off: number;
    offBaselines: Record<BaselineName, number>;
  }[];
}

/** The same judgements on public series of real days, of which nobody knows the causes: alarms may be right. */
export const measureRealSeries = (): RealLine[] =>
  SERIES.map(({ name, first, amounts }) => {
    const rows = amounts.map((amount, index): DailyCreditsRow => ({
      date: dateAfter(first, index),
      billable_tokens: amount,
    }));
    return { name, ...measureDays(rows), months: DAYS_LEFT.map((daysLeft) => measureMonths(rows, daysLeft)) };
  });

const dateAfter = (first: string, days: number) =>
  new Date(Date.parse(`${first}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

function measureDays(rows: readonly DailyCreditsRow[]) {
  const seen = { days: 0, high: 0, low: 0, doubled: 0, doubledFound: 0 };
  const days = rows.map(({ date, billable_tokens: amount }) => ({ day: date, amount }));
  for (const [index, one] of days.entries()) {
    if (index < HISTORY_DAYS) continue;
    const range = usualRange(days.slice(index - HISTORY_DAYS, index), one.day);
    if (!range) continue;
    const place = placeIn(range, one.amount);
    seen.days += 1;
    seen.high += Number(place === 'above');
    seen.low += Number(place === 'below');
    if (place !== 'within' || one.amount === 0) continue;
    seen.doubled += 1;
    seen.doubledFound += Number(placeIn(range, 2 * range.usual) === 'above');
  }
  return seen;
}

function measureMonths(rows: readonly DailyCreditsRow[], daysLeft: number): RealLine['months'][number] {
  const offBaselines: Record<BaselineName, number> = { 'seasonal naive': 0, 'median of four': 0, 'Holt-Winters': 0 };
  const seen = { daysLeft, count: 0, ranges: 0, inside: 0, off: 0, offBaselines };
  for (const [start, { date }] of rows.entries()) {
    const length = new Date(Date.parse(`${date.slice(0, 7)}-01T00:00:00Z`) + 31 * DAY_MS).getUTCDate();
    const days = 32 - length;
    const [end, today] = [start + days, start + days - daysLeft];
    if (!date.endsWith('-01') || today < HISTORY_DAYS || end > rows.length) continue;
    const total = rows.slice(start, end).reduce((sum, row) => sum + row.billable_tokens, 0);
    const told = rows.slice(0, today);
    const last = rows[end - 1]?.date ?? '';
    const forecast = forecastPeriod(
      { first: date, last },
      told.slice(start),
      told.slice(-HISTORY_DAYS),
      rows[today]?.date ?? '',
    );
    if (forecast.kind !== 'known') throw new Error(`There is no forecast for ${last}: ${forecast.kind}`);
    const { expected, range } = forecast.value;
    seen.count += 1;
    seen.off += Math.abs(expected - total) / total;
    seen.ranges += Number(range !== undefined);
    seen.inside += Number(range !== undefined && total >= range.lower && total <= range.upper);
    const soFar = told.slice(start).reduce((sum, row) => sum + row.billable_tokens, 0);
    const amounts = told.slice(-HISTORY_DAYS).map((row) => row.billable_tokens);
    for (const name of BASELINE_NAMES)
      offBaselines[name] += Math.abs(soFar + BASELINES[name](amounts, daysLeft) - total) / total;
  }
  return seen;
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

export function describeRealSeries(lines: readonly RealLine[]): string[] {
  return lines.flatMap(({ name, days, high, low, doubled, doubledFound, months }) => [
    `${name}: of ${days} days ${high} high and ${low} low; a day twice as usual found in ${percent(doubledFound, doubled)}`,
    ...months.map(({ daysLeft, count, ranges, inside, off, offBaselines }) => {
      const baselines = BASELINE_NAMES.map((each) => `${each} ${percent(offBaselines[each], count)}`).join(', ');
      return `  ${String(daysLeft).padStart(2)} days left, ${count} months: error ${percent(off, count)} (${baselines}); ${inside} of ${ranges} in the range`;
    }),
  ]);
}
