import {
  NO_NOTES,
  type SectionContent,
  type SectionParts,
  content,
  organizationOnlySection,
} from './digest/content.ts';
import { reportError } from '../../core/slack/blocks/faults.ts';
import type { NamingPermission } from '../../core/slack/people/audience.ts';
import type { UsageViewName } from './usage-command.ts';
import {
  activitySection,
  creditsSection,
  groupPeopleSection,
  peopleSection,
  productivitySection,
  toolsSection,
} from './digest/parts.ts';
import { groupSummarySection, summarySection } from './digest/summary.ts';
import type { GroupCourse } from './digest/group-course.ts';
import {
  ACTIVITY_CSV,
  CREDITS_CSV,
  type CsvDefinition,
  MODELS_CSV,
  PRODUCTIVITY_CSV,
  SUMMARY_CSV,
  TOOLS_CSV,
  organizationCsv,
  throwIfUnreadable,
} from './export/organization-csv.ts';
import { explainActivity, explainTools } from './explain/activity-parts.ts';
import { explainCredits, explainModels, explainSummary } from './explain/credits-parts.ts';
import {
  explainGroup,
  explainMoves,
  explainPeople,
  explainProductivity,
  explainTeams,
} from './explain/people-parts.ts';
import { buildMoves, buildSummaryReport, forecastAfter, judgePeriod } from './reports/summary-report.ts';
import { movesView, summaryView } from './views/summary-view.ts';
import { redactTeams } from '../teams/team-details.ts';
import { buildTeamsReport } from '../teams/teams-report.ts';
import { teamsView } from './views/teams-view.ts';
import { buildActivityReport, buildCreditsReport } from './reports/totals-report.ts';
import { activityView } from './views/activity-view.ts';
import { creditsView } from './views/credits-view.ts';
import { buildModelsReport } from './reports/models-report.ts';
import { modelsView } from './views/models-view.ts';
import { buildPeopleReport } from './reports/people-report.ts';
import { peopleView } from './views/people-view.ts';
import { buildProductivityReport } from './reports/productivity-report.ts';
import { productivityView } from './views/productivity-view.ts';
import { inOwnTurn } from '../../core/base/time/turns.ts';
import { buildToolsReport } from './reports/tools-report.ts';
import { toolsView } from './views/tools-view.ts';
import type { OrganizationFacts } from '../../core/analytics/day-facts.ts';
import type { Logger } from '../../core/base/log.ts';
import type { UsageDeps } from './usage-deps.ts';
import { type DaysAhead, type Facts, type FactsQuery, type Series, readAhead, readFacts } from './usage-facts.ts';
import type { FaultyPart, ReportScope, Source } from '../../core/figures/measures/figures.ts';
import { readPriceList } from '../../core/figures/money/price-list.ts';
import type { Admission } from '../../core/figures/groups/admission.ts';
import type { GroupDetail } from '../../core/figures/groups/group.ts';
import { redactReport } from './reports/redact-report.ts';
import { type GroupReport, type GroupSubject, buildGroupReport, lacksFigures } from './reports/group-report.ts';
import type { ExplainedPart } from '../../core/figures/explanation/explanation.ts';
import { groupView } from './views/group-view.ts';
import type { Paragraph } from '../../core/slack/blocks/paragraphs.ts';
import type { View, ViewNotes } from './views/paragraphs.ts';

const CREDITS: ReadonlySet<Series> = new Set(['credits', 'sums', 'spend', 'totals']);

/** Every view of `/usage`; those with a section are in the order of the sections of a digest. */
export const CATALOGUE: Readonly<Record<UsageViewName, UsageView>> = {
  summary: defineView({
    title: 'Summary',
    needs: ['credits', 'history', 'activity', 'productivity', 'namedSpend', 'ownSpend', 'timeline', 'prices'],
    hasHistory: true,
    build: async ({ namedSpend, ownSpend, ...facts }, scope, { readers }) => {
      const judgement = judgePeriod(facts, scope);
      const outlook = await inOwnTurn(() => ({ ...judgement, forecast: forecastAfter(facts, scope) }));
      const people = namedSpend ?? ownSpend;
      return inOwnTurn(() => buildSummaryReport({ ...facts, people }, { ...scope, readers }, outlook));
    },
    show: summaryView,
    explain: explainSummary,
    section: {
      title: 'Usage',
      description: 'Credits, active people, largest changes and forecast',
      isDefault: true,
      parts: summarySection,
      groupParts: groupSummarySection,
    },
    csv: SUMMARY_CSV,
  }),
  credits: defineView({
    title: 'Credits',
    needs: ['credits', 'activity', 'history', 'prices'],
    build: buildCreditsReport,
    show: creditsView,
    explain: explainCredits,
    section: {
      title: 'Credits',
      description: 'By model and tier, input, output and cache',
      parts: creditsSection,
    },
    csv: CREDITS_CSV,
  }),
  people: defineView({
    title: 'People',
    needs: ['totals', 'known', 'seats', 'prices'],
    build: ({ totals, known, seats, prices }, scope) => buildPeopleReport(totals, scope, known, prices, seats),
    show: (report, notes, query) => peopleView(report, notes, namingOf(query), query.offset),
    explain: (report, query) => explainPeople(report, namingOf(query)),
    section: {
      title: 'People',
      description: 'Who used most; names people',
      namesPeople: true,
      also: ['spend'],
      parts: (report, { spend }, query) => peopleSection(report, spend, namingOf(query)),
      groupParts: groupPeopleSection,
    },
  }),
  teams: defineView({
    title: 'Teams',
    needs: ['spend', 'credits', 'chosenTeams', 'teamDetails', 'prices'],
    build: ({ spend, credits, chosenTeams: teams, teamDetails, prices }, scope) =>
      redactTeams(buildTeamsReport({ spend, credits, teams, prices }, scope), teamDetails),
    show: teamsView,
    explain: explainTeams,
  }),
  tools: defineView({
    title: 'Tools',
    needs: ['tools', 'activity'],
    build: buildToolsReport,
    show: toolsView,
    explain: explainTools,
    section: {
      title: 'Tools',
      description: 'Tools, servers, skills and autonomy',
      parts: toolsSection,
    },
    csv: TOOLS_CSV,
  }),
  activity: defineView({
    title: 'Activity',
    needs: ['activity'],
    build: buildActivityReport,
    show: activityView,
    explain: explainActivity,
    section: {
      title: 'Activity',
      description: 'Active people by day, week, month and client',
      parts: activitySection,
    },
    csv: ACTIVITY_CSV,
  }),
  productivity: defineView({
    title: 'Productivity',
    needs: ['productivity', 'sums'],
    build: buildProductivityReport,
    show: productivityView,
    explain: explainProductivity,
    section: {
      title: 'Productivity',
      description: 'Commits, pull requests, files and languages',
      parts: productivitySection,
    },
    csv: PRODUCTIVITY_CSV,
  }),
  models: defineView({
    title: 'Models',
    needs: ['credits', 'prices'],
    build: buildModelsReport,
    show: modelsView,
    explain: explainModels,
    csv: MODELS_CSV,
  }),
  moved: defineView({
    title: 'What moved',
    needs: ['credits', 'tools', 'namedSpend', 'teams', 'timeline'],
    build: ({ namedSpend: people, ...facts }, scope, { readers }) =>
      buildMoves({ ...facts, people }, scope, readers.naming),
    show: (report, notes, { readers }) => movesView(report, notes, readers),
    explain: explainMoves,
    // Its figures come from all days, so its file is that of the summary, which the note says.
    csv: { ...SUMMARY_CSV, note: 'There is no file of the changes; this one has the days they are computed from' },
  }),
};

/** Earlier checks refuse requests without the right to name people; this one holds even if they are forgotten. */
function namingOf({ readers: { naming } }: ViewQuery): NamingPermission {
  if (!naming) throw new Error('Rows of people were requested without the right to name them');
  return naming;
}

export interface ViewQuery extends FactsQuery {
  offset: number;
  /** How much of a group may be shown; undefined: everything. */
  detail?: GroupDetail | undefined;
}

interface SectionQuery {
  group: GroupSubject | undefined;
  /** Of a group, in sections with history about at least a week. */
  course: GroupCourse | undefined;
  admission: Admission;
}

interface Report {
  source: Source;
  faults: readonly FaultyPart[];
}

interface SectionOptions {
  title: string;
  /** One line for the person who chooses sections. */
  description: string;
  isDefault?: true;
  namesPeople?: true;
}

/** A view as data: the facts that it needs, and how they become a report and an answer. */
interface ViewDefinition<Need extends Series, More extends Series, Row extends keyof OrganizationFacts, Built> {
  title: string;
  needs: readonly Need[];
  /** Whether it includes unusual days and a forecast. */
  hasHistory?: boolean;
  build(facts: Pick<Facts, Need>, scope: ReportScope, query: ViewQuery): Built | Promise<Built>;
  show(report: Built, notes: ViewNotes, query: ViewQuery): View;
  /** Explains each figure that it shows, the most important one first. */
  explain(report: Built, query: ViewQuery): readonly ExplainedPart[];
  section?: SectionOptions & {
    also?: readonly More[];
    parts(report: Built, facts: Pick<Facts, Need | More>, query: ViewQuery): SectionParts;
    /** The parts for a team or a person; undefined if the platform has these figures only for the organization. */
    groupParts?(report: GroupReport, course: GroupCourse | undefined): SectionParts;
  };
  /** undefined if the file has a row for each person and day. */
  csv?: CsvDefinition<Row>;
}

/** A view with the explanation of its figures for the same readers. */
export interface ExplainedView extends View {
  explain: () => readonly ExplainedPart[];
}

/** A view that callers can use without knowing its facts. */
export interface UsageView {
  title: string;
  hasHistory: boolean;
  /** Whether its amounts are credits. */
  isInCredits: boolean;
  readAhead(deps: UsageDeps, days: DaysAhead): Promise<void>;
  answer(deps: UsageDeps, query: ViewQuery, notes: readonly string[], log: Logger): Promise<ExplainedView>;
  section?:
    | (SectionOptions & {
        supportsGroups: boolean;
        read(deps: UsageDeps, query: ViewQuery, about: SectionQuery): Promise<SectionContent>;
      })
    | undefined;
  csv?:
    | { name: string; note?: string | undefined; read(deps: UsageDeps, query: FactsQuery): Promise<string> }
    | undefined;
}

function defineView<
  Need extends Series,
  Built extends Report,
  More extends Series = never,
  Row extends keyof OrganizationFacts = never,
>(definition: ViewDefinition<Need, More, Row, Built>): UsageView {
  const { title, needs, hasHistory = false, section, csv } = definition;
  return {
    title,
    hasHistory,
    isInCredits: needs.some((need) => CREDITS.has(need)),
    readAhead: (deps, days) => readAhead(deps, needs, days),
    answer: async (deps, query, notes, log) => {
      const report = await definition.build(await readFacts(deps, needs, query), query.scope, query);
      // Building and showing are both slow for thousands of people.
      const view = await inOwnTurn(() =>
        definition.show(report, { notes, faults: reportFaults(report.faults, needs, log) }, query),
      );
      return { ...view, explain: () => definition.explain(report, query) };
    },
    section: section && {
      ...section,
      supportsGroups: section.groupParts !== undefined,
      read: async (deps, query, { group, course, admission }) => {
        if (group && !section.groupParts) return organizationOnlySection();
        if (group && section.groupParts) {
          const report = await readGroup(deps, query, group);
          const explanation = explainGroup(report, course?.forecast);
          return { ...content(report, section.groupParts(report, course), admission), explanation };
        }
        const facts = await readFacts(deps, [...needs, ...(section.also ?? [])], query);
        const report = await definition.build(facts, query.scope, query);
        const parts = section.parts(report, facts, query);
        const detail = parts.detail ?? definition.show(report, NO_NOTES, query);
        const explanation = definition.explain(report, query);
        return { ...content(report, { ...parts, detail }, admission), explanation };
      },
    },
    csv: csv && {
      name: csv.name,
      note: csv.note,
      read: async (deps, query) => {
        const facts = await readFacts(deps, csv.needs, query);
        for (const need of csv.needs) throwIfUnreadable(facts[need]);
        return organizationCsv(facts, csv, query.scope.period, await readPriceList(deps.db));
      },
    },
  };
}

const GROUP_NEEDS = ['credits', 'spend', 'totals', 'prices'] as const;

export const readAheadOfGroup = (deps: UsageDeps, days: DaysAhead): Promise<void> => readAhead(deps, GROUP_NEEDS, days);

export async function answerGroup(
  deps: UsageDeps,
  query: ViewQuery & { extraParagraphs: readonly Paragraph[] },
  group: GroupSubject,
  notes: readonly string[],
  log: Logger,
): Promise<ExplainedView> {
  const report = await readGroup(deps, query, group);
  const view = groupView(
    report,
    { notes, faults: reportFaults(report.faults, GROUP_NEEDS, log) },
    query.extraParagraphs,
  );
  return { ...view, explain: () => explainGroup(report) };
}

async function readGroup(deps: UsageDeps, query: ViewQuery, group: GroupSubject): Promise<GroupReport> {
  const { emails } = group;
  const facts = await readFacts(deps, [...GROUP_NEEDS, 'activity'], { ...query, emails });
  const { credits, spend, totals, prices, activity } = facts;
  const { known } = lacksFigures({ spend, totals }, emails)
    ? await readFacts(deps, ['known'], { ...query, emails, activity })
    : { known: undefined };
  const scope = { ...query.scope, ...group, naming: query.readers.naming };
  const report = buildGroupReport({ organization: credits, spend, totals, known, prices }, scope);
  return query.detail ? redactReport(report, query.detail) : report;
}

const OPTIONAL_FACTS: ReadonlySet<Series> = new Set([
  'spend',
  'namedSpend',
  'ownSpend',
  'known',
  'teams',
  'prices',
  'timeline',
]);

/** Returns the failed parts, for the answer. Throws the first fault if all parts failed. */
function reportFaults(faults: readonly FaultyPart[], needs: readonly Series[], log: Logger): ViewNotes['faults'] {
  const [first] = faults;
  const sourceCount = needs.filter((need) => !OPTIONAL_FACTS.has(need)).length;
  if (first && new Set(faults.map(({ part }) => part)).size >= sourceCount) throw first.fault;
  return faults.map(({ part, fault }) => ({ part, ...reportError(fault, log, { part }) }));
}
