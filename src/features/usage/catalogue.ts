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
import {
  ACTIVITY_CSV,
  CREDITS_CSV,
  MODELS_CSV,
  PRODUCTIVITY_CSV,
  SUMMARY_CSV,
  TOOLS_CSV,
} from './export/organization-csv.ts';
import { explainActivity, explainTools } from './explain/activity-parts.ts';
import { explainCredits, explainModels, explainSummary } from './explain/credits-parts.ts';
import { explainMoves, explainPeople, explainProductivity, explainTeams } from './explain/people-parts.ts';
import { buildMoves } from './reports/moves-report.ts';
import { movesView } from './views/moves-view.ts';
import { redactTeams } from '../teams/team-details.ts';
import { buildTeamsReport } from '../teams/teams-report.ts';
import { teamsView } from './views/teams-view.ts';
import { defineView, type UsageView, type ViewQuery } from './usage-view.ts';
import { buildActivityReport } from './reports/activity-report.ts';
import { activityView } from './views/activity-view.ts';
import { buildCreditsReport } from './reports/credits-report.ts';
import { creditsView } from './views/credits-view.ts';
import { buildModelsReport } from './reports/models-report.ts';
import { modelsView } from './views/models-view.ts';
import { buildPeopleReport } from './reports/people-report.ts';
import { peopleView } from './views/people-view.ts';
import { buildProductivityReport } from './reports/productivity-report.ts';
import { productivityView } from './views/productivity-view.ts';
import { inOwnTurn } from '../../core/base/time/turns.ts';
import { buildSummaryReport, forecastAfter, judgePeriod } from './reports/summary-report.ts';
import { summaryView } from './views/summary-view.ts';
import { buildToolsReport } from './reports/tools-report.ts';
import { toolsView } from './views/tools-view.ts';

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
    needs: ['totals', 'known', 'prices'],
    build: ({ totals, known, prices }, scope) => buildPeopleReport(totals, scope, known, prices),
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
    needs: ['productivity', 'credits'],
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
