import { dayStateOf, type DayState } from '../../analytics/day-state.ts';
import type { Part } from '../../analytics/facts.ts';
import { daysOf, formatPeriod, type Day, type Period } from '../../base/time/calendar.ts';
import { joinMarkup, markup, readerTime, utcTime, type Markup } from '../../base/text/markup.ts';
import { countOf } from '../../base/text/numbers.ts';
import { stateSummary } from '../sentences.ts';
import type { Dated, ReportScope } from './figures.ts';

/** Where the figures of a view come from. */
export interface Source {
  period: Period;
  /** A day is published when every part that the view could read has it. */
  days: { day: Day; state: DayState }[];
  /** Missing when nothing could be read. */
  reading: { readAt: Date; cachedDays: number; days: number } | undefined;
  /** Values of people that the platform did not tell. */
  missingValues: number;
}

/** The source of a view made of some parts: the oldest reading of them, and the one that had least in the cache. */
export function sourceOf(
  parts: readonly (Part<Dated> | undefined)[],
  { period, today }: ReportScope,
  missingValues = 0,
): Source {
  const read = parts.flatMap((part) => (part?.kind === 'read' ? [part] : []));
  const published = read.map((part) => new Set(part.rows.map((row) => row.date)));
  const isPublished = (day: Day) => published.length > 0 && published.every((days) => days.has(day));
  const [leastCached] = read.toSorted((a, b) => a.cachedDays - b.cachedDays || b.rows.length - a.rows.length);
  const [oldest] = read.map((part) => part.readAt).toSorted((a, b) => a.getTime() - b.getTime());
  return {
    period,
    days: daysOf(period).map((day) => ({ day, state: dayStateOf(day, isPublished(day), today) })),
    reading:
      leastCached && oldest
        ? { readAt: oldest, cachedDays: leastCached.cachedDays, days: leastCached.rows.length }
        : undefined,
    missingValues,
  };
}

/** Sums leave out what was not told: that is no zero. */
const missingWords = (values: number) => `without ${countOf(values, 'value')} the platform left out`;

/** Small print under the figures: `2 – 8 Mar 2026, UTC days · 7 days settled · read …`. */
export function sourceMarkup({ period, days, reading, missingValues }: Source): Markup {
  const pieces = [markup`${formatPeriod(period)}, UTC days`, markup`${stateSummary(days)}`];
  if (reading) pieces.push(markup`read ${readerTime(reading.readAt)}`);
  if (missingValues > 0) pieces.push(markup`${missingWords(missingValues)}`);
  return joinMarkup(pieces, '  ·  ');
}

/** The same for those who do not see it. */
export function sourceText({ period, days, reading, missingValues }: Source): string {
  const read = reading ? `; read ${utcTime(reading.readAt)}` : '';
  const missing = missingValues > 0 ? `; ${missingWords(missingValues)}` : '';
  return `${formatPeriod(period)}, UTC days; ${stateSummary(days)}${read}${missing}.`;
}

/** What a short answer says of its days: its title has the period. */
export function shortSourceMarkup({ days, reading, missingValues }: Source): Markup {
  const pieces = [markup`${shortStates(days)}`];
  if (reading) pieces.push(markup`read ${readerTime(reading.readAt)}`);
  if (missingValues > 0) pieces.push(markup`${missingWords(missingValues)}`);
  return joinMarkup(pieces, '  ·  ');
}

export function shortSourceText({ days, reading, missingValues }: Source): string {
  const read = reading ? `; read ${utcTime(reading.readAt)}` : '';
  const missing = missingValues > 0 ? `; ${missingWords(missingValues)}` : '';
  return `${shortStates(days)}${read}${missing}.`;
}

/** @example 'UTC days; 2 may still change' */
function shortStates(days: Source['days']): string {
  const unsettled = days.filter(({ state }) => state !== 'settled');
  return unsettled.length === 0 ? 'UTC days, final figures' : `UTC days; ${stateSummary(unsettled)}`;
}
