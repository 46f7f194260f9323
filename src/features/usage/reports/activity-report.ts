import type { OrganizationFacts } from '../../../core/analytics/day-facts.ts';
import type { ActivityRow } from '../../../core/platform/endpoints/analytics-rows.ts';
import type { Day } from '../../../core/base/time/calendar.ts';
import { ratioOf } from './credits-report.ts';
import { dayRowsOf } from '../../../core/figures/measures/day-rows.ts';
import {
  faultsOf,
  figureOf,
  knownOf,
  type DatedRow,
  type ReportScope,
} from '../../../core/figures/measures/figures.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { sourceOf } from '../../../core/figures/measures/source.ts';

/** Numbers of people by day; they are never added, because a person would count on each day. */
export interface PeopleOnDays {
  averageDaily: number;
  peak: { day: Day; daily: number };
}

/** The people of one client; a person counts for each client that they used. */
export type ClientPeople = PeopleOnDays & { client: string };

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

export function activePeople(activity: OrganizationFacts['activity'], { period }: ReportScope) {
  return knownOf(activity, period, (rows) => {
    const last = rows.reduce((latest, row) => (row.date > latest.date ? row : latest));
    const spread = spreadOf(rows, (row) => row.daily_active_users);
    return {
      ...spread,
      /** The last published day, to which `daily`, `weekly` and `monthly` belong. */
      day: last.date,
      daily: last.daily_active_users,
      weekly: last.weekly_active_users ?? undefined,
      monthly: last.monthly_active_users ?? undefined,
      /** The average of daily people in the period, divided by the monthly people of its last published day. */
      stickiness: ratioOf(spread.averageDaily, last.monthly_active_users ?? 0),
    };
  });
}

/** Returns the mean and latest peak of a measure that is never summed over days. @throws TypeError without rows */
export function spreadOf<Row extends DatedRow>(rows: readonly Row[], measure: (row: Row) => number): PeopleOnDays {
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
