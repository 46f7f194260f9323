import { type AmountsByDay, readPeopleByDay } from '../../core/analytics/amounts.ts';
import {
  comparedPeriod,
  cutToExisting,
  hasSameWeekdays,
  notBeforeFirstDay,
  todayOf,
  weekdayWeights,
  type Beginning,
} from '../../core/analytics/period.ts';
import type { DaysOptions } from '../../core/analytics/day-facts.ts';
import type { AnalyticsDays } from '../../core/analytics/days.ts';
import { createCache } from '../../core/base/cache.ts';
import {
  calendarPart,
  daysOf,
  lengthOf,
  mondayOf,
  plusDays,
  type Day,
  type Period,
} from '../../core/base/time/calendar.ts';
import { limitPeriodAround, type LimitPeriod } from '../../core/base/time/limit-period-days.ts';
import { isComparable, type ComparedFigure, type ReportScope } from '../../core/figures/measures/figures.ts';
import { sumOf } from '../../core/base/statistics.ts';
import { partOfDays } from '../../core/figures/measures/people-spend.ts';
import type { Knowledge } from '../../core/feature.ts';
import type { Services } from '../../core/services.ts';
import type { OwnReading, ReadOwn } from './own-report.ts';
import { usualBandOf } from '../../core/figures/groups/usual-band.ts';

const WEEKS = 4;
/** The platform publishes a day within hours; a longer delay leaves no outlook. */
const DAYS_BEFORE_MONTH = 7;
/** The days of the forecast: on the first days of a month, the other periods reach back four weeks alone. */
const DAYS_OF_PACE = 56;
/** The credits of all people are thousands of rows, and nearly the same for every reader. */
const MONTH_LIFE_MS = 10 * 60_000;

interface OwnDeps {
  days: Pick<AnalyticsDays, 'activity' | 'credits' | 'peopleCredits' | 'beginningOfPeople' | 'changedAfter'>;
  config: Pick<Services['config'], 'minGroup'>;
  clock: Services['clock'];
  limits: Knowledge['limits'];
  readLimitPeriod: () => Promise<LimitPeriod | undefined>;
}

interface MonthKey {
  through: Day;
  /** The period over which a limit counts; undefined if it is unknown. */
  limitPeriod: Period | undefined;
}

export function createOwnReader(deps: OwnDeps): ReadOwn {
  const months = createCache(deps.clock, MONTH_LIFE_MS, (key: MonthKey) => readMonth(deps, key), {
    maxEntries: 1,
    isKept: ({ kind }) => kind !== 'unreadable',
  });
  const monthOf = async (key: MonthKey) => {
    const month = await months.get(key);
    const isChanged = await deps.days.changedAfter(month.range, month.readAt);
    return isChanged ? months.replace(key, month) : month;
  };
  return async (email, options) => {
    const today = todayOf(deps);
    // Begun first: what the platform shows is read beside the days, and not after them.
    const reading = deps.limits.limitOf(email);
    reading.catch(() => undefined);
    const { first } = calendarPart(today, 'month');
    const published = await lastPublishedDay(deps, today, options);
    if (published.kind !== 'published') return published;
    const { through } = published;
    const countsOver = await deps.readLimitPeriod();
    const limitPeriod = countsOver && limitPeriodAround(today, countsOver);
    const [month, all, limit] = await Promise.all([
      monthOf({ through, limitPeriod }),
      through < first ? undefined : deps.days.credits({ first, last: through }, options),
      reading,
    ]);
    if (month.kind === 'unreadable') return month;
    const { scope, days, usual } = month;
    const { used, weeks, daily, usedInLimitPeriod } = month.creditsOf(email);
    const limitFacts = {
      limit,
      countsOver,
      use:
        limitPeriod && usedInLimitPeriod !== undefined
          ? { period: limitPeriod, through, used: usedInLimitPeriod, days: daily }
          : undefined,
    };
    if (!all) return { kind: 'begun', month: { ...scope, used, limit: limitFacts } };
    return {
      kind: 'read',
      report: {
        ...scope,
        used: isComparable(partOfDays(days), scope) ? used : { value: used.value },
        all: all.kind === 'read' ? sumOf(all.rows, (row) => row.billable_tokens) : undefined,
        limit: limitFacts,
        weeks,
        usual,
      },
    };
  };
}

type LastPublishedDay =
  | { kind: 'published'; through: Day }
  | Extract<OwnReading, { kind: 'unpublished' | 'unreadable' }>;

/** If no day of the month is published yet, it is a day of the week before. */
async function lastPublishedDay(deps: OwnDeps, today: Day, options: DaysOptions): Promise<LastPublishedDay> {
  const { first, last } = calendarPart(today, 'month');
  const before = { first: plusDays(first, -DAYS_BEFORE_MONTH), last: plusDays(first, -1) };
  for (const period of [{ first, last }, before]) {
    const existing = cutToExisting(period, today);
    if (existing.kind !== 'exists') continue;
    const activity = await deps.days.activity(existing.period, options);
    if (activity.kind === 'unreadable') return activity;
    const through = activity.rows.at(-1)?.date;
    if (through !== undefined) return { kind: 'published', through };
  }
  return { kind: 'unpublished' };
}

async function readMonth(deps: OwnDeps, { through, limitPeriod }: MonthKey) {
  const readAt = deps.clock.now();
  const beginning = deps.days.beginningOfPeople();
  const period = { first: notBeforeFirstDay(`${through.slice(0, 7)}-01`, beginning), last: through };
  const scope = { period, comparedWith: comparedPeriod(period, 'month', beginning), today: todayOf(deps) };
  const recentDays = rangeOf(scope, beginning);
  const limitDays = limitPeriod && publishedDaysOf(limitPeriod, through, beginning);
  const range =
    limitDays && limitDays.first < recentDays.first ? { ...recentDays, first: limitDays.first } : recentDays;
  const read = await readPeopleByDay(deps.days, range, { maxAgeMs: MONTH_LIFE_MS });
  if (read.kind === 'unreadable') return { kind: read.kind, readAt, range, fault: read.fault };
  const { credits, keyByEmail } = read.people;
  const usualWeek = lastCalendarWeek(through, beginning);
  const creditsInWeek = (week: Period) =>
    credits
      .values()
      .map((own) => creditsIn(own, range, week))
      .toArray();
  const band = usualWeek && usualBandOf(creditsInWeek(usualWeek), deps.config.minGroup);
  const weeks = lastWeeks(through, beginning);
  return {
    kind: read.kind,
    readAt,
    range,
    scope,
    days: read.folded,
    usual: band && { week: usualWeek, ...band },
    creditsOf: (email: string) => {
      const own = credits.get(keyByEmail.get(email) ?? '') ?? new Float64Array(daysOf(range).length);
      return {
        used: comparedCredits(own, range, scope),
        weeks: weeks.map((week) => creditsIn(own, range, week)),
        daily: creditsByDay(own, range, recentDays),
        usedInLimitPeriod: limitDays && creditsIn(own, range, limitDays),
      };
    },
  };
}

function comparedCredits(own: AmountsByDay, range: Period, { period, comparedWith }: ReportScope): ComparedFigure {
  const value = creditsIn(own, range, period);
  if (!comparedWith) return { value, before: 0 };
  const weightOf = weekdayWeights(period, comparedWith);
  const days = creditsByDay(own, range, comparedWith);
  const before = daysOf(comparedWith).reduce((sum, day, place) => sum + (days[place] ?? 0) * weightOf(day), 0);
  return hasSameWeekdays(period, comparedWith)
    ? { value, before }
    : { value, before, was: sumOf(days, (amount) => amount) };
}

/** The credits of a person on each day of a period within the range that was read. */
function creditsByDay(own: AmountsByDay, range: Period, { first, last }: Period): number[] {
  if (last < first) return [];
  const start = lengthOf({ first: range.first, last: first }) - 1;
  return Array.from(own.subarray(start, start + lengthOf({ first, last })));
}

const creditsIn = (own: AmountsByDay, range: Period, period: Period) =>
  sumOf(creditsByDay(own, range, period), (amount) => amount);

function rangeOf({ period, comparedWith }: ReportScope, beginning: Beginning): Period {
  const first = [period, comparedWith, ...lastWeeks(period.last, beginning), lastCalendarWeek(period.last, beginning)]
    .flatMap((one) => one?.first ?? [])
    .concat(notBeforeFirstDay(plusDays(period.last, 1 - DAYS_OF_PACE), beginning))
    .toSorted()[0];
  return { first: first ?? period.first, last: period.last };
}

/** Returns whole weeks that end with the last published day, oldest first, from the first day with figures on. */
function lastWeeks(last: Day, beginning: Beginning): Period[] {
  return Array.from({ length: WEEKS }, (_, index) => {
    const end = plusDays(last, -7 * (WEEKS - 1 - index));
    return { first: plusDays(end, -6), last: end };
  }).filter(({ first }) => first >= beginning.first);
}

/** Returns undefined if figures of people are not kept for all of the period. It has no days if none is published. */
function publishedDaysOf({ first }: Period, last: Day, beginning: Beginning): Period | undefined {
  const isCut = beginning.keptDays !== undefined && first < beginning.first;
  return isCut ? undefined : { first: notBeforeFirstDay(first, beginning), last };
}

/** Weeks that end on any day would give seven bands a week, which reveal more about single days. */
function lastCalendarWeek(last: Day, beginning: Beginning): Period | undefined {
  const first = mondayOf(plusDays(last, -6));
  return first >= beginning.first ? { first, last: plusDays(first, 6) } : undefined;
}
