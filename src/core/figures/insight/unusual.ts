import type { DailyCreditsRow, Part } from '../../analytics/day-facts.ts';
import {
  DAYS_IN_A_WEEK,
  type Day,
  type Period,
  dayNumberOf,
  formatDay,
  mondayOf,
  plusDays,
  weekdayName,
} from '../../base/time/calendar.ts';
import { USUAL_DAYS } from '../../analytics/period.ts';
import { formatCompact, formatRange } from '../../base/text/numbers.ts';
import { memoizeByJson } from '../../base/memoize-by-text.ts';
import { meanOf, studentQuantile, sumOf } from '../../base/statistics.ts';
import { type DayModel, fitDays, MOST_OF_WORKDAY, type NumberedAmount, type WeekdayClass } from './day-model.ts';

/** With fewer days of the same weekday, a range means nothing. */
const LEAST_OF_WEEKDAY = 4;

/**
 * Quantiles of the normal distribution. By chance alone, 0.4 to 1.4 % of days are high and 0.04 % low: high days are
 * detected more readily, because they cost credits.
 */
const [LEAST_HIGH, NOISY_HIGH, MOST_HIGH, LOW_QUANTILE] = [2.22, 2.45, 2.72, 3.4];

/** In standard deviations: where the noise allows it, the limit is as far below an ordinary day that is doubled. */
const BELOW_DOUBLE = 2.46;

/** In standard deviations: with a shorter way to its double, a day is too noisy to find many doubled ones. */
const LEAST_TO_DOUBLE = 3.6;

/** If the earlier days hardly varied, only a change of at least this share is unusual. */
const LEAST_CHANGE = 0.1;

/** If the earlier days did not vary, a day is unusual if it differs by over half and by over 999 credits. */
const [CHANGE_WITHOUT_SPREAD, SLIGHT_AMOUNT] = [0.5, 999];

/** In workdays: for four weeks, a return to the level before a step is usual too. */
const YOUNG_STEP = 20;

/** Times the variance of the level: while a tool is adopted, it changes faster than its courses expect. */
const OF_LEVEL = 1.7;

/** Added to the quantile: where a level that grows will be is known less well. */
const OF_GROWTH = 0.17;

/** Each side of the noise begins with the weight of this many days of both sides. */
const PRIOR_OF_SIDE = 5;

/** Below this noise of workdays so many people work that an empty day is a holiday, of which some weeks have one. */
const [MANY_PEOPLE, MOST_WEEKS_WITH_HOLIDAYS] = [0.45, 3];

/** Where days hardly resemble each other, quantiles are beyond all reason: no day is usual at many times the busiest. */
const MOST_OF_BUSIEST = 5;

/** Below this share of the usual amount, a workday is empty. */
const EMPTY = 0.001;

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
  return usualDay(before, day)?.range;
}

interface UsualDay {
  range: UsualRange;
  classes: readonly WeekdayClass[];
}

function usualDay(before: readonly DayAmount[], day: Day): UsualDay | undefined {
  const dayNumber = dayNumberOf(day);
  const oldest = plusDays(day, -USUAL_DAYS);
  const days = before
    .filter((one) => one.day < day && one.day >= oldest)
    .map((one) => ({ dayNumber: dayNumberOf(one.day), amount: one.amount }))
    .toSorted((a, b) => a.dayNumber - b.dayNumber);
  const own = days.filter((one) => (dayNumber - one.dayNumber) % DAYS_IN_A_WEEK === 0);
  return own.length < LEAST_OF_WEEKDAY ? undefined : usualOnce({ days, dayNumber });
}

/** Those of two months, as they are and as they were before the latest days were told anew. */
const REMEMBERED = 500;

interface EarlierDays {
  days: readonly NumberedAmount[];
  dayNumber: number;
}

const usualOnce = memoizeByJson(({ days, dayNumber }: EarlierDays): UsualDay => {
  const model = fitDays(days);
  const { classes } = model;
  const isWorkday = classes[dayNumber % DAYS_IN_A_WEEK] === 'working';
  const range = isWorkday ? workdayRange(model, days, dayNumber) : offDayRange(model, days, dayNumber);
  const most = MOST_OF_BUSIEST * Math.max(...days.map(({ amount }) => amount));
  return { classes, range: { ...range, high: Math.min(range.high, Math.max(most, leastHigh(range.usual))) } };
}, REMEMBERED);

function workdayRange(model: DayModel, days: readonly NumberedAmount[], dayNumber: number): UsualRange {
  const weekday = dayNumber % DAYS_IN_A_WEEK;
  const { level, variance } = model.levelAhead(dayNumber);
  const usual = model.amountAt(level, weekday);
  if (model.errors.every((error) => Math.abs(error) < Number.EPSILON)) return rangeWithoutSpread(usual);
  const levels = [level, ...youngLevels(model, level)];
  // Each side of the noise is estimated from about half of the days.
  const freedom = Math.max(LEAST_OF_WEEKDAY, model.errors.length / 2);
  const ofLevel = Math.sqrt(OF_LEVEL * variance);
  const deviation = Math.hypot(spreadOf(model.errors, 1), ofLevel);
  const quantile = highQuantileOf(deviation) + (model.isGrowing ? OF_GROWTH : 0);
  const above = studentQuantile(quantile, freedom) * deviation;
  const below = studentQuantile(LOW_QUANTILE, freedom) * Math.hypot(spreadOf(model.errors, -1), ofLevel);
  const high = model.amountAt(Math.max(...levels) + above, weekday);
  const low = model.amountAt(Math.min(...levels) - below, weekday);
  const wereEmpty = weeksWithEmptyDays(model, days) > (model.sigma < MANY_PEOPLE ? MOST_WEEKS_WITH_HOLIDAYS : 0);
  return {
    low: wereEmpty ? 0 : Math.max(usual * EMPTY, Math.min(low, usual * (1 - LEAST_CHANGE))),
    usual,
    high: Math.max(high, usual * (1 + LEAST_CHANGE)),
  };
}

/** False alarms are spent where they find doubled days. */
function highQuantileOf(deviation: number): number {
  const toDouble = Math.LN2 / deviation;
  return toDouble < LEAST_TO_DOUBLE ? NOISY_HIGH : Math.max(LEAST_HIGH, Math.min(MOST_HIGH, toDouble - BELOW_DOUBLE));
}

function rangeWithoutSpread(usual: number): UsualRange {
  const change = Math.max(usual * CHANGE_WITHOUT_SPREAD, SLIGHT_AMOUNT);
  return { low: Math.max(0, usual - change), usual, high: usual + change };
}

function youngLevels({ steps }: DayModel, level: number): number[] {
  return steps.filter(({ workdaysSince }) => workdaysSince <= YOUNG_STEP).map(({ size }) => level - size);
}

const squares = (errors: readonly number[]) => sumOf(errors, (error) => error ** 2);

/** The root mean square of the errors of one side, and at least that of both. */
function spreadOf(errors: readonly number[], side: 1 | -1): number {
  const own = errors.filter((error) => error * side > 0);
  const both = errors.length === 0 ? 0 : squares(errors) / errors.length;
  return Math.sqrt(Math.max(both, (squares(own) + PRIOR_OF_SIDE * both) / (own.length + PRIOR_OF_SIDE)));
}

function weeksWithEmptyDays({ classes, isExcursion }: DayModel, days: readonly NumberedAmount[]): number {
  const empty = days.filter(
    ({ amount, dayNumber }, place) =>
      amount <= 0 && classes[dayNumber % DAYS_IN_A_WEEK] === 'working' && !isExcursion(place),
  );
  return new Set(empty.map(({ dayNumber }) => Math.floor(dayNumber / DAYS_IN_A_WEEK))).size;
}

/** A day off is as far out as one in 400 days off by chance. */
const OFF_QUANTILE = 2.8;
/** In days off with work: until there are as many, what the noise of workdays shows weighs more. */
const UNIT_PRIOR = 10;
/** A limit that clips the days that it is computed from is stable after some rounds. */
const ROUNDS = 3;

/**
 * Some people work on a day off or a day between, independently: its variance is in proportion to its mean (compound Poisson), by a unit
 * that the noise of workdays shows first, and the days off themselves later. The limit is a quantile with the skewness of such sums.
 */
function offDayRange(model: DayModel, days: readonly NumberedAmount[], dayNumber: number): UsualRange {
  const { classes, errors } = model;
  const workdayOf = (level: number) => Math.max(1, model.amountAt(level, classes.indexOf('working')));
  const measured = days
    .filter((one) => classes[one.dayNumber % DAYS_IN_A_WEEK] === classes[dayNumber % DAYS_IN_A_WEEK])
    .map((one) => Math.max(0, one.amount) / workdayOf(model.levelOn(one.dayNumber)));
  // A single day explains nothing: the highest counts as the next one, and no day as more than a workday.
  const most = Math.min(MOST_OF_WORKDAY, measured.toSorted((a, b) => b - a)[1] ?? 0);
  const shares = measured.map((share) => Math.min(share, most));
  const unitOfWorkdays = 2 * spreadOf(errors, 1) ** 2;
  const withWork = shares.filter((share) => share > 0).length;
  const quantile = studentQuantile(OFF_QUANTILE, Math.max(LEAST_OF_WEEKDAY, shares.length - 1));
  let [mean, limit] = [0, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    const clipped = shares.map((share) => Math.min(share, limit));
    mean = meanOf(clipped);
    const unitOfDaysOff = mean > 0 ? meanOf(clipped.map((share) => (share - mean) ** 2)) / mean : 0;
    const known = (UNIT_PRIOR * unitOfWorkdays + withWork * unitOfDaysOff) / (UNIT_PRIOR + withWork);
    const unit = Math.max(known, unitOfDaysOff);
    const highestMean = mean + unit / (shares.length + 1);
    limit = highestMean + quantile * Math.sqrt(unit * highestMean) + (unit * quantile ** 2) / 3;
  }
  const { level } = model.levelAhead(dayNumber);
  const usual = mean * workdayOf(level);
  const high = limit * workdayOf(Math.max(level, ...youngLevels(model, level)));
  return { low: 0, usual, high: Math.max(high, leastHigh(usual)) };
}

const leastHigh = (usual: number) => Math.max(usual * (1 + LEAST_CHANGE), usual + SLIGHT_AMOUNT);

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
  /** The workdays and days off, in words, as learned by the end of the period. */
  week: string | undefined;
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
    week: weekWords(before, period.last),
    unusual: judgements.flatMap((one) => (one.kind === 'unusual' ? [one] : [])),
    unknown: judgements.flatMap((one) => (one.kind === 'unknown' ? [one.day] : [])),
  };
}

export function amountsOf(credits: Part<DailyCreditsRow>): DayAmount[] {
  return credits.kind === 'read' ? credits.rows.map((row) => ({ day: row.date, amount: row.billable_tokens })) : [];
}

/** Returns the usual range of a single day off, used instead of a comparison; undefined for other periods. Pure. */
export function dayOffBand(history: Part<DailyCreditsRow>, { first, last }: Period): UsualRange | undefined {
  if (first !== last) return undefined;
  const usual = usualDay(amountsOf(history), first);
  return usual?.classes[dayNumberOf(first) % DAYS_IN_A_WEEK] === 'off' ? usual.range : undefined;
}

/** @example weekWords(before, '2026-03-09') // 'Workdays, learned from these days: Mon, Tue, Wed, Thu, Fri; days off: Sat, Sun.' */
function weekWords(before: readonly DayAmount[], day: Day): string | undefined {
  const usual = usualDay(before, day);
  if (!usual) return undefined;
  const week = Array.from({ length: DAYS_IN_A_WEEK }, (_, index) => plusDays(mondayOf(day), index));
  const namesOf = (asked: WeekdayClass) =>
    week
      .filter((one) => usual.classes[dayNumberOf(one) % DAYS_IN_A_WEEK] === asked)
      .map((one) => weekdayName(one).slice(0, 3));
  const parts = [
    ['Workdays, learned from these days', namesOf('working')],
    ['partly', namesOf('between')],
    ['days off', namesOf('off')],
  ] as const;
  return `${parts.flatMap(([title, names]) => (names.length === 0 ? [] : [`${title}: ${names.join(', ')}`])).join('; ')}.`;
}
