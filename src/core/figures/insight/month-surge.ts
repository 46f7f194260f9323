import { meanOf } from '../../base/statistics.ts';
import { calendarPart, dayNumberOf, dayOf, DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { DAY_MS } from '../../base/time/durations.ts';
import type { WeekdayClass } from './day-model.ts';

/** A surge of more workdays is a change of level. */
const MAX_WORKDAYS = 5;

const LEAST_MONTHS = 2;

/** In standard errors: with less evidence, month ends differ only as other days do. */
const LEAST_EVIDENCE = 3;

/** In logarithms: months that are equal by chance give no certainty. */
const LEAST_VARIANCE = 1e-4;

/** Keeps the logarithm finite for a month end without any use. */
const LEAST_RATIO = 0.01;

export interface MonthSurge {
  workdays: number;
  /** The last workdays use this many times as much as others of their weekday. */
  factor: number;
  /** The standard error of the logarithm of the factor in another month. */
  error: number;
  /** The number of months that it is known from. */
  months: number;
}

export interface MonthPlace {
  /** The same number for all days of a month. */
  month: number;
  /** 1 on the last workday, 2 on the one before; 0 on days off. */
  workdaysToEnd: number;
}

/** @param first the number of the first day, see `dayNumberOf` */
export function monthPlaces(first: number, count: number, classes: readonly WeekdayClass[]): MonthPlace[] {
  const places: MonthPlace[] = [];
  const last = first + count - 1;
  const end = dayNumberOf(calendarPart(dayOf(new Date(last * DAY_MS)), 'month').last);
  let [month, workdays] = [0, 0];
  for (let day = end; day >= first; day -= 1) {
    if (new Date((day + 1) * DAY_MS).getUTCDate() === 1) [month, workdays] = [month + 1, 0];
    const isWorkday = classes[day % DAYS_IN_A_WEEK] !== 'off';
    if (isWorkday) workdays += 1;
    if (day <= last) places.push({ month, workdaysToEnd: isWorkday ? workdays : 0 });
  }
  return places.toReversed();
}

/** Returns the factor that turns the ordinary amount of a day into the expected one. */
export function surgeFactor(surge: MonthSurge | undefined, place: MonthPlace | undefined): number {
  return surge && place && isAmongLast(place, surge.workdays) ? surge.factor : 1;
}

const isAmongLast = ({ workdaysToEnd }: MonthPlace, workdays: number) => workdaysToEnd > 0 && workdaysToEnd <= workdays;

/**
 * At least two months must agree. The less certain a factor is, the closer it is moved to 1.
 * @param ratios by day, the actual amount divided by the expected amount without a surge
 * @param spread the standard deviation of the logarithm of the ratio on ordinary workdays
 */
export function findSurge(
  places: readonly MonthPlace[],
  ratios: readonly number[],
  spread: number,
): MonthSurge | undefined {
  let best: (MonthSurge & { evidence: number }) | undefined;
  for (let workdays = 1; workdays <= MAX_WORKDAYS; workdays += 1) {
    const months = sizesByMonth(places, ratios, workdays);
    if (months.length < LEAST_MONTHS) continue;
    const size = meanOf(months);
    const differences = months.reduce((sum, one) => sum + (one - size) ** 2, 0) / (months.length - 1);
    const variance = Math.max(LEAST_VARIANCE, spread ** 2 / workdays, differences);
    const evidence = Math.abs(size) / Math.sqrt(variance / months.length);
    if (evidence < LEAST_EVIDENCE || evidence < (best?.evidence ?? 0)) continue;
    const factor = Math.exp(size * (1 - evidence ** -2));
    const error = Math.sqrt(differences + variance / months.length);
    best = { workdays, factor, error, months: months.length, evidence };
  }
  return best;
}

/** Returns the logarithm of the mean ratio of the last workdays, for each month that has all of them. */
function sizesByMonth(places: readonly MonthPlace[], ratios: readonly number[], workdays: number): number[] {
  const byMonth = new Map<number, number[]>();
  places.forEach((place, index) => {
    if (!isAmongLast(place, workdays)) return;
    const own = byMonth.get(place.month) ?? [];
    own.push(ratios[index] ?? 1);
    byMonth.set(place.month, own);
  });
  return [...byMonth.values()]
    .filter((own) => own.length === workdays)
    .map((own) => Math.log(Math.max(LEAST_RATIO, meanOf(own))));
}
