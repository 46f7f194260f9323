import { personName } from '../../figures/sentences.ts';
import {
  explainComparedSum,
  explainSum,
  largestTerms,
  termsByDay,
  type ExplainedPart,
} from '../../figures/explanation/explanation.ts';
import { sumOf } from '../../figures/measures/figures.ts';
import type { PersonTotals } from '../../figures/measures/people-fold.ts';
import type { NamingPermission } from '../../slack/people/audience.ts';
import type { KnownMoves, MovesReport } from '../moves/moves.ts';
import type { GroupReport } from '../reports/group-report.ts';
import type { PeopleReport } from '../reports/people-report.ts';
import type { ProductivityReport } from '../reports/productivity-report.ts';
import type { TeamsReport } from '../teams/report.ts';
import { creditsSum, explainRatio, productivitySums } from './credits-parts.ts';

/** Redacted reports have neither days nor people, so the explanation shows only the sum of the answer. */
export function explainGroup(report: GroupReport): ExplainedPart[] {
  const { scope, credits, organizationCredits, days } = report;
  const whose = scope.kind === 'team' ? `the people in ${scope.label}` : scope.label;
  return [
    ...explainComparedSum(credits, {
      label: 'Credits',
      formula: `The sum of the Standard Credits that the platform reports for each day and ${whose}.`,
      scope,
      facts: ['tokens'],
      terms: termsByDay(days, (row) => row.billable_tokens),
    }),
    explainSum(organizationCredits, {
      label: 'Credits of the organization',
      formula: 'The same sum of everyone, for the share.',
      scope,
      facts: ['tokens'],
    }),
    ...groupSums(report),
  ];
}

function groupSums({ scope, people, activeDays }: GroupReport): ExplainedPart[] {
  if (people.kind !== 'known') return [];
  const { value: rows } = people;
  const sum = (label: string, measure: (person: PersonTotals) => number): ExplainedPart => ({
    label,
    value: { kind: 'known', value: sumOf(rows, measure) },
    formula: 'The sum over these days.',
    facts: ['users'],
    days: scope.period,
  });
  const { naming } = scope;
  return [
    ...(scope.kind === 'team' && naming
      ? [{ ...sum('Credits by person', (one) => one.credits), terms: personTerms(rows, naming) }]
      : []),
    sum('Sessions', (one) => one.sessions),
    sum('Messages', (one) => one.messages),
    sum('Commits', (one) => one.commits),
    sum('Pull requests', (one) => one.pullRequests),
    sum('Tool calls', (one) => one.toolCalls),
    ...(activeDays.kind === 'known'
      ? [
          {
            label: 'Active days',
            value: activeDays,
            formula: 'The days on which any of them did anything.',
            facts: ['users'] as const,
            days: scope.period,
          },
        ]
      : []),
  ];
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
  const rows = people.kind === 'known' ? people.value : undefined;
  return [
    {
      label: 'Credits of all people',
      value: rows ? { kind: 'known', value: rows.credits } : people.kind === 'known' ? NONE : people,
      formula: 'For each person, the sum of their rows of these days. Every column of the table is such a sum.',
      facts: ['users'],
      days: scope.period,
      terms: rows ? personTerms(rows.people, naming) : [],
    },
    ...(rows
      ? [
          {
            label: 'People',
            value: { kind: 'known', value: rows.people.length } as const,
            formula: 'The people with a row on any of these days.',
            facts: ['users'] as const,
            days: scope.period,
          },
        ]
      : []),
  ];
}

const NONE = { kind: 'unpublished' } as const;

export function explainTeams({ scope, total, teams, rest }: TeamsReport): ExplainedPart[] {
  const lines = [...teams, ...(rest ? [rest] : [])];
  return [
    ...explainComparedSum(total, {
      label: 'Credits',
      formula: 'The sum of the Standard Credits of all people on these days.',
      scope,
      facts: ['tokens'],
    }),
    {
      label: 'Teams shown',
      value: { kind: 'known', value: teams.length },
      formula:
        'For each team, the sum of the credits of the people who are in its user group now. People in several teams count in each.',
      facts: ['tokens'],
      days: scope.period,
      terms: lines.map(({ name, value }) => ({ name, value })),
    },
  ];
}

export function explainMoves({ scope, credits, byModel, byPerson, byTeam, byTool }: MovesReport): ExplainedPart[] {
  const changes = (label: string, what: string, moves: KnownMoves | undefined, fact: 'tokens' | 'tools') => {
    if (moves?.kind !== 'known') return [];
    const terms = moves.value.moves.map(({ name, value, before }) => ({ name, value: value - before }));
    const { total } = moves.value;
    return [
      {
        label,
        value: { kind: 'known', value: total.value - total.before } as const,
        formula: `For each ${what}, the amount of these days minus the amount of the days before.`,
        facts: [fact],
        days: scope.period,
        terms: largestTerms(terms, 'other'),
      },
    ];
  };
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
  const [commits, ...others] = productivitySums(report);
  const facts = ['productivity', 'tokens'] as const;
  return [
    ...(commits ? [{ ...commits, terms: termsByDay(days, (row) => row.git_commits) }] : []),
    ...others,
    ...explainRatio('Credits per commit', creditsPerCommit, { formula: 'All credits ÷ all commits.', scope, facts }),
    ...explainRatio('Credits per pull request', creditsPerPullRequest, {
      formula: 'All credits ÷ all pull requests.',
      scope,
      facts,
    }),
  ];
}
