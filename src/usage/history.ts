import { notBeforeFirstDay } from '../analytics/existing-period.ts';
import { plusDays, type Period } from '../base/time/calendar.ts';
import { FORECAST_DAYS } from './insight/forecast.ts';
import { USUAL_DAYS } from './insight/unusual.ts';
import type { ReportScope } from './measures/figures.ts';
import { isCurrent } from './period.ts';

/**
 * The days whose sums tell what is usual on each day of a period, and where the month is heading: as many before each as are
 * looked at, so that every answer that holds a day judges it by the same days. Pure.
 */
export function historyOf(scope: ReportScope): Period {
  const { period, today } = scope;
  const usual = { first: plusDays(period.first, -USUAL_DAYS), last: period.last };
  const forecast = { first: plusDays(today, -FORECAST_DAYS), last: plusDays(today, -1) };
  const { first, last } = isCurrent(scope) ? spanOf(usual, forecast) : usual;
  return { first: notBeforeFirstDay(first), last };
}

/** From the first day of either to the last of either. */
export function spanOf(a: Period, b: Period | undefined): Period {
  if (!b) return a;
  return { first: a.first < b.first ? a.first : b.first, last: a.last > b.last ? a.last : b.last };
}
