import { hasSameWeekdays, weekdayWeights } from '../../analytics/comparison.ts';
import type { Part } from '../../analytics/facts.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { UsualRange } from '../insight/unusual.ts';
import { daysOf, type Day, type Period } from '../../base/time/calendar.ts';

/** A sum over the published days of a period, and the same of the period it is compared with. */
export interface Figure {
  value: number;
  /** With the same weekdays; missing where a comparison would not be fair: unpublished days, or no days with figures. */
  before?: number;
  /** The true sum of the compared period, if its weekdays differ: `before` is adjusted for them. */
  was?: number;
}

/** A figure whose compared period has figures too. */
export type ComparedFigure = Figure & { before: number };

/** A figure, or why there is none. */
export type Known<Value> = { kind: 'known'; value: Value } | { kind: 'unreadable' } | { kind: 'unpublished' };

/** What every report is asked for. The facts hold both periods, and may hold more. */
export interface ReportScope {
  period: Period;
  /** Missing where it would begin before the first day with figures. */
  comparedWith: Period | undefined;
  today: Day;
  /** Of a single day of a weekend, whose small amounts a percentage makes look large. */
  usual?: UsualRange | undefined;
}

export interface FaultyPart {
  part: string;
  fault: PlatformError;
}

export type Dated = { date: Day };

/** The rows of a part that belong to a period; none if it could not be read. */
export function rowsWithin<Row extends Dated>(part: Part<Row>, period: Period): readonly Row[] {
  if (part.kind === 'unreadable') return [];
  return part.rows.filter((row) => row.date >= period.first && row.date <= period.last);
}

/** Something worked out from the rows of a period, of which there is at least one. */
export function knownOf<Row extends Dated, Value>(
  part: Part<Row>,
  period: Period,
  value: (rows: readonly Row[]) => Value,
): Known<Value> {
  if (part.kind === 'unreadable') return { kind: 'unreadable' };
  const rows = rowsWithin(part, period);
  return rows.length === 0 ? { kind: 'unpublished' } : { kind: 'known', value: value(rows) };
}

/** A sum over the period, compared where every day of both periods is published. */
export function figureOf<Row extends Dated>(
  part: Part<Row>,
  scope: ReportScope,
  measure: (row: Row) => number,
): Known<Figure> {
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

/** Is every day of both periods published? Less would make a fall out of a gap. */
export function isComparable(part: Part<Dated>, { period, comparedWith }: ReportScope): boolean {
  if (part.kind === 'unreadable' || !comparedWith) return false;
  const published = new Set(part.rows.map((row) => row.date));
  return [...daysOf(period), ...daysOf(comparedWith)].every((day) => published.has(day));
}

export function sumOf<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += measure(item);
  return sum;
}

/** @example faultsOf({ credits: facts.credits, activity: facts.activity }) // those that could not be read */
export function faultsOf(deps: Readonly<Record<string, Part<unknown> | undefined>>): FaultyPart[] {
  return Object.entries(deps).flatMap(([part, read]) =>
    read?.kind === 'unreadable' ? [{ part, fault: read.fault }] : [],
  );
}
