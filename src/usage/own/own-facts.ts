import { comparedPeriod } from '../../analytics/comparison.ts';
import { cutToExisting, notBeforeFirstDay, type Beginning } from '../../analytics/existing-period.ts';
import type { AnalyticsDays } from '../../analytics/days.ts';
import { isOneOf } from '../../analytics/person-credits.ts';
import { createCache } from '../../base/cache.ts';
import { calendarPart, mondayOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';
import { nextTurn } from '../../base/time/turns.ts';
import type { LimitPeriod } from '../../base/settings/config.ts';
import type { UsageServices } from '../usage-deps.ts';
import { isComparable, sumOf, type ReportScope } from '../../figures/measures/figures.ts';
import { createPeopleSpendFold, partOfDays, spendOf, type PersonSpend } from '../../figures/measures/people-spend.ts';
import { todayOf } from '../../figures/period.ts';
import type { ReadOwn } from './own-report.ts';
import { usualBandOf, type UsualWeek } from './usual-band.ts';

const WEEKS = 4;
/** The credits of all people are thousands of rows, and nearly the same for every reader. */
const MONTH_LIFE_MS = 10 * 60_000;

interface OwnDeps {
  days: Pick<AnalyticsDays, 'activity' | 'credits' | 'peopleCredits' | 'beginningOfPeople' | 'changedAfter'>;
  config: Pick<UsageServices['config'], 'minGroup'>;
  clock: UsageServices['clock'];
  limits: UsageServices['limits'];
  readLimitPeriod: () => Promise<LimitPeriod | undefined>;
}

type Weekly = readonly { person: PersonSpend; weeks: number[] }[];

export function createOwnReader(deps: OwnDeps): ReadOwn {
  const months = createCache(deps.clock, MONTH_LIFE_MS, (through: Day) => readMonth(deps, through), {
    maxEntries: 1,
    isKept: ({ days }) => days.kind !== 'unreadable',
  });
  const monthThrough = async (through: Day) => {
    const month = await months.get(through);
    const isChanged = await deps.days.changedAfter(rangeOf(month.scope, month.beginning), month.readAt);
    return isChanged ? months.replace(through, month) : month;
  };
  return async (email, options) => {
    const today = todayOf(deps);
    const existing = cutToExisting(calendarPart(today, 'month'), today);
    if (existing.kind !== 'exists') return { kind: 'no_days' };
    const activity = await deps.days.activity(existing.period, options);
    if (activity.kind === 'unreadable') return activity;
    const through = activity.rows.at(-1)?.date;
    if (through === undefined) return { kind: 'unpublished' };
    const [{ scope, days, people, weekly, usual, dailyOf }, all, limit, limitPeriod] = await Promise.all([
      monthThrough(through),
      deps.days.credits({ first: existing.period.first, last: through }, options),
      deps.limits()?.limitOf(email),
      deps.readLimitPeriod(),
    ]);
    if (days.kind === 'unreadable') return days;
    const used = spendOf(people, [email]);
    const self = new Set([email]);
    const own = weekly.filter(({ person }) => isOneOf(person, self));
    return {
      kind: 'read',
      report: {
        ...scope,
        used: isComparable(partOfDays(days), scope) ? used : { value: used.value },
        all: all.kind === 'read' ? sumOf(all.rows, (row) => row.billable_tokens) : undefined,
        limit,
        limitPeriod,
        days: dailyOf(self),
        weeks: lastWeeks(through, deps.days.beginningOfPeople()).map((_, week) =>
          sumOf(own, ({ weeks }) => weeks[week] ?? 0),
        ),
        usual,
      },
    };
  };
}

async function readMonth(deps: OwnDeps, through: Day) {
  const readAt = deps.clock.now();
  const beginning = deps.days.beginningOfPeople();
  const period = { first: notBeforeFirstDay(`${through.slice(0, 7)}-01`, beginning), last: through };
  const scope = { period, comparedWith: comparedPeriod(period, 'month', beginning), today: todayOf(deps) };
  const weeks = lastWeeks(through, beginning);
  const month = createPeopleSpendFold(period, scope.comparedWith);
  const folds = weeks.map((week) => createPeopleSpendFold(week, undefined));
  const daily = createPeopleSpendFold(rangeOf(scope, beginning), undefined);
  const usualWeek = lastCalendarWeek(through, beginning);
  const usualFold = usualWeek && createPeopleSpendFold(usualWeek, undefined);
  const days = await deps.days.peopleCredits(
    rangeOf(scope, beginning),
    (row) => {
      month.add(row);
      daily.add(row);
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
  const usual = usualWeek && usualFold && usualWeekOf(usualWeek, usualFold.people(), deps.config.minGroup);
  return {
    scope,
    beginning,
    readAt,
    days,
    people: month.people(),
    weekly: weeklyOf(byWeek),
    usual,
    dailyOf: daily.dailyCreditsOf,
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
