import { comparedPeriod, cutToExisting, notBeforeFirstDay, type Beginning, todayOf } from '../../analytics/period.ts';
import type { DaysOptions } from '../../analytics/day-facts.ts';
import type { AnalyticsDays } from '../../analytics/days.ts';
import { isOneOf } from '../../analytics/person-credits.ts';
import { createCache } from '../../base/cache.ts';
import { calendarPart, mondayOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';
import { nextTurn } from '../../base/time/turns.ts';
import type { LimitPeriod } from '../../base/settings/config.ts';
import { isComparable, sumOf, type ReportScope } from '../../figures/measures/figures.ts';
import { createPeopleSpendFold, partOfDays, spendOf, type PersonSpend } from '../../figures/measures/people-spend.ts';
import type { Knowledge } from '../../feature.ts';
import type { Services } from '../../services.ts';
import type { OwnReading, ReadOwn } from './own-report.ts';
import { usualBandOf, type UsualWeek } from '../../figures/insight/usual-band.ts';

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

type Weekly = readonly { person: PersonSpend; weeks: number[] }[];

export function createOwnReader(deps: OwnDeps): ReadOwn {
  const months = createCache(deps.clock, MONTH_LIFE_MS, (key: MonthKey) => readMonth(deps, key), {
    maxEntries: 1,
    isKept: ({ days }) => days.kind !== 'unreadable',
  });
  const monthOf = async (key: MonthKey) => {
    const month = await months.get(key);
    const isChanged = await deps.days.changedAfter(month.range, month.readAt);
    return isChanged ? months.replace(key, month) : month;
  };
  return async (email, options) => {
    const today = todayOf(deps);
    const { first } = calendarPart(today, 'month');
    const published = await lastPublishedDay(deps, today, options);
    if (published.kind !== 'published') return published;
    const { through } = published;
    const unit = await deps.readLimitPeriod();
    const limitPeriod = unit && calendarPeriod(today, unit);
    const [{ scope, days, people, weekly, usual, dailyOf, usedInLimitPeriod }, all, limit] = await Promise.all([
      monthOf({ through, limitPeriod }),
      through < first ? undefined : deps.days.credits({ first, last: through }, options),
      deps.limits()?.limitOf(email),
    ]);
    if (days.kind === 'unreadable') return days;
    const used = spendOf(people, [email]);
    const self = new Set([email]);
    const own = weekly.filter(({ person }) => isOneOf(person, self));
    const limitFacts = {
      limit,
      unit,
      use:
        limitPeriod && usedInLimitPeriod
          ? { period: limitPeriod, through, used: usedInLimitPeriod(email), days: dailyOf(self) }
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
        weeks: lastWeeks(through, deps.days.beginningOfPeople()).map((_, week) =>
          sumOf(own, ({ weeks }) => weeks[week] ?? 0),
        ),
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
  const weeks = lastWeeks(through, beginning);
  const month = createPeopleSpendFold(period, scope.comparedWith);
  const folds = weeks.map((week) => createPeopleSpendFold(week, undefined));
  const recentDays = rangeOf(scope, beginning);
  const daily = createPeopleSpendFold(recentDays, undefined);
  const limitDays = limitPeriod && publishedDaysOf(limitPeriod, through, beginning);
  const isMonth = limitDays?.first === period.first;
  const limitFold = limitDays && !isMonth ? createPeopleSpendFold(limitDays, undefined) : undefined;
  const range =
    limitDays && limitDays.first < recentDays.first ? { ...recentDays, first: limitDays.first } : recentDays;
  const usualWeek = lastCalendarWeek(through, beginning);
  const usualFold = usualWeek && createPeopleSpendFold(usualWeek, undefined);
  const days = await deps.days.peopleCredits(
    range,
    (row) => {
      month.add(row);
      if (row.date >= recentDays.first) daily.add(row);
      limitFold?.add(row);
      for (const fold of folds) fold.add(row);
      usualFold?.add(row);
    },
    { maxAgeMs: MONTH_LIFE_MS },
  );
  await nextTurn();
  // Resolves the identities once.
  daily.people();
  const byWeek: PersonSpend[][] = [];
  // With thousands of people each of these takes long: acknowledgements run in between.
  for (const fold of folds) {
    await nextTurn();
    byWeek.push(fold.people());
  }
  await nextTurn();
  const people = month.people();
  const inLimitPeriod = isMonth ? people : (limitFold?.people() ?? []);
  await nextTurn();
  const usual = usualWeek && usualFold && usualWeekOf(usualWeek, usualFold.people(), deps.config.minGroup);
  return {
    scope,
    range,
    readAt,
    days,
    people,
    weekly: weeklyOf(byWeek),
    usual,
    dailyOf: daily.dailyCreditsOf,
    usedInLimitPeriod: limitDays && ((email: string) => spendOf(inLimitPeriod, [email]).value),
  };
}

function usualWeekOf(week: Period, people: readonly PersonSpend[], minGroup: number): UsualWeek | undefined {
  const band = usualBandOf(
    people.map(({ credits }) => credits),
    minGroup,
  );
  return band && { week, ...band };
}

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

function calendarPeriod(day: Day, unit: LimitPeriod): Period {
  if (unit !== 'week') return calendarPart(day, unit);
  const monday = mondayOf(day);
  return { first: monday, last: plusDays(monday, 6) };
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

function weeklyOf(byWeek: readonly (readonly PersonSpend[])[]): Weekly {
  const amounts = new Map<string, { person: PersonSpend; weeks: number[] }>();
  for (const [week, people] of byWeek.entries()) {
    for (const person of people) {
      const entry = amounts.get(person.key) ?? { person, weeks: byWeek.map(() => 0) };
      entry.weeks[week] = person.credits;
      amounts.set(person.key, entry);
    }
  }
  return [...amounts.values()];
}
