import type { DailyCreditsRow } from '../../../../core/analytics/day-facts.ts';
import { lengthOf, plusDays, type Day, type Period } from '../../../../core/base/time/calendar.ts';
import { openPeriods } from '../core/budget.ts';
import {
  decide,
  figuresOf,
  isSame,
  reachedThresholds,
  roundOf,
  type AsOf,
  type Figures,
  type RecordedThreshold,
  type Threshold,
} from '../core/decide.ts';
import { isThreshold } from '../core/budget-marks.ts';
import type { MarkRow, StoredAlert, ThresholdRow } from '../core/budget-store.ts';

export interface PeriodPlan {
  period: Period;
  figures: Figures;
  report: (Threshold & { round: number })[];
  withdraw: { row: MarkRow; figures: Figures }[];
  /** Recorded without a message: reached when the budget was set up, or when its credits changed. */
  recordSilently: (Threshold & { round: number })[];
  summary: 'none' | 'tell' | { correct: MarkRow };
}

export interface BudgetFacts {
  budget: Pick<StoredAlert, 'kind' | 'credits' | 'thresholds' | 'period' | 'setUpOn' | 'isBaselineTaken'>;
  marks: readonly MarkRow[];
  today: Day;
  /** The credits of the members at the time of a mark; without a mark, those of the latest known members. */
  rowsOf: (mark?: MarkRow) => readonly DailyCreditsRow[];
  newRows: readonly DailyCreditsRow[] | undefined;
}

/** A summary is corrected if its amount changes by more than this share of the budget. */
const LEAST_CORRECTION = 0.005;

export function planBudget(facts: BudgetFacts): PeriodPlan[] {
  const { budget, marks, today, rowsOf, newRows } = facts;
  const rows = rowsOf();
  const through = rows.at(-1)?.date;
  if (through === undefined) return [];
  return openPeriods(budget.period, budget.setUpOn, today).map((period) => {
    const asOf: AsOf = { through, today };
    const figures = figuresOf(period, rows, asOf);
    const periodMarks = marks.filter(({ periodFirst: first }) => first === period.first);
    const recorded = periodMarks.filter(isThreshold);
    const figuresAt = (row: ThresholdRow) => figuresOf(period, rowsOf(row), row);
    const decision = decide(budget, figures, recorded, figuresAt);
    const withdraw = decision.withdraw.map((row) => ({ row, figures: figuresAt(row) }));
    const report = budget.isBaselineTaken ? decision.report : [];
    const silent = budget.isBaselineTaken ? [] : decision.report;
    // Later, the budget is evaluated again with its new members.
    const figuresOfNewMembers = newRows && !budget.isBaselineTaken ? figuresOf(period, newRows, asOf) : undefined;
    const recordSilently = [
      ...silent,
      ...(figuresOfNewMembers ? newlyReached(budget, figuresOfNewMembers, recorded, silent) : []),
    ];
    const summary = budget.kind === 'budget' ? planSummary(budget.credits, figures, periodMarks) : 'none';
    return { period, figures, report, withdraw, recordSilently, summary };
  });
}

/** The thresholds that are reached only because the members changed. */
function newlyReached(
  { credits, thresholds }: Pick<StoredAlert, 'credits' | 'thresholds'>,
  figures: Figures,
  marks: readonly RecordedThreshold[],
  others: readonly Threshold[],
): (Threshold & { round: number })[] {
  return reachedThresholds(thresholds, credits, figures).flatMap((threshold) => {
    const round = roundOf(threshold, credits, marks);
    return round === undefined || others.some((one) => isSame(one, threshold)) ? [] : [{ ...threshold, round }];
  });
}

function planSummary(credits: number, figures: Figures, marks: readonly MarkRow[]): PeriodPlan['summary'] {
  const { period, through, spent } = figures;
  const summary = marks.find(({ basis }) => basis === 'summary');
  if (!summary) return through === period.last ? 'tell' : 'none';
  return Math.abs(summary.spent - spent) > credits * LEAST_CORRECTION ? { correct: summary } : 'none';
}

export function halfwayOf(
  period: Period,
  rows: readonly DailyCreditsRow[],
): { day: Day; expected: number } | undefined {
  const day = plusDays(period.first, Math.floor(lengthOf(period) / 2) - 1);
  const { expected } = figuresOf(period, rows, { through: day, today: plusDays(day, 1) });
  return expected === undefined ? undefined : { day, expected };
}
