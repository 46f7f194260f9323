import { dayStateOf, type DayState } from '../../analytics/day-state.ts';
import type { Part } from '../../analytics/day-facts.ts';
import { daysOf, formatPeriod, type Day, type Period } from '../../base/time/calendar.ts';
import { joinMarkup, plainLines, markup, readerTime, utcTime } from '../../base/text/markup.ts';
import { countOf } from '../../base/text/numbers.ts';
import { stateSummary } from './sentences.ts';
import type { DatedRow, ReportScope } from './figures.ts';

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
