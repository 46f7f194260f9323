import { personName } from '../../../core/figures/measures/sentences.ts';
import {
  explainer,
  ifKnown,
  largestTerms,
  type ExplainedPart,
  type Term,
} from '../../../core/figures/explanation/explanation.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import type { PersonTotals } from '../../../core/figures/measures/people-fold.ts';
import type { NamingPermission } from '../../../core/slack/people/audience.ts';
import { type KnownMoves, type MovesReport, largestChangeFirst } from '../reports/summary-report.ts';
import type { GroupReport } from '../reports/group-report.ts';
import type { PeopleReport } from '../reports/people-report.ts';
import type { ProductivityReport } from '../reports/productivity-report.ts';
import type { TeamsReport } from '../../teams/teams-report.ts';
import { creditsSum, explainForecast, explainRatio, productivitySums } from './credits-parts.ts';

/** Redacted reports have neither days nor people, so the explanation shows only the sum of the answer. */
export function explainGroup(report: GroupReport, forecast?: Parameters<typeof explainForecast>[0]): ExplainedPart[] {
  const { scope, organizationCredits } = report;
  const whose = scope.kind === 'team' ? `the people in ${scope.label}` : scope.label;
  const explain = explainer(scope, 'tokens');
  return [
    ...creditsSum(report, `The sum of the Standard Credits that the platform reports for each day and ${whose}.`),
    explain('Credits of the organization', organizationCredits, 'The same sum of everyone, for the share.'),
    ...groupSums(report),
    ...explainForecast(forecast, 'users'),
  ];
}

const SUMS = [
  ['Sessions', 'sessions'],
  ['Messages', 'messages'],
  ['Commits', 'commits'],
  ['Pull requests', 'pullRequests'],
  ['Tool calls', 'toolCalls'],
] as const;

function groupSums({ scope, people, activeDays }: GroupReport): ExplainedPart[] {
  const explain = explainer(scope, 'users');
  const { naming, kind } = scope;
  return ifKnown(people, (rows) => {
    const sum = (label: string, name: (typeof SUMS)[number][1] | 'credits', terms: Term[] = []) =>
      explain(
        label,
        sumOf(rows, (one) => one[name]),
        'The sum over these days.',
        terms,
      );
    return [
      ...(kind === 'team' && naming ? [sum('Credits by person', 'credits', personTerms(rows, naming))] : []),
      ...SUMS.map(([label, name]) => sum(label, name)),
      ...ifKnown(activeDays, (days) => [explain('Active days', days, 'The days on which any of them did anything.')]),
    ];
  });
}

const personTerms = (people: readonly PersonTotals[], naming: NamingPermission) =>
  largestTerms(
    people
      .map((person) => ({ name: personName(person, naming), value: person.credits }))
      .toSorted((a, b) => b.value - a.value),
    'other person',
    'other people',
  );

export function explainPeople({ scope, people }: PeopleReport, naming: NamingPermission): ExplainedPart[] {
  const explain = explainer(scope, 'users');
  const rows = people.kind === 'known' ? people.value : undefined;
  return [
    explain(
      'Credits of all people',
      rows?.credits ?? (people.kind === 'known' ? { kind: 'unpublished' } : people),
      'For each person, the sum of their rows of these days. Every column of the table is such a sum.',
      rows ? personTerms(rows.people, naming) : [],
    ),
    ...(rows ? [explain('People', rows.people.length, 'The people with a row on any of these days.')] : []),
  ];
}

export function explainTeams({ scope, total, teams, rest }: TeamsReport): ExplainedPart[] {
  const lines = [...teams, ...(rest ? [rest] : [])];
  return [
    ...creditsSum({ scope, credits: total, days: [] }, 'The sum of the Standard Credits of all people on these days.'),
    explainer(scope, 'tokens')(
      'Teams shown',
      teams.length,
      'For each team, the sum of the credits of the people who are in its user group now. People in several teams count in each.',
      lines.map(({ name, value }) => ({ name, value })),
    ),
  ];
}

export function explainMoves({ scope, credits, byModel, byPerson, byTeam, byTool }: MovesReport): ExplainedPart[] {
  const changes = (label: string, what: string, known: KnownMoves | undefined, fact: 'tokens' | 'tools') =>
    ifKnown(known, ({ moves, total }) => [
      explainer(scope, fact)(
        label,
        total.value - total.before,
        `For each ${what}, the amount of these days minus the amount of the days before.`,
        largestTerms(
          moves.toSorted(largestChangeFirst).map(({ name, value, before }) => ({ name, value: value - before })),
          'other',
        ),
      ),
    ]);
  return [
    ...creditsSum({ scope, credits, days: [] }),
    ...changes('Change by model', 'model', byModel, 'tokens'),
    ...changes('Change by team', 'team', byTeam, 'tokens'),
    ...changes('Change by person', 'person', byPerson, 'tokens'),
    ...changes('Change by tool, in calls', 'tool', byTool, 'tools'),
  ];
}

export function explainProductivity(report: ProductivityReport): ExplainedPart[] {
  const { scope, creditsPerCommit, creditsPerPullRequest, days } = report;
  const facts = ['productivity', 'tokens-by-model'] as const;
  return [
    ...productivitySums(report, days),
    ...explainRatio('Credits per commit', creditsPerCommit, 'All credits ÷ all commits.', scope, ...facts),
    ...explainRatio(
      'Credits per pull request',
      creditsPerPullRequest,
      'All credits ÷ all pull requests.',
      scope,
      ...facts,
    ),
  ];
}
