import { historyOf, isCurrent } from '../../analytics/period.ts';
import {
  explainComparedSum,
  explainSum,
  largestTerms,
  termsByDay,
  type ExplainedPart,
} from '../../figures/explanation/explanation.ts';
import { forecastSentences } from '../../figures/insight/forecast.ts';
import type { Figure, Known, ReportScope } from '../../figures/measures/figures.ts';
import type { DayRow } from '../../figures/measures/day-rows.ts';
import { sumOf } from '../../figures/measures/figures.ts';
import { formatMonth } from '../../base/time/calendar.ts';
import type { ActivityReport } from '../reports/activity-report.ts';
import type { CreditsReport } from '../reports/credits-report.ts';
import type { ModelsReport } from '../reports/models-report.ts';
import type { ProductivityReport } from '../reports/productivity-report.ts';
import type { SummaryReport } from '../reports/summary-report.ts';
import { activeParts } from './activity-parts.ts';

interface CreditsOfDays {
  scope: ReportScope;
  credits: Known<Figure>;
  days: readonly DayRow<{ billable_tokens: number }>[];
}

export function creditsSum({ scope, credits, days }: CreditsOfDays): ExplainedPart[] {
  return explainComparedSum(credits, {
    label: 'Credits',
    formula: 'The sum of the Standard Credits that the platform reports for each day.',
    scope,
    facts: ['tokens'],
    terms: termsByDay(days, (row) => row.billable_tokens),
  });
}

function modelsSum({ scope, models }: Pick<CreditsReport | SummaryReport, 'scope' | 'models'>): ExplainedPart[] {
  if (models.length === 0) return [];
  return [
    {
      label: 'Credits by model',
      value: { kind: 'known', value: sumOf(models, ({ value }) => value) },
      formula: 'For each model, the sum of its credits on these days.',
      facts: ['tokens'],
      days: scope.period,
      terms: largestTerms(models, 'other model'),
    },
  ];
}

export function explainCredits(report: CreditsReport): ExplainedPart[] {
  const { scope, tiers, perActivePersonDay: perPerson, cacheReadsPerInput } = report;
  const sum = (label: string, figure: Known<Figure>) =>
    explainSum(figure, { label, formula: 'The sum over these days.', scope, facts: ['tokens'] });
  return [
    ...creditsSum(report),
    ...modelsSum(report),
    ...(tiers.length === 0
      ? []
      : [
          {
            ...sum('Credits by tier', { kind: 'known', value: { value: sumOf(tiers, ({ value }) => value) } }),
            terms: largestTerms(tiers, 'other tier'),
          },
        ]),
    sum('Input tokens', report.input),
    sum('Output tokens', report.output),
    sum('Cache reads', report.cacheRead),
    sum('Cache writes', report.cacheWrite),
    ...explainRatio('Cache reads per input token', cacheReadsPerInput, {
      formula: 'All cache reads ÷ all input tokens.',
      scope,
      facts: ['tokens'],
    }),
    ...explainRatio('Credits a day for each active person', perPerson, {
      formula: 'All credits ÷ the sum of each day’s active people, over the days on which both are published.',
      scope,
      facts: ['tokens', 'activity'],
    }),
  ];
}

export function explainRatio(
  label: string,
  ratio: Known<number | undefined>,
  { scope, ...rest }: Pick<ExplainedPart, 'formula' | 'facts'> & { scope: ReportScope },
): ExplainedPart[] {
  if (ratio.kind !== 'known' || ratio.value === undefined) return [];
  return [{ label, value: { kind: 'known', value: ratio.value }, days: scope.period, ...rest }];
}

export function explainModels(report: ModelsReport): ExplainedPart[] {
  return [...creditsSum(report), ...modelsSum(report)];
}

export function explainSummary(report: SummaryReport): ExplainedPart[] {
  const { scope, own, people } = report;
  return [
    ...creditsSum(report),
    ...(own
      ? [
          {
            label: 'Your credits',
            value: own,
            formula: 'The sum of your Standard Credits on these days.',
            facts: ['tokens'] as const,
            days: scope.period,
          },
        ]
      : []),
    ...modelsSum(report),
    ...activeParts(report),
    ...activitySums(report),
    ...productivitySums(report),
    ...(people?.kind === 'known'
      ? [
          {
            label: 'Credits by person',
            value: { kind: 'known', value: sumOf(people.value, ({ value }) => value) } as const,
            formula: 'For each person, the sum of their credits on these days.',
            facts: ['tokens'] as const,
            days: scope.period,
            terms: largestTerms(people.value, 'other person', 'other people'),
          },
        ]
      : []),
    ...unusualPart(report),
    ...forecastPart(report),
  ];
}

function activitySums({ scope, sessions, messages }: Pick<ActivityReport, 'scope' | 'sessions' | 'messages'>) {
  const facts = ['activity'] as const;
  return [
    explainSum(sessions, { label: 'Sessions', formula: 'The sum of each day’s sessions.', scope, facts }),
    explainSum(messages, { label: 'Messages', formula: 'The sum of each day’s messages.', scope, facts }),
  ];
}

export function productivitySums({
  scope,
  commits,
  pullRequests,
  filesCreated,
  filesEdited,
}: Pick<ProductivityReport, 'scope' | 'commits' | 'pullRequests' | 'filesCreated' | 'filesEdited'>): ExplainedPart[] {
  const sum = (label: string, what: string, figure: Known<Figure>) =>
    explainSum(figure, { label, formula: `The sum of each day’s ${what}.`, scope, facts: ['productivity'] });
  return [
    sum('Commits', 'commits', commits),
    sum('Pull requests', 'pull requests', pullRequests),
    sum('Files created', 'created files', filesCreated),
    sum('Files edited', 'edited files', filesEdited),
  ];
}

function unusualPart({ scope, unusual }: SummaryReport): ExplainedPart[] {
  if (!unusual) return [];
  return [
    {
      label: 'Unusual days',
      value: { kind: 'known', value: unusual.unusual.length },
      formula:
        'Days outside the range that earlier days of the same weekday suggest. By chance, about 1 day in 100 is above it.',
      facts: ['tokens-by-model'],
      days: historyOf(scope),
    },
  ];
}

function forecastPart({ scope, forecast }: SummaryReport): ExplainedPart[] {
  if (forecast?.kind !== 'known' || !isCurrent(scope)) return [];
  const { expected, restsOn } = forecast.value;
  const [, basis = ''] = forecastSentences(forecast);
  return [
    {
      label: `${formatMonth(scope.today, scope.today)}, expected by its end`,
      value: { kind: 'known', value: expected },
      formula: basis,
      facts: ['tokens-by-model'],
      days: { first: restsOn.first, last: restsOn.last },
    },
  ];
}
