import { plainLines } from '../../base/text/markup.ts';
import { sumOf } from '../../base/statistics.ts';
import { type PeriodScope, hasSameWeekdays, weekdayWeights } from '../../analytics/period.ts';
import type { Part } from '../../analytics/day-facts.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { UsualRange } from '../insight/unusual.ts';
import { type Day, type Period, daysOf, formatPeriod } from '../../base/time/calendar.ts';
import { type DayState, dayStateOf } from '../../analytics/reading/day-store.ts';
import { joinMarkup, markup, readerTime, utcTime } from '../../base/text/markup.ts';
import { countOf, formatNumber } from '../../base/text/numbers.ts';

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
  /** Only for a single day off, whose small amounts would make a percentage look large. */
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

export interface Source {
  period: Period;
  /** The date of the answer: the year of this date is left out. */
  today: Day;
  /** A day is published if every part that the view could read has it. */
  days: { day: Day; state: DayState }[];
  /** undefined if nothing could be read. */
  readAt: Date | undefined;
  /** The platform did not answer, so days are as they were last read. */
  isOlder: boolean;
  /** The number of values of people that the platform left out. */
  missingValues: number;
}

/** Returns the source of a view: its time is that of the oldest reading. */
export function sourceOf(
  parts: readonly (Part<DatedRow> | undefined)[],
  { period, today }: Pick<ReportScope, 'period' | 'today'>,
  missingValues = 0,
): Source {
  const read = parts.flatMap((part) => (part?.kind === 'read' ? [part] : []));
  const published = read.map((part) => new Set(part.rows.map((row) => row.date)));
  const isPublished = (day: Day) => published.length > 0 && published.every((days) => days.has(day));
  const [readAt] = read.map((part) => part.readAt).toSorted((a, b) => a.getTime() - b.getTime());
  return {
    period,
    today,
    days: daysOf(period).map((day) => ({ day, state: dayStateOf(day, isPublished(day), today) })),
    readAt,
    isOlder: read.some(({ fault }) => fault !== undefined),
    missingValues,
  };
}

/** The source of an answer about two periods: its time is that of the older reading. */
export function joinSources([one, other]: readonly [Source, Source]): Source {
  const days = new Map([...other.days, ...one.days].map((each) => [each.day, each]));
  const [readAt] = [one.readAt, other.readAt]
    .filter((each) => each !== undefined)
    .toSorted((a, b) => a.getTime() - b.getTime());
  return {
    ...one,
    days: [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    readAt,
    isOlder: one.isOlder || other.isOlder,
    missingValues: one.missingValues + other.missingValues,
  };
}

function wordsOf(days: readonly string[], { readAt, isOlder, missingValues }: Source) {
  // Sums leave out missing values, which are not zero.
  const missing = missingValues > 0 ? [`without ${countOf(missingValues, 'value')} the platform left out`] : [];
  const older = isOlder ? ['the platform doesn’t answer now, so this is what it last reported'] : [];
  const readSmall = readAt ? [markup`read ${readerTime(readAt)}`] : [];
  const read = readAt ? [`read ${utcTime(readAt)}`] : [];
  return {
    small: joinMarkup([...plainLines(...days), ...readSmall, ...plainLines(...older, ...missing)], '  ·  '),
    text: `${[...days, ...read, ...older, ...missing].join('; ')}.`,
  };
}

/** Printed under the figures: `2–8 Mar, UTC days · 7 days final · read …`. */
export const sourceWords = (source: Source) =>
  wordsOf([`${formatPeriod(source.period, source.today)}, UTC days`, stateSummary(source.days)], source);

/** Describes the days of a short answer, whose title names the period. */
export const shortSourceWords = (source: Source) => wordsOf([shortStates(source.days)], source);

/** @example 'UTC days; 2 may still change' */
function shortStates(days: Source['days']): string {
  const unsettled = days.filter(({ state }) => state !== 'settled');
  return unsettled.length === 0 ? 'UTC days, final figures' : `UTC days; ${stateSummary(unsettled)}`;
}

/** A day of a period; `row` is undefined if the day is not published, which is not zero. */
export interface DayRow<Row> {
  day: Day;
  state: DayState;
  row?: Row;
}

/** Returns every day of the period, with its row if it is published; empty if the part could not be read. */
export function dayRowsOf<Row extends DatedRow>(part: Part<Row>, { period, today }: ReportScope): DayRow<Row>[] {
  if (part.kind === 'unreadable') return [];
  const byDay = new Map(part.rows.map((row) => [row.date, row]));
  return daysOf(period).map((day) => {
    const row = byDay.get(day);
    const state = dayStateOf(day, row !== undefined, today);
    return row ? { day, state, row } : { day, state };
  });
}

/** Counts days by state, such as `5 days final, 2 may still change`. */
function stateSummary(days: readonly { state: DayState }[]): string {
  const order: readonly DayState[] = ['settled', 'fresh', 'unpublished', 'open'];
  const counts = order.map((state) => [state, days.filter((day) => day.state === state).length] as const);
  return counts
    .filter(([, count]) => count > 0)
    .map(
      ([state, count], index) => `${index === 0 ? countOf(count, 'day') : formatNumber(count)} ${STATE_WORDS[state]}`,
    )
    .join(', ');
}

export const STATE_WORDS: Record<DayState, string> = {
  open: 'not over yet',
  unpublished: 'not published',
  fresh: 'may still change',
  settled: 'final',
};
