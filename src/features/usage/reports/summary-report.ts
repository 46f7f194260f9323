import type { DailyCreditsRow, OrganizationFacts, Part } from '../../../core/analytics/day-facts.ts';
import type { ProductivityRow, ActivityRow } from '../../../core/platform/endpoints/analytics-rows.ts';
import { lengthOf } from '../../../core/base/time/calendar.ts';
import type { TimelineEvent } from '../../../core/feature.ts';
import type { Audience, NamingPermission } from '../../../core/slack/people/audience.ts';
import { isCurrent } from '../../../core/analytics/period.ts';
import { forecastMonth } from '../../../core/figures/insight/forecast.ts';
import { buildMoves } from './moves-report.ts';
import { amountsOf, unusualDays, weekendBand } from '../../../core/figures/insight/unusual.ts';
import { activePeople } from './activity-report.ts';
import { modelCredits } from '../../../core/figures/measures/amounts.ts';
import { breakdownOf, type NamedFigure } from '../../../core/figures/measures/breakdown.ts';
import { dayRowsOf } from '../../../core/figures/measures/day-rows.ts';
import {
  faultsOf,
  figureOf,
  knownOf,
  type Measurement,
  type ReportScope,
} from '../../../core/figures/measures/figures.ts';
import type { PriceList } from '../../../core/figures/money/price-list.ts';
import { creditsCost } from '../../../core/figures/measures/report-costs.ts';
import { partOfDays, spendByName, spendOf, type PeopleSpend } from '../../../core/figures/measures/people-spend.ts';
import { sourceOf } from '../../../core/figures/measures/source.ts';

export type SummaryFacts = Pick<OrganizationFacts, 'credits' | 'activity' | 'productivity'> & {
  history: Part<DailyCreditsRow>;
  people?: PeopleSpend | undefined;
  timeline?: readonly TimelineEvent[] | undefined;
  prices?: PriceList | undefined;
};

export interface SummaryScope extends ReportScope {
  /** A single reader also sees their own part; people are named only to readers with that right. */
  readers: Audience;
}

type DailyFacts = Pick<SummaryFacts, 'credits' | 'history'>;

/** What the days before say about the period. With many days, it takes as long as all parts without a forecast. Pure. */
export function judgePeriod({ credits, history }: DailyFacts, { period }: ReportScope) {
  return {
    usual: weekendBand(history, period),
    unusual: history.kind === 'read' ? unusualDays(amountsOf(credits), amountsOf(history), period) : undefined,
  };
}

/** Undefined for a period that ended long ago, because the forecast is about this month. Takes as long again. Pure. */
export function forecastAfter({ credits, history }: DailyFacts, scope: ReportScope) {
  return isCurrent(scope) ? forecastMonth(credits, history, scope.today) : undefined;
}

const outlookOf = (facts: DailyFacts, scope: ReportScope) => ({
  ...judgePeriod(facts, scope),
  forecast: forecastAfter(facts, scope),
});

export function buildSummaryReport(facts: SummaryFacts, scope: SummaryScope, outlook = outlookOf(facts, scope)) {
  const { credits, history, activity, productivity, people } = facts;
  const { naming } = scope.readers;
  const ownEmail = scope.readers.kind === 'person' ? scope.readers.email : undefined;
  const ofActivity = (measure: (row: ActivityRow) => number) => figureOf(activity, scope, measure);
  const ofProductivity = (measure: (row: ProductivityRow) => number) => figureOf(productivity, scope, measure);
  return {
    scope: { ...scope, usual: outlook.usual },
    credits: figureOf(credits, scope, (row) => row.billable_tokens),
    cost: creditsCost(facts.prices, credits, scope.period),
    days: dayRowsOf(credits, scope),
    models: breakdownOf(credits, scope, modelCredits),
    active: activePeople(activity, scope),
    sessions: ofActivity((row) => row.sessions),
    messages: ofActivity((row) => row.messages),
    commits: ofProductivity((row) => row.git_commits),
    pullRequests: ofProductivity((row) => row.git_prs_created),
    filesCreated: ofProductivity((row) => row.files_created),
    filesEdited: ofProductivity((row) => row.files_edited),
    people: people && naming ? topSpend(people, scope, naming) : undefined,
    own: people && ownEmail !== undefined ? ownSpend(people, scope, ownEmail) : undefined,
    moves: buildMoves({ credits, people, timeline: facts.timeline }, scope, naming),
    unusual: outlook.unusual,
    forecast: outlook.forecast,
    source: sourceOf([credits, activity, productivity], scope, people?.missingValues),
    faults: faultsOf({ credits, history, activity, productivity, people: people?.days }),
  };
}

export type SummaryReport = ReturnType<typeof buildSummaryReport>;

/** In a longer period, days as usual can still add up to a change that matters. */
const MAX_JUDGED_DAYS = 3;

/** Whether each day of a short period was usual for its weekday; a day that cannot be judged is not. Pure. */
export function isAsUsual({ scope: { period }, unusual }: SummaryReport): boolean {
  const days = lengthOf(period);
  if (!unusual || days > MAX_JUDGED_DAYS || unusual.ranges.length < days) return false;
  return unusual.unusual.length === 0 && unusual.unknown.length === 0;
}

function topSpend(people: PeopleSpend, scope: ReportScope, naming: NamingPermission): Measurement<NamedFigure[]> {
  const spend = spendByName(people, scope, naming);
  if (spend.kind !== 'known') return spend;
  return { kind: 'known', value: spend.value.filter(({ value }) => value > 0) };
}

function ownSpend({ days, people }: PeopleSpend, { period }: ReportScope, email: string): Measurement<number> {
  return knownOf(partOfDays(days), period, () => spendOf(people, [email]).value);
}
