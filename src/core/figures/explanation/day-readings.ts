import type { AnalyticsDays } from '../../analytics/days.ts';
import type { DayState } from '../../analytics/reading/day-store.ts';
import type { Resource } from '../../analytics/reading/analytics-day-table.ts';
import { daysOf, formatPeriod, plusDays, type Day, type Period } from '../../base/time/calendar.ts';
import { joinMarkup, markup, readerTime, type Markup } from '../../base/text/markup.ts';
import { countOf } from '../../base/text/numbers.ts';
import type { ExplainedPart } from './explanation.ts';

/** The stored days behind some figures: which are final, and when each was read. */
export interface DayReading {
  day: Day;
  state: DayState;
  /** The time of the oldest reading, if several kinds of facts were read; undefined for a day without facts. */
  readAt: Date | undefined;
}

type Origin = Pick<ExplainedPart, 'facts' | 'days'>;

/** Two parts with the same origin share one line about their days. */
export const originOf = ({ facts, days }: Origin): string => `${facts.toSorted().join()} ${days.first}..${days.last}`;

export async function readDayReadings(
  days: Pick<AnalyticsDays, 'stored'>,
  { facts, days: period }: Origin,
  today: Day,
): Promise<DayReading[]> {
  const stored = await Promise.all(facts.map((resource: Resource) => days.stored(resource, period)));
  return daysOf(period).map((day): DayReading => {
    const readings = stored.map((one) => one.get(day));
    const times = readings.flatMap((one) => (one ? [one.readAt] : [])).toSorted((a, b) => a.getTime() - b.getTime());
    const readAt = times[0];
    if (day >= today) return { day, state: 'open', readAt };
    if (readings.some((one) => one === undefined)) return { day, state: 'unpublished', readAt };
    return { day, state: readings.some((one) => one?.state === 'fresh') ? 'fresh' : 'settled', readAt };
  });
}

const STATE_TITLES: Record<DayState, string> = {
  settled: 'Final',
  fresh: 'May still change',
  unpublished: 'Not published',
  open: 'Not over yet',
};
const ORDER = ['settled', 'fresh', 'unpublished', 'open'] as const;
const MAX_RUNS = 3;

/** @example 'Final: 9–13 Feb, read 10 Feb 8:01 to 16 Feb 8:02. May still change: 14–15 Feb, read 16 Feb 8:02.' */
export function dayReadingWords(readings: readonly DayReading[], today: Day): Markup {
  const sentences = ORDER.flatMap((state) => {
    const some = readings.filter((one) => one.state === state);
    if (some.length === 0) return [];
    return [markup`${STATE_TITLES[state]}: ${daysWords(some, today)}${timesWords(some)}.`];
  });
  return joinMarkup(sentences, ' ');
}

function daysWords(readings: readonly DayReading[], today: Day): string {
  const runs: Period[] = [];
  for (const { day } of readings) {
    const last = runs.at(-1);
    if (last && plusDays(last.last, 1) === day) last.last = day;
    else runs.push({ first: day, last: day });
  }
  return runs.length > MAX_RUNS
    ? countOf(readings.length, 'day')
    : runs.map((run) => formatPeriod(run, today)).join(', ');
}

function timesWords(readings: readonly DayReading[]): Markup {
  const times = readings
    .flatMap(({ state, readAt }) => (readAt && state !== 'unpublished' && state !== 'open' ? [readAt] : []))
    .toSorted((a, b) => a.getTime() - b.getTime());
  const [first, last] = [times[0], times.at(-1)];
  if (!first || !last) return markup``;
  const sameMinute = Math.floor(first.getTime() / MINUTE_MS) === Math.floor(last.getTime() / MINUTE_MS);
  return sameMinute
    ? markup`, read ${readerTime(last)}`
    : markup`, read between ${readerTime(first)} and ${readerTime(last)}`;
}

const MINUTE_MS = 60_000;
