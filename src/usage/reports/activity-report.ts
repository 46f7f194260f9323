import type { OrganizationFacts } from '../../analytics/facts.ts';
import type { ActivityRow } from '../../platform/endpoints/analytics-rows.ts';
import type { Day } from '../../base/time/calendar.ts';
import { ratioOf } from './credits-report.ts';
import { dayRowsOf } from '../measures/day-rows.ts';
import { faultsOf, figureOf, knownOf, sumOf, type Known, type ReportScope } from '../measures/figures.ts';
import { sourceOf } from '../measures/source.ts';

/** People who were active. Those of several days are never added: a person would count on each. */
export interface ActivePeople {
  /** The last published day, to which `daily`, `weekly` and `monthly` belong. */
  day: Day;
  daily: number;
  /** Missing: not known, like `monthly`. */
  weekly: number | undefined;
  monthly: number | undefined;
  /** Of the published days. */
  averageDaily: number;
  peak: { day: Day; daily: number };
  /** Average daily people of the period by the monthly people of its last published day. */
  stickiness: number | undefined;
}

/** People of one client: one person counts on each client that they used. */
export interface ClientPeople {
  client: string;
  averageDaily: number;
  peak: { day: Day; daily: number };
}

/** Pure. */
export function buildActivityReport({ activity }: Pick<OrganizationFacts, 'activity'>, scope: ReportScope) {
  const clients = knownOf(activity, scope.period, clientsOf);
  return {
    scope,
    active: activePeople(activity, scope),
    sessions: figureOf(activity, scope, (row) => row.sessions),
    messages: figureOf(activity, scope, (row) => row.messages),
    userMessages: figureOf(activity, scope, (row) => row.user_messages),
    clients: clients.kind === 'known' ? clients.value : [],
    days: dayRowsOf(activity, scope),
    source: sourceOf([activity], scope),
    faults: faultsOf({ activity }),
  };
}

export type ActivityReport = ReturnType<typeof buildActivityReport>;

/** Who was active in a period, as far as that can be said of more than a day. */
export function activePeople(activity: OrganizationFacts['activity'], { period }: ReportScope): Known<ActivePeople> {
  return knownOf(activity, period, (rows) => {
    const last = rows.reduce((latest, row) => (row.date > latest.date ? row : latest));
    const { averageDaily, peak } = spreadOf(rows, (row) => row.daily_active_users);
    return {
      day: last.date,
      daily: last.daily_active_users,
      weekly: last.weekly_active_users ?? undefined,
      monthly: last.monthly_active_users ?? undefined,
      averageDaily,
      peak,
      stickiness: ratioOf(averageDaily, last.monthly_active_users ?? 0),
    };
  });
}

/**
 * The average and the highest of something that days do not add up to; of several equal days the latest.
 *
 * @throws TypeError without rows
 */
export function spreadOf<Row extends { date: Day }>(rows: readonly Row[], measure: (row: Row) => number) {
  const peak = rows.reduce((best, row) =>
    measure(row) > measure(best) || (measure(row) === measure(best) && row.date > best.date) ? row : best,
  );
  return { averageDaily: sumOf(rows, measure) / rows.length, peak: { day: peak.date, daily: measure(peak) } };
}

function clientsOf(rows: readonly ActivityRow[]): ClientPeople[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row.daily_active_users_by_client)));
  return [...names]
    .map((client) => ({ client, ...spreadOf(rows, (row) => peopleOn(row, client)) }))
    .toSorted((a, b) => b.averageDaily - a.averageDaily || (a.client < b.client ? -1 : 1));
}

function peopleOn(row: ActivityRow, client: string): number {
  return Object.hasOwn(row.daily_active_users_by_client, client) ? (row.daily_active_users_by_client[client] ?? 0) : 0;
}
