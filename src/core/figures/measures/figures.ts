import { sumOf } from '../../base/statistics.ts';
import { hasSameWeekdays, weekdayWeights, type PeriodScope } from '../../analytics/period.ts';
import type { Part } from '../../analytics/day-facts.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { UsualRange } from '../insight/unusual.ts';
import { daysOf, type Day, type Period } from '../../base/time/calendar.ts';

/** A sum over the published days of a period, with the same sum for the compared period. */
export interface Figure {
  value: number;
  /** Adjusted to the same weekdays; undefined if a comparison would be unfair because days lack figures. */
  before?: number;
  /** The actual sum of the compared period, if its weekdays differ: `before` is adjusted for them. */
  was?: number;
}

export type ComparedFigure = Figure & { before: number };

export type Measurement<Value> = { kind: 'known'; value: Value } | { kind: 'unreadable' } | { kind: 'unpublished' };

/** The scope of every report. The facts hold both periods, and may hold more. */
export interface ReportScope extends PeriodScope {
  /** Only for a single weekend day, whose small amounts would make a percentage look large. */
  usual?: UsualRange | undefined;
}

export interface FaultyPart {
  part: string;
  fault: PlatformError;
}

export type DatedRow = { date: Day };

export function rowsWithin<Row extends DatedRow>(part: Part<Row>, period: Period): readonly Row[] {
  if (part.kind === 'unreadable') return [];
  return part.rows.filter((row) => row.date >= period.first && row.date <= period.last);
}

export function knownOf<Row extends DatedRow, Value>(
  part: Part<Row>,
  period: Period,
  value: (rows: readonly Row[]) => Value,
): Measurement<Value> {
  if (part.kind === 'unreadable') return { kind: 'unreadable' };
  const rows = rowsWithin(part, period);
  return rows.length === 0 ? { kind: 'unpublished' } : { kind: 'known', value: value(rows) };
}

/** Sums a measure over the period, with a comparison if every day of both periods is published. */
export function figureOf<Row extends DatedRow>(
  part: Part<Row>,
  scope: ReportScope,
  measure: (row: Row) => number,
): Measurement<Figure> {
  return knownOf(part, scope.period, (rows) => {
    const value = sumOf(rows, measure);
    const { comparedWith } = scope;
    if (!comparedWith || !isComparable(part, scope)) return { value };
    const weightOf = weekdayWeights(scope.period, comparedWith);
    const rowsBefore = rowsWithin(part, comparedWith);
    const before = sumOf(rowsBefore, (row) => measure(row) * weightOf(row.date));
    if (hasSameWeekdays(scope.period, comparedWith)) return { value, before };
    return { value, before, was: sumOf(rowsBefore, measure) };
  });
}

/** Whether every day of both periods is published: a gap would look like a fall. */
export function isComparable(part: Part<DatedRow>, { period, comparedWith }: ReportScope): boolean {
  if (part.kind === 'unreadable' || !comparedWith) return false;
  const published = new Set(part.rows.map((row) => row.date));
  return [...daysOf(period), ...daysOf(comparedWith)].every((day) => published.has(day));
}

export function faultsOf(deps: Readonly<Record<string, Part<unknown> | undefined>>): FaultyPart[] {
  return Object.entries(deps).flatMap(([part, read]) =>
    read?.kind === 'unreadable' ? [{ part, fault: read.fault }] : [],
  );
}
