import type { DailyCreditsRow } from '../../../../core/analytics/day-facts.ts';
import type { Resource } from '../../../../core/analytics/reading/analytics-day-table.ts';
import { daysOf, formatDate } from '../../../../core/base/time/calendar.ts';
import { formatNumber } from '../../../../core/base/text/numbers.ts';
import { termsByDay, type ExplainedPart, type Term } from '../../../../core/figures/explanation/explanation.ts';
import type { DayRow } from '../../../../core/figures/measures/figures.ts';
import { forecastSentences } from '../../../../core/figures/insight/forecast.ts';
import { ruleWords, subjectWords, type Budget } from '../core/budget.ts';
import { percentOf } from '../core/words.ts';
import type { BudgetStatus } from '../evaluate/budget-status.ts';

type KnownStatus = Extract<BudgetStatus, { kind: 'known' }>;

/** The facts behind the credits of each kind of subject. */
const FACTS: Record<Budget['subject']['kind'], readonly Resource[]> = {
  organization: ['tokens-by-model'],
  model: ['tokens'],
  team: ['tokens'],
  people: ['tokens'],
};

/** Explains a budget with the figures that the reader of the status may see: days and the forecast may be missing. */
export function explainBudget(status: KnownStatus): ExplainedPart[] {
  const { budget, figures } = status;
  const { spent, credits, period, through } = figures;
  const facts = FACTS[budget.subject.kind];
  const days = { first: period.first, last: through };
  const share = Math.floor((spent * 100) / credits);
  return [
    {
      label: 'Credits used',
      value: { kind: 'known', value: spent },
      formula: `The sum of the Standard Credits of ${subjectWords(budget.subject)} from the first day of the period through the last published day. The budget is ${ruleWords(budget.period)}.`,
      facts,
      days,
      terms: dayTerms(status),
    },
    {
      label: 'Percent used',
      value: { kind: 'known', value: share },
      formula: `${formatNumber(spent)} credits used ÷ ${formatNumber(credits)} credits of the budget, rounded down.${warningWords(budget, 'actual')}`,
      facts,
      days,
      terms: thresholdTerms(budget, 'actual'),
    },
    ...forecastParts(status),
  ];
}

function dayTerms({ figures: { period, through }, rows }: KnownStatus): Term[] {
  if (rows.length === 0) return [];
  const byDay = new Map(rows.map((row) => [row.date, row]));
  const days = daysOf({ first: period.first, last: through }).map((day): DayRow<DailyCreditsRow> => {
    const row = byDay.get(day);
    return row ? { day, state: 'fresh', row } : { day, state: 'unpublished' };
  });
  return termsByDay(days, (row) => row.billable_tokens);
}

function forecastParts({ budget, figures, forecast }: KnownStatus): ExplainedPart[] {
  const { expected, credits, period } = figures;
  if (expected === undefined || !forecast) return [];
  const { first, last } = forecast.restsOn;
  const [, basis = ''] = forecastSentences({ kind: 'known', value: forecast });
  const share = `The expected credits are ${percentOf(expected, credits)} of the budget.`;
  return [
    {
      label: `Expected by ${formatDate(period.last)}`,
      value: { kind: 'known', value: expected },
      formula: `${basis} ${share}${warningWords(budget, 'forecast')}`,
      facts: FACTS[budget.subject.kind],
      days: { first, last },
      terms: thresholdTerms(budget, 'forecast'),
    },
  ];
}

const warningWords = ({ thresholds }: Budget, basis: 'actual' | 'forecast'): string =>
  thresholds[basis].length === 0 ? '' : ' A warning is sent once the credits reach one of these parts of the budget:';

/** @example thresholdTerms(budget, 'actual') // [{ name: '50%', value: 450_000_000 }] */
const thresholdTerms = ({ thresholds, credits }: Budget, basis: 'actual' | 'forecast'): Term[] =>
  thresholds[basis].map((percent) => ({ name: `${percent}%`, value: (credits * percent) / 100 }));
