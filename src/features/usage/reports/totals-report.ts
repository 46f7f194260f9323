import type { DailyCreditsRow, OrganizationFacts, Part } from '../../../core/analytics/day-facts.ts';
import type { ActivityRow, CreditsRow } from '../../../core/platform/endpoints/analytics-rows.ts';
import {
  breakdownOf,
  creditsCost,
  creditsPartCosts,
  modelCredits,
  tierCredits,
} from '../../../core/figures/measures/breakdown.ts';
import {
  type DatedRow,
  type Measurement,
  type ReportScope,
  dayRowsOf,
  faultsOf,
  figureOf,
  knownOf,
  rowsWithin,
  sourceOf,
} from '../../../core/figures/measures/figures.ts';
import { dayOffBand } from '../../../core/figures/insight/unusual.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import type { PriceList } from '../../../core/figures/money/price-list.ts';
import type { Day } from '../../../core/base/time/calendar.ts';

export function buildCreditsReport(
  facts: Pick<OrganizationFacts, 'credits' | 'activity'> & {
    history?: Part<DailyCreditsRow>;
    prices?: PriceList | undefined;
  },
  scope: ReportScope,
) {
  const { credits, activity, history, prices } = facts;
  const figure = (measure: (row: CreditsRow) => number) => figureOf(credits, scope, measure);
  return {
    scope: history ? { ...scope, usual: dayOffBand(history, scope.period) } : scope,
    credits: figure((row) => row.billable_tokens),
    days: dayRowsOf(credits, scope),
    cost: creditsCost(prices, credits, scope.period),
    models: breakdownOf(credits, scope, modelCredits),
    modelCosts: creditsPartCosts(prices, credits, scope.period, modelCredits),
    tiers: breakdownOf(credits, scope, tierCredits),
    tierCosts: creditsPartCosts(prices, credits, scope.period, tierCredits),
    input: figure((row) => row.input_tokens),
    output: figure((row) => row.output_tokens),
    cacheRead: figure((row) => row.cache_read_tokens),
    cacheWrite: figure((row) => row.cache_write_tokens),
    /** Not a share, because the document does not say whether input includes cache reads; undefined without input. */
    cacheReadsPerInput: knownOf(credits, scope.period, (rows) =>
      ratioOf(
        sumOf(rows, (row) => row.cache_read_tokens),
        sumOf(rows, (row) => row.input_tokens),
      ),
    ),
    /** All credits divided by all daily active people, on days on which both are published; undefined without any. */
    perActivePersonDay: creditsPer(credits, activity, scope, (row) => row.daily_active_users),
    source: sourceOf([credits, activity], scope),
    faults: faultsOf({ credits, activity }),
  };
}

export type CreditsReport = ReturnType<typeof buildCreditsReport>;

/** Divides credits by another measure, over the days on which both are published; undefined if the other is zero. */
export function creditsPer<Row extends DatedRow>(
  credits: Part<DailyCreditsRow>,
  other: Part<Row>,
  { period }: ReportScope,
  measure: (row: Row) => number,
): Measurement<number | undefined> {
  if (credits.kind === 'unreadable' || other.kind === 'unreadable') return { kind: 'unreadable' };
  const amounts = new Map(rowsWithin(other, period).map((row) => [row.date, measure(row)]));
  const both = rowsWithin(credits, period).filter((row) => amounts.has(row.date));
  if (both.length === 0) return { kind: 'unpublished' };
  const used = sumOf(both, (row) => row.billable_tokens);
  const amount = sumOf(both, (row) => amounts.get(row.date) ?? 0);
  return { kind: 'known', value: ratioOf(used, amount) };
}

/** undefined if the whole is zero. @example ratioOf(6, 3) // 2 */
export function ratioOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

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
      stickiness: stickinessOf(rows),
    };
  });
}

/** The mean of the daily people divided by the mean of the monthly people, both over the days that show both. */
function stickinessOf(rows: readonly ActivityRow[]): number | undefined {
  const complete = rows.flatMap(({ daily_active_users: daily, monthly_active_users: monthly }) =>
    typeof monthly === 'number' ? [{ daily, monthly }] : [],
  );
  return ratioOf(
    sumOf(complete, ({ daily }) => daily),
    sumOf(complete, ({ monthly }) => monthly),
  );
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
