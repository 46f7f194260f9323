import type { OrganizationFacts } from '../../analytics/facts.ts';
import type { ProductivityRow, ActivityRow, CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import type { TimelineEvent } from '../../feature.ts';
import type { Audience, Naming } from '../../slack/people/audience.ts';
import { plusDays } from '../../calendar.ts';
import { forecastMonth, type KnownForecast } from '../insight/forecast.ts';
import { buildMoves, type MovesReport } from '../insight/moves.ts';
import { unusualDays, type UnusualDay } from '../insight/unusual.ts';
import { activePeople, type ActivePeople } from '../reports/activity-report.ts';
import { modelCredits } from '../measures/amounts.ts';
import { breakdownOf, type NamedFigure } from '../measures/breakdown.ts';
import { dayRowsOf, type DayRow } from './day-table.ts';
import { faultsOf, figureOf, type FaultyPart, type Figure, type Known, type ReportScope } from '../measures/figures.ts';
import { partOfDays, spendByName, spendOf, type PeopleSpend } from '../measures/people-spend.ts';
import { sourceOf, type Source } from '../measures/source.ts';

/** What a summary is made of. Credits may reach back further than the periods: older days tell what is usual. */
export type SummaryFacts = Pick<OrganizationFacts, 'credits' | 'activity' | 'productivity'> & {
  people?: PeopleSpend | undefined;
  timeline?: readonly TimelineEvent[] | undefined;
};

export interface SummaryScope extends ReportScope {
  /** One person is told their own part; nobody is named to whom people may not be named. */
  readers: Audience;
}

export interface SummaryReport {
  scope: SummaryScope;
  credits: Known<Figure>;
  days: DayRow<CreditsRow>[];
  models: NamedFigure[];
  active: Known<ActivePeople>;
  sessions: Known<Figure>;
  messages: Known<Figure>;
  commits: Known<Figure>;
  pullRequests: Known<Figure>;
  filesCreated: Known<Figure>;
  filesEdited: Known<Figure>;
  /** Missing when nobody may be named. */
  people: Known<NamedFigure[]> | undefined;
  own: Known<number> | undefined;
  moves: MovesReport;
  unusual: UnusualDay[];
  /** Missing for a period that ended long ago: this month is no part of it. */
  forecast: KnownForecast | undefined;
  source: Source;
  faults: FaultyPart[];
}

/** A forecast belongs to what is going on: to periods that end with one of the last days. */
const RECENT_DAYS = 4;

/** Adds up facts to the summary of a period. Pure. */
export function buildSummaryReport(facts: SummaryFacts, scope: SummaryScope): SummaryReport {
  const { credits, activity, productivity, people } = facts;
  const { naming } = scope.readers;
  const ownEmail = scope.readers.kind === 'person' ? scope.readers.email : undefined;
  const ofActivity = (measure: (row: ActivityRow) => number) => figureOf(activity, scope, measure);
  const ofProductivity = (measure: (row: ProductivityRow) => number) => figureOf(productivity, scope, measure);
  const amounts = credits.kind === 'read' ? credits.rows.map(dayAmount) : [];
  return {
    scope,
    credits: figureOf(credits, scope, (row) => row.billable_tokens),
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
    unusual: unusualDays(amounts, scope.period),
    forecast:
      scope.period.last >= plusDays(scope.today, -RECENT_DAYS) ? forecastMonth(credits, scope.today) : undefined,
    source: sourceOf([credits, activity, productivity], scope),
    faults: faultsOf({ credits, activity, productivity, people: people?.days }),
  };
}

const dayAmount = (row: CreditsRow) => ({ day: row.date, amount: row.billable_tokens });

function topSpend(people: PeopleSpend, scope: ReportScope, naming: Naming): Known<NamedFigure[]> {
  const known = spendByName(people, scope, naming);
  if (known.kind !== 'known') return known;
  return { kind: 'known', value: known.value.filter(({ value }) => value > 0) };
}

function ownSpend({ days, people }: PeopleSpend, { period }: ReportScope, email: string): Known<number> {
  const part = partOfDays(days);
  if (part.kind === 'unreadable') return { kind: 'unreadable' };
  if (!part.rows.some(({ date }) => date >= period.first && date <= period.last)) return { kind: 'unpublished' };
  return { kind: 'known', value: spendOf(people, [email]).credits };
}
