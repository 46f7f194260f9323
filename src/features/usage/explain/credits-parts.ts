import { historyOf, isCurrent, USUAL_DAYS } from '../../../core/analytics/period.ts';
import type { Resource } from '../../../core/analytics/reading/analytics-day-table.ts';
import {
  explainCompared,
  explainer,
  ifKnown,
  largestTerms,
  termsByDay,
  type ExplainedPart,
} from '../../../core/figures/explanation/explanation.ts';
import { forecastSentences, type KnownForecast } from '../../../core/figures/insight/forecast.ts';
import type { DayRow, Figure, Measurement, ReportScope } from '../../../core/figures/measures/figures.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { formatMonth } from '../../../core/base/time/calendar.ts';
import type { CreditsReport } from '../reports/totals-report.ts';
import type { ModelsReport } from '../reports/models-report.ts';
import type { ProductivityReport } from '../reports/productivity-report.ts';
import type { SummaryReport } from '../reports/summary-report.ts';
import { activeParts } from './activity-parts.ts';

interface CreditsOfDays {
  scope: ReportScope;
  credits: Measurement<Figure>;
  days: readonly DayRow<{ billable_tokens: number }>[];
}

export function creditsSum(
  { scope, credits, days }: CreditsOfDays,
  formula = 'The sum of the Standard Credits that the platform reports for each day.',
): ExplainedPart[] {
  const terms = termsByDay(days, (row) => row.billable_tokens);
  return [
    explainer(scope, 'tokens')('Credits', credits, formula, terms),
    ...explainCompared(credits, scope, 'Credits', 'tokens'),
  ];
}

const total = (items: readonly { value: number }[]) => sumOf(items, ({ value }) => value);

function modelsSum({ scope, models }: Pick<CreditsReport | SummaryReport, 'scope' | 'models'>): ExplainedPart[] {
  if (models.length === 0) return [];
  const formula = 'For each model, the sum of its credits on these days.';
  return [explainer(scope, 'tokens')('Credits by model', total(models), formula, largestTerms(models, 'other model'))];
}

export function explainCredits(report: CreditsReport): ExplainedPart[] {
  const { scope, tiers, perActivePersonDay: perPerson, cacheReadsPerInput } = report;
  const explain = explainer(scope, 'tokens');
  const formula = 'The sum over these days.';
  return [
    ...creditsSum(report),
    ...modelsSum(report),
    ...(tiers.length === 0
      ? []
      : [explain('Credits by tier', total(tiers), formula, largestTerms(tiers, 'other tier'))]),
    explain('Input tokens', report.input, formula),
    explain('Output tokens', report.output, formula),
    explain('Cache reads', report.cacheRead, formula),
    explain('Cache writes', report.cacheWrite, formula),
    ...explainRatio(
      'Cache reads per input token',
      cacheReadsPerInput,
      'All cache reads ÷ all input tokens.',
      scope,
      'tokens',
    ),
    ...explainRatio(
      'Credits a day for each active person',
      perPerson,
      'All credits ÷ the sum of each day’s active people, over the days on which both are published.',
      scope,
      'tokens',
      'activity',
    ),
  ];
}

export const explainRatio = (
  label: string,
  ratio: Measurement<number | undefined>,
  formula: string,
  scope: ReportScope,
  ...facts: Resource[]
): ExplainedPart[] =>
  ifKnown(ratio, (value) => (value === undefined ? [] : [explainer(scope, ...facts)(label, value, formula)]));

export function explainModels(report: ModelsReport): ExplainedPart[] {
  return [...creditsSum(report), ...modelsSum(report)];
}

export function explainSummary(report: SummaryReport): ExplainedPart[] {
  const { scope, own, people, sessions, messages, unusual } = report;
  const explain = explainer(scope, 'tokens');
  const explainActivity = explainer(scope, 'activity');
  return [
    ...creditsSum(report),
    ...(own ? [explain('Your credits', own, 'The sum of your Standard Credits on these days.')] : []),
    ...modelsSum(report),
    ...activeParts(report),
    explainActivity('Sessions', sessions, 'The sum of each day’s sessions.'),
    explainActivity('Messages', messages, 'The sum of each day’s messages.'),
    ...productivitySums(report),
    ...ifKnown(people, (rows) => [
      explain(
        'Credits by person',
        total(rows),
        'For each person, the sum of their credits on these days.',
        largestTerms(rows, 'other person', 'other people'),
      ),
    ]),
    ...(unusual
      ? [
          explainer({ period: historyOf(scope) }, 'tokens-by-model')(
            'Unusual days',
            unusual.unusual.length,
            unusual.week === undefined ? OUTSIDE : `${OUTSIDE} ${unusual.week}`,
          ),
        ]
      : []),
    ...forecastPart(report),
  ];
}

const OUTSIDE = `Days outside the range that the ${USUAL_DAYS} days before each suggest, without holidays, outages and hack weeks. By chance, about 1 day in 150 is outside.`;

export function productivitySums(
  report: Pick<ProductivityReport, 'scope' | 'commits' | 'pullRequests' | 'filesCreated' | 'filesEdited'>,
  days: ProductivityReport['days'] = [],
): ExplainedPart[] {
  const explain = explainer(report.scope, 'productivity');
  const commitsByDay = termsByDay(days, (row) => row.git_commits);
  return [
    explain('Commits', report.commits, 'The sum of each day’s commits.', commitsByDay),
    explain('Pull requests', report.pullRequests, 'The sum of each day’s pull requests.'),
    explain('Files created', report.filesCreated, 'The sum of each day’s created files.'),
    explain('Files edited', report.filesEdited, 'The sum of each day’s edited files.'),
  ];
}

function forecastPart({ scope, forecast }: SummaryReport): ExplainedPart[] {
  return isCurrent(scope) ? explainForecast(forecast, 'tokens-by-model') : [];
}

export function explainForecast(
  forecast: KnownForecast | { kind: 'withheld' } | undefined,
  facts: Resource,
): ExplainedPart[] {
  if (forecast?.kind !== 'known') return [];
  const { period, expected, restsOn } = forecast.value;
  const [, basis = ''] = forecastSentences(forecast);
  const label = `${formatMonth(period.last, period.last)}, expected by its end`;
  const { first, last } = restsOn;
  return [explainer({ period: { first, last } }, facts)(label, expected, basis)];
}
