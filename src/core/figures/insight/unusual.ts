import type { DailyCreditsRow, Part } from '../../analytics/day-facts.ts';
import {
  DAYS_IN_A_WEEK,
  type Day,
  type Period,
  calendarPart,
  dayNumberOf,
  dayOf,
  formatDay,
  plusDays,
  weekdayName,
  weekdayOf,
} from '../../base/time/calendar.ts';
import { USUAL_DAYS } from '../../analytics/period.ts';
import { formatCompact, formatRange } from '../../base/text/numbers.ts';
import { memoizeByJson } from '../../base/memoize-by-text.ts';
import { NORMAL_DEVIATION, meanOf, median, studentQuantile } from '../../base/statistics.ts';
import { classOf, expectDay, findSteps } from './weekday-trend.ts';
import { DAY_MS } from '../../base/time/durations.ts';

/** With fewer days of the same weekday, or fewer degrees of freedom, a range means nothing. */
const LEAST = { ofWeekday: 4, freedom: 5 };

/**
 * Quantiles of the normal distribution, chosen so that chance alone makes 1 % of days high and 0.1 % low. High days are
 * detected more readily: they cost credits, while most low days are holidays, far below any limit.
 */
const HIGH_QUANTILE = 2.326;

const LOW_QUANTILE = 3.09;

/**
 * Logarithms make a doubled day as far off as a halved one. This part of the average day is added first, so that a day
 * without work has a logarithm and tiny amounts do not look far apart.
 */
const OFFSET = 0.03;

/** If the earlier days hardly varied, only a change of at least this share is unusual. */
const LEAST_CHANGE = 0.1;

/** If the earlier days did not vary, a day is unusual if it differs by over half and by over 999 credits. */
const CHANGE_WITHOUT_SPREAD = 0.5;

const SLIGHT_AMOUNT = 999;

/** A level that lasts this long is the new one; a shorter one may be two weeks of holidays. */
const NEW_LEVEL_DAYS = 14;

export interface DayAmount {
  day: Day;
  amount: number;
}

export interface UnusualDay {
  day: Day;
  direction: 'high' | 'low';
  amount: number;
  /** The amount that the earlier days lead one to expect. */
  usual: number;
  /** Such as `Tue 24 Feb was unusually high: 598 K instead of the usual 410 K for a Tuesday`; without a full stop. */
  sentence: string;
}

/** `unknown`: too few earlier days. */
export type DayJudgement = { kind: 'usual' } | { kind: 'unknown'; day: Day } | ({ kind: 'unusual' } & UnusualDay);

/** The usual range of a day; an amount outside it is unusual. */
export interface UsualRange {
  low: number;
  usual: number;
  high: number;
}

/**
 * Returns undefined if too few of the `USUAL_DAYS` days before the day are published; `before` may be in any order. It is
 * computed once for the same days: most answers judge days that an answer judged before.
 */
export function usualRange(before: readonly DayAmount[], day: Day): UsualRange | undefined {
  const dayNumber = dayNumberOf(day);
  const oldest = plusDays(day, -USUAL_DAYS);
  const earlierDays = before
    .filter((one) => one.day < day && one.day >= oldest)
    .map((one) => ({ dayNumber: dayNumberOf(one.day), amount: one.amount }));
  return rangeOnce({ earlierDays, dayNumber }).range;
}

/** Those of two months, as they are and as they were before the latest days were told anew. */
const REMEMBERED = 500;

interface EarlierDays {
  earlierDays: readonly { dayNumber: number; amount: number }[];
  dayNumber: number;
}

const rangeOnce = memoizeByJson((facts: EarlierDays) => ({ range: rangeAfter(facts) }), REMEMBERED);

function rangeAfter({ earlierDays, dayNumber }: EarlierDays): UsualRange | undefined {
  const offset = earlierDays.length === 0 ? 0 : Math.max(1, OFFSET * meanOf(earlierDays.map((one) => one.amount)));
  const toScale = (value: number) => Math.log(Math.max(0, value) + offset);
  const fromScale = (value: number) => Math.max(0, Math.exp(value) - offset);
  const points = earlierDays.map((one) => ({ dayNumber: one.dayNumber, value: toScale(one.amount) }));
  const expected = expectDay(points, dayNumber, LEAST);
  if (!expected) return undefined;
  const { value, error, freedom, steps } = expected;
  const usual = fromScale(value);
  if (error === 0) {
    const change = Math.max(usual * CHANGE_WITHOUT_SPREAD, SLIGHT_AMOUNT);
    return { low: Math.max(0, usual - change), usual, high: usual + change };
  }
  // While a new level is young, a return to the old one is usual too.
  const young = steps.filter((step) => step.dayNumber > dayNumber - NEW_LEVEL_DAYS);
  const levels = [value, ...young.map(({ size }) => value - size)];
  const low = fromScale(Math.min(...levels) - studentQuantile(LOW_QUANTILE, freedom) * error);
  const high = fromScale(Math.max(...levels) + studentQuantile(HIGH_QUANTILE, freedom) * error);
  return { low: Math.min(low, usual * (1 - LEAST_CHANGE)), usual, high: Math.max(high, usual * (1 + LEAST_CHANGE)) };
}

/** @example placeIn({ low: 100, usual: 200, high: 300 }, 300) // 'within' */
export function placeIn({ low, high }: UsualRange, amount: number): 'above' | 'below' | 'within' {
  if (amount > high) return 'above';
  return amount < low ? 'below' : 'within';
}

/** @example rangeWords({ low: 38_200_000, usual: 42_000_000, high: 47_000_000 }) // '38.2–47 M' */
export function rangeWords({ low, high }: UsualRange): string {
  return formatRange(low, high, '–');
}

export function judgeDay(before: readonly DayAmount[], one: DayAmount): DayJudgement {
  return judgeByRange(one, usualRange(before, one.day));
}

export function judgeByRange({ day, amount }: DayAmount, range: UsualRange | undefined): DayJudgement {
  if (!range) return { kind: 'unknown', day };
  const { usual } = range;
  if (placeIn(range, amount) === 'within') return { kind: 'usual' };
  const direction = amount > usual ? 'high' : 'low';
  const sentence = `${formatDay(day)} was unusually ${direction}: ${formatCompact(amount)} instead of the usual ${formatCompact(usual)} for a ${weekdayName(day)}`;
  return { kind: 'unusual', day, direction, amount, usual, sentence };
}

/** The unusual days of a period, oldest first, and the published days that could not be judged. */
export interface UnusualDays {
  unusual: UnusualDay[];
  unknown: Day[];
  /** Each published day with its usual range, if known. */
  ranges: (DayAmount & { range: UsualRange | undefined })[];
}

/** @param before published days; for each day the earlier ones count, and the days of the period may be among them */
export function unusualDays(days: readonly DayAmount[], before: readonly DayAmount[], period: Period): UnusualDays {
  const ranges = days
    .filter(({ day }) => day >= period.first && day <= period.last)
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .map((one) => ({ ...one, range: usualRange(before, one.day) }));
  const judgements = ranges.map((one) => judgeByRange(one, one.range));
  return {
    ranges,
    unusual: judgements.flatMap((one) => (one.kind === 'unusual' ? [one] : [])),
    unknown: judgements.flatMap((one) => (one.kind === 'unknown' ? [one.day] : [])),
  };
}

export function amountsOf(credits: Part<DailyCreditsRow>): DayAmount[] {
  return credits.kind === 'read' ? credits.rows.map((row) => ({ day: row.date, amount: row.billable_tokens })) : [];
}

const WEEKEND: ReadonlySet<number> = new Set([0, 6]);

/** Returns the usual range of a single weekend day, used instead of a comparison; undefined for other periods. Pure. */
export function weekendBand(history: Part<DailyCreditsRow>, { first, last }: Period): UsualRange | undefined {
  return first === last && WEEKEND.has(weekdayOf(first)) ? usualRange(amountsOf(history), first) : undefined;
}

/** The level of a day is computed from this many days before and after it. */
const NEIGHBOURS = 10;
/** These parts of the average day are added before logarithms and ratios, so that a day without work has them too. */
const [OFFSET_OF_LOGARITHMS, OFFSET_OF_RATIOS] = [0.03, 0.01];

/** A workday that deviates by more standard deviations, and by at least this logarithm, is an exception. */
const MAX_DEVIATIONS = 4;

const LEAST_DEVIATION = 0.35;

/** Deviations on a larger share of workdays are normal, not exceptions. */
const MAX_EXCEPTIONS = 0.15;

/** Past days made comparable with the days to come. */
export interface OrdinaryDays {
  /** Amounts at the level after the last step, without the surge of month ends. */
  withoutSteps: number[];
  /** The same, with an expected amount in place of exceptions such as holidays. */
  withoutExceptions: number[];
  exceptions: {
    /** The factor by which exceptions change the sum. */
    factor: number;
    rate: number;
  };
  surge: MonthSurge | undefined;
}

/** Removes lasting steps, month-end surges and exceptions. @param first the number of the first day */
export function ordinaryDays(amounts: readonly number[], first: number): OrdinaryDays {
  const mean = meanOf(amounts);
  const none = { factor: 1, rate: 0 };
  if (mean <= 0)
    return { withoutSteps: [...amounts], withoutExceptions: [...amounts], exceptions: none, surge: undefined };
  const amountsWithoutSteps = removeSteps(amounts, first, OFFSET_OF_LOGARITHMS * mean);
  const places = monthPlaces(first, amounts.length);
  const expected = expectedByNeighbours(amountsWithoutSteps, places);
  const offset = OFFSET_OF_RATIOS * mean;
  const ratioAt = (amount: number, at: number) =>
    (Math.max(0, amount) + offset) / (Math.max(0, expected[at] ?? 0) + offset);
  const ratios = amountsWithoutSteps.map(ratioAt);
  const isWorkday = amounts.map((_, at) => classOf(first + at) === 'workday');
  const distances = ratios.filter((_, at) => isWorkday[at]).map((one) => Math.abs(Math.log(one)));
  const spread = distances.length === 0 ? 0 : NORMAL_DEVIATION * median(distances);
  const surge = findSurge(places, ratios, spread);
  const withoutSteps = amountsWithoutSteps.map((amount, at) => amount / surgeFactor(surge, places[at]));
  const limit = Math.max(MAX_DEVIATIONS * spread, LEAST_DEVIATION);
  const isException = withoutSteps.map(
    (amount, at) => isWorkday[at] === true && Math.abs(Math.log(ratioAt(amount, at))) > limit,
  );
  const count = isException.filter(Boolean).length;
  if (count === 0 || count > MAX_EXCEPTIONS * distances.length)
    return { withoutSteps, withoutExceptions: withoutSteps, exceptions: none, surge };
  const withoutExceptions = withoutSteps.map((amount, at) => (isException[at] === true ? (expected[at] ?? 0) : amount));
  const factor = meanOf(withoutExceptions) > 0 ? meanOf(withoutSteps) / meanOf(withoutExceptions) : 1;
  return {
    withoutSteps,
    withoutExceptions,
    exceptions: { factor, rate: count / amounts.length },
    surge,
  };
}

function removeSteps(amounts: readonly number[], first: number, offset: number): number[] {
  const steps = findSteps(
    amounts.map((amount, at) => ({
      dayNumber: first + at,
      value: Math.log(Math.max(0, amount) + Math.max(1, offset)),
    })),
  );
  return amounts.map((amount, at) => {
    const later = steps.filter(({ dayNumber }) => first + at < dayNumber);
    return amount * Math.exp(later.reduce((sum, { size }) => sum + size, 0));
  });
}

/** Scales the usual amount of a weekday by the level of the days around it, without the day itself and month ends. */
function expectedByNeighbours(amounts: readonly number[], places: readonly MonthPlace[]): number[] {
  const medians = Array.from({ length: DAYS_IN_A_WEEK }, (_, weekday) =>
    median(amounts.filter((_amount, at) => at % DAYS_IN_A_WEEK === weekday)),
  );
  return amounts.map((amount, at) => {
    let [sum, usual] = [0, 0];
    const last = Math.min(amounts.length - 1, at + NEIGHBOURS);
    for (let day = Math.max(0, at - NEIGHBOURS); day <= last; day += 1) {
      const place = places[day];
      if (day === at || !place || isNearMonthEnd(place)) continue;
      sum += amounts[day] ?? 0;
      usual += medians[day % DAYS_IN_A_WEEK] ?? 0;
    }
    return usual > 0 ? (sum / usual) * (medians[at % DAYS_IN_A_WEEK] ?? 0) : amount;
  });
}

/** With fewer other people, even a rounded range reveals too much about each of them. */
const FEWEST_OTHERS = 5;

/** The range of most people’s credits in one week, rounded outward to coarse steps. */
export interface UsualBand {
  /** In credits, at a step. */
  low: number;
  /** Always above `low`. */
  high: number;
}

/** The band of one week, from Monday to Sunday. */
export interface UsualWeek extends UsualBand {
  week: Period;
}

const LEADING_DIGITS = [5, 3, 2, 1];

/**
 * Returns the two steps around an amount: 0, or 1, 2, 3 or 5 times a power of ten from 1 on.
 * @example stepsAround(420_000) // { low: 300_000, high: 500_000 }
 * @example stepsAround(500_000) // { low: 500_000, high: 1_000_000 }
 */
export function stepsAround(amount: number): UsualBand {
  if (amount < 1) return { low: 0, high: 1 };
  let power = 1;
  while (power * 10 <= amount) power *= 10;
  let high = power * 10;
  for (const digit of LEADING_DIGITS) {
    if (digit * power <= amount) return { low: digit * power, high };
    high = digit * power;
  }
  return { low: power, high };
}

/**
 * Returns the middle half of the amounts, rounded outward, with more than half of the people; undefined if there are
 * too few. The quartiles are ranks and not interpolated, so that a change of an amount within its step changes nothing.
 * The reader counts too: if each reader got a band without themselves, two readers could compare theirs.
 * @param amounts the credits of each person in one week; zero amounts are ignored
 * @param minGroup the minimum number of other people; at least five are required
 */
export function usualBandOf(amounts: readonly number[], minGroup: number): UsualBand | undefined {
  const used = amounts.filter((amount) => amount > 0).toSorted((a, b) => a - b);
  if (used.length <= Math.max(FEWEST_OTHERS, minGroup)) return undefined;
  const lower = used[Math.floor((used.length - 1) * 0.25)];
  const upper = used[Math.ceil((used.length - 1) * 0.75)];
  if (lower === undefined || upper === undefined) return undefined;
  return { low: stepsAround(lower).low, high: stepsAround(upper).high };
}

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
}

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

/** Whether a day may belong to a surge: such days say nothing about the level of the days around them. */
const isNearMonthEnd = (place: MonthPlace): boolean => isAmongLast(place, MAX_WORKDAYS);

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
function findSurge(places: readonly MonthPlace[], ratios: readonly number[], spread: number): MonthSurge | undefined {
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
