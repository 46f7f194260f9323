import type { AmountsByDay, PeopleByDay } from '../../../core/analytics/amounts.ts';
import { daysOf, type Day, type Period } from '../../../core/base/time/calendar.ts';
import { limitPeriodAround, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import type { DailyAmounts } from '../../../core/figures/money/price-list.ts';
import { PLATFORM_BEGINNING } from '../../../core/analytics/period.ts';

export const SIMULATED_UNITS = ['week', 'month', 'quarter'] as const;
export type SimulatedUnit = (typeof SIMULATED_UNITS)[number];

/** `group`: the id of a user group. */
export interface SimulatedLimit {
  group: string;
  limit: number;
  unit: SimulatedUnit | undefined;
}

const PERIODS: Readonly<Record<SimulatedUnit, number>> = { week: 8, month: 3, quarter: 2 };
/** With more days missing, people stopped on those days would count as not stopped. */
const MAX_MISSING = 0.1;

/**
 * Returns the last closed periods, oldest first, without those that start before the first day with figures. Pure.
 *
 * @param month in which limits count
 */
export function closedPeriods(
  unit: SimulatedUnit,
  today: Day,
  { first: since } = PLATFORM_BEGINNING,
  month: LimitPeriod = 'month',
): Period[] {
  const period = unit === 'month' ? month : unit;
  const count = PERIODS[unit];
  const periods = Array.from({ length: count }, (_, index) => limitPeriodAround(today, period, index - count));
  return periods.filter(({ first }) => first >= since);
}

export interface StoppedPerson {
  email: string;
  /** The first day on which the limit would have been exceeded. */
  on: Day;
  used: number;
  limit: number;
  preventedShare: number;
}

export interface SimulatedPeriod {
  period: Period;
  /** The number of people with any use by the end of the period; people who joined later do not count. */
  people: number;
  stopped: StoppedPerson[];
}

export type Simulation =
  | { kind: 'simulated'; periods: SimulatedPeriod[] }
  | { kind: 'missing_days'; missing: number; days: number };

/** `limits` holds the use allowed in one period, by lower-case e-mail; `range` is the days of the first argument. */
export function simulate(
  { credits, keyByEmail, published }: PeopleByDay,
  { limits, periods, range }: { limits: ReadonlyMap<string, number>; periods: readonly Period[]; range: Period },
): Simulation {
  const publishedDays = new Set(published.map(({ day }) => day));
  const requiredDays = periods.flatMap((period) => daysOf(period));
  const missing = requiredDays.filter((day) => !publishedDays.has(day)).length;
  if (missing > requiredDays.length * MAX_MISSING) return { kind: 'missing_days', missing, days: requiredDays.length };
  const days = daysOf(range);
  const emailByKey = emailsByKey(keyByEmail, [...limits.keys()]);
  return {
    kind: 'simulated',
    periods: periods.map((period) => {
      const simulated: SimulatedPeriod = { period, people: 0, stopped: [] };
      for (const [key, email] of emailByKey) {
        const own = credits.get(key);
        if (!own || !days.some((day, place) => day <= period.last && (own[place] ?? 0) > 0)) continue;
        simulated.people += 1;
        const stopped = stoppedIn(period, limits.get(email) ?? 0, days, own);
        if (stopped) simulated.stopped.push({ email, ...stopped });
      }
      simulated.stopped.sort((a, b) => b.preventedShare - a.preventedShare || (a.email < b.email ? -1 : 1));
      return simulated;
    }),
  };
}

/** Several e-mails of one person count once. */
const emailsByKey = (keyByEmail: PeopleByDay['keyByEmail'], emails: readonly string[]) =>
  new Map(emails.map((email) => [keyByEmail.get(email) ?? email, email]));

export function usedByDay(
  { credits, keyByEmail }: PeopleByDay,
  emails: readonly string[],
  range: Period,
): DailyAmounts {
  const keys = [...emailsByKey(keyByEmail, emails).keys()];
  return daysOf(range).map((day, place) => [day, sumOf(keys, (key) => credits.get(key)?.[place] ?? 0)]);
}

function stoppedIn(
  period: Period,
  limit: number,
  days: readonly Day[],
  own: AmountsByDay,
): Omit<StoppedPerson, 'email'> | undefined {
  let used = 0;
  let on: Day | undefined;
  for (const [place, day] of days.entries()) {
    if (day < period.first || day > period.last) continue;
    used += own[place] ?? 0;
    if (used > limit) on ??= day;
  }
  return on === undefined ? undefined : { on, used, limit, preventedShare: (used - limit) / used };
}
