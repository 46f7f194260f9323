import type { AnalyticsDays } from '../../../core/analytics/days.ts';
import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { createCache } from '../../../core/base/cache.ts';
import { formatCompact } from '../../../core/base/text/numbers.ts';
import { dayOf, formatDate, formatMonth, plusDays, type Day, type Period } from '../../../core/base/time/calendar.ts';
import { limitPeriodAround, monthOf, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { createPeopleSpendFold, spendOf, type PersonSpend } from '../../../core/figures/measures/people-spend.ts';

const MONTHS = 3;
/** The credits of all people are thousands of rows, and nearly the same for every reader. */
const LIFE_MS = 10 * 60_000;

/**
 * Puts the credits that a person used in each of the last months into words; undefined if they cannot be read.
 *
 * @param name undefined for the reader
 */
export type ReadMonthlyUse = (email: string, name?: string) => Promise<string | undefined>;

interface Month {
  /** Its days with figures. */
  period: Period;
  isOpen: boolean;
  people: readonly PersonSpend[];
}

interface MonthsKey {
  today: Day;
  /** In which limits count. */
  month: LimitPeriod;
}

export function createMonthlyUse(deps: {
  days: Pick<AnalyticsDays, 'peopleCredits' | 'beginningOfPeople'>;
  clock: Clock;
  readLimitPeriod: () => Promise<LimitPeriod | undefined>;
}): ReadMonthlyUse {
  const months = createCache(deps.clock, LIFE_MS, (key: MonthsKey) => readMonths(deps.days, key), {
    maxEntries: 1,
    isKept: (read) => read !== undefined,
  });
  return async (email, name = 'You') => {
    const month = monthOf(await deps.readLimitPeriod());
    const today = dayOf(deps.clock.now());
    const read = await months.get({ today, month });
    return read && useWords(read, { email, name }, { today, month });
  };
}

async function readMonths(
  days: Pick<AnalyticsDays, 'peopleCredits' | 'beginningOfPeople'>,
  { today, month }: MonthsKey,
): Promise<Month[] | undefined> {
  const beginning = days.beginningOfPeople();
  const isWhole = (first: Day) => beginning.keptDays === undefined || first >= beginning.first;
  const yesterday = plusDays(today, -1);
  const periods = Array.from({ length: MONTHS }, (_, index) => limitPeriodAround(today, month, index + 1 - MONTHS))
    .filter(({ first, last }) => isWhole(first) && last >= beginning.first && first <= yesterday)
    .map(({ first, last }) => ({
      first: notBeforeFirstDay(first, beginning),
      last: last > yesterday ? yesterday : last,
      isOpen: last > yesterday,
    }));
  const [oldest] = periods;
  if (!oldest) return undefined;
  const folds = periods.map(({ isOpen, ...period }) => ({
    period,
    isOpen,
    fold: createPeopleSpendFold(period, undefined),
  }));
  const read = await days.peopleCredits(
    { first: oldest.first, last: yesterday },
    (row) => {
      for (const { period, fold } of folds) if (row.date >= period.first && row.date <= period.last) fold.add(row);
    },
    { maxAgeMs: LIFE_MS },
  );
  if (read.kind === 'unreadable' || read.rows.length === 0) return undefined;
  const isPublished = ({ first, last }: Period) => read.rows.some((day) => day >= first && day <= last);
  return folds
    .filter(({ period }) => isPublished(period))
    .map(({ period, isOpen, fold }) => ({ period, isOpen, people: fold.people() }));
}

/** @example 'You used 4 M in September, 5.1 M in October and 3.9 M in November so far.' */
function useWords(
  months: readonly Month[],
  { email, name }: { email: string; name: string },
  { today, month }: MonthsKey,
): string {
  const parts = months.map(({ period, isOpen, people }) => {
    const used = formatCompact(spendOf(people, [email]).value);
    if (month === 'month') return `${used} in ${formatMonth(period.first, today)}${isOpen ? ' so far' : ''}`;
    const since = formatDate(period.first, today);
    return isOpen ? `${used} since ${since}` : `${used} from ${since} to ${formatDate(period.last, today)}`;
  });
  return `${name} used ${new Intl.ListFormat('en-GB').format(parts)}.`;
}
