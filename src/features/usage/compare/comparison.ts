import { coversWeekdays, hasSameWeekdays, weekdayWeights } from '../../../core/analytics/period.ts';
import type { Part } from '../../../core/analytics/day-facts.ts';
import type { Cost } from '../../../core/base/text/numbers.ts';
import { daysOf, lengthOf, type Day, type Period } from '../../../core/base/time/calendar.ts';
import { rowsWithin } from '../../../core/figures/measures/figures.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import type { PriceList } from '../../../core/figures/money/price-list.ts';
import { costAtOnePrice } from '../../../core/figures/measures/breakdown.ts';

export interface CreditsOfDay {
  date: Day;
  credits: number;
}

export interface Side {
  label: string;
  period: Period;
  part: Part<CreditsOfDay>;
  /** False if the small-group check permits only the total. */
  isByDay: boolean;
  prices?: PriceList | undefined;
}

export interface SideFigures {
  label: string;
  period: Period;
  /** Undefined if nothing is published or the part could not be read. */
  credits: number | undefined;
  /** Of these credits; undefined if a day has no price, or if the currency changes. */
  cost: Cost | undefined;
  days: number;
  unpublishedDays: number;
  /** The days with figures; empty if only the total may be shown. */
  published: readonly CreditsOfDay[];
  /** One value for each day of the period, 0 for a day without figures; empty if only the total may be shown. */
  byDay: readonly number[];
}

export interface Comparison {
  sides: readonly [SideFigures, SideFigures];
  /**
   * The credits of the second side on the weekdays of the first: as many of each weekday, at the second side's mean.
   * Undefined if the sides cannot be compared: days lack figures, or the weekdays differ and cannot be adjusted.
   */
  base: number | undefined;
  isAdjusted: boolean;
  /** The weekdays differ, and the second side lacks one of them, or only its total may be shown. */
  hasOtherWeekdays: boolean;
}

export function compareSides(one: Side, other: Side): Comparison {
  const sides = [figuresOf(one), figuresOf(other)] as const;
  const isComplete = sides.every(({ credits, unpublishedDays }) => credits !== undefined && unpublishedDays === 0);
  const isAlike = hasSameWeekdays(one.period, other.period);
  const isAdjustable = one.isByDay && other.isByDay && coversWeekdays(one.period, other.period);
  if (!isComplete) return { sides, base: undefined, isAdjusted: false, hasOtherWeekdays: false };
  if (isAlike) return { sides, base: sides[1].credits, isAdjusted: false, hasOtherWeekdays: false };
  if (!isAdjustable) return { sides, base: undefined, isAdjusted: false, hasOtherWeekdays: true };
  const weightOf = weekdayWeights(one.period, other.period);
  const base = sumOf(rowsWithin(other.part, other.period), ({ date, credits }) => credits * weightOf(date));
  return { sides, base, isAdjusted: true, hasOtherWeekdays: false };
}

function figuresOf({ label, period, part, isByDay, prices }: Side): SideFigures {
  const rows = rowsWithin(part, period);
  const byDate = new Map(rows.map((row) => [row.date, row.credits]));
  const credits = rows.length === 0 ? undefined : sumOf(rows, (row) => row.credits);
  const daysCost = isByDay ? prices?.costOf(rows.map((row) => [row.date, row.credits])) : undefined;
  return {
    label,
    period,
    credits,
    cost: isByDay || credits === undefined ? daysCost : costAtOnePrice(prices, credits, period),
    days: lengthOf(period),
    unpublishedDays: lengthOf(period) - byDate.size,
    published: isByDay ? rows : [],
    byDay: isByDay ? daysOf(period).map((day) => byDate.get(day) ?? 0) : [],
  };
}

const MAX_POINTS = 20;
const DAYS_A_WEEK = 7;

interface Points {
  unit: 'day' | 'week';
  /** The first day of each point, if both sides have the same days. */
  dates: Day[] | undefined;
  values: [number[], number[]];
}

/** The two series by position: the first day faces the first day. From 21 days on, weeks of seven days are added up. */
export function pointsOfSides({ sides }: Comparison): Points {
  const length = Math.max(...sides.map(({ byDay }) => byDay.length));
  const size = length <= MAX_POINTS ? 1 : DAYS_A_WEEK;
  const count = Math.min(MAX_POINTS, Math.ceil(length / size));
  const valuesOf = ({ byDay }: SideFigures) =>
    Array.from({ length: count }, (_, index) =>
      byDay.slice(index * size, (index + 1) * size).reduce((sum, value) => sum + value, 0),
    );
  const [one, other] = sides;
  const isSame = one.period.first === other.period.first && one.period.last === other.period.last;
  const dates = isSame
    ? daysOf(one.period)
        .filter((_, index) => index % size === 0)
        .slice(0, count)
    : undefined;
  return { unit: size === 1 ? 'day' : 'week', dates, values: [valuesOf(one), valuesOf(other)] };
}
