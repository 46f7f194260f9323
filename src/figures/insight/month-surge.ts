import { calendarPart, dayNumberOf, dayOf } from '../../base/time/calendar.ts';
import { DAY_MS } from '../../base/time/durations.ts';
import { meanOf } from '../../base/statistics.ts';
import { classOf } from './level-step.ts';

/** A surge of more workdays is a change of level. */
const MAX_WORKDAYS = 5;
const LEAST_MONTHS = 2;
/** In standard errors: below this, month ends differ as other days do. */
const LEAST_EVIDENCE = 3;
/** Of logarithms: months that are equal by chance are no certainty. */
const LEAST_VARIANCE = 1e-4;
/** Keeps the logarithm of a month end without any use finite. */
const LEAST_RATIO = 0.01;

/** How the last workdays of a month differ from the rest of it. */
export interface MonthSurge {
  workdays: number;
  /** The last workdays use this many times as much as others of their weekday. */
  factor: number;
  /** The standard error of the logarithm of the factor in another month. */
  error: number;
}

/** Where a day is in its month. */
export interface MonthPlace {
  /** The same number for all days of a month. */
  month: number;
  /** 1 on the last workday, 2 on the one before; 0 at weekends. */
  workdaysToEnd: number;
  isLastDay: boolean;
}

/** @param first the number of the first day, see `dayNumberOf` */
export function monthPlaces(first: number, count: number): MonthPlace[] {
  const places: MonthPlace[] = [];
  const last = first + count - 1;
  const end = dayNumberOf(calendarPart(dayOf(new Date(last * DAY_MS)), 'month').last);
  let [month, workdays] = [0, 0];
  for (let day = end; day >= first; day -= 1) {
    const isLastDay = new Date((day + 1) * DAY_MS).getUTCDate() === 1;
    if (isLastDay) [month, workdays] = [month + 1, 0];
    const isWorkday = classOf(day) === 'workday';
    if (isWorkday) workdays += 1;
    if (day <= last) places.push({ month, workdaysToEnd: isWorkday ? workdays : 0, isLastDay });
  }
  return places.toReversed();
}

/** May a day belong to a surge? Such days say nothing about the level of the days around them. */
export const isNearMonthEnd = (place: MonthPlace): boolean => isAmongLast(place, MAX_WORKDAYS);

/** By how much an ordinary amount is to be multiplied on a day. */
export function surgeFactor(surge: MonthSurge | undefined, place: MonthPlace | undefined): number {
  return surge && place && isAmongLast(place, surge.workdays) ? surge.factor : 1;
}

const isAmongLast = ({ workdaysToEnd }: MonthPlace, workdays: number) => workdaysToEnd > 0 && workdaysToEnd <= workdays;

/**
 * How the last workdays of months differ from other days, if they do in a similar way in at least two months. A factor that is
 * less certain is moved closer to 1. Pure.
 *
 * @param ratios by day, the actual amount divided by the one to expect without a surge
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
    best = { workdays, factor, error: Math.sqrt(differences + variance / months.length), evidence };
  }
  return best;
}

/** The logarithm of the mean ratio of the last workdays of each month that has all of them. */
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
