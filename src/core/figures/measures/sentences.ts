import type { NamingPermission } from '../../slack/people/audience.ts';
import {
  type Day,
  dayOf,
  formatDate,
  formatDay,
  formatPeriod,
  mondayOf,
  weekdayName,
  DAYS_IN_A_WEEK,
} from '../../base/time/calendar.ts';
import { type Markup, markup } from '../../base/text/markup.ts';
import { type Cost, costNote, formatCompact, formatNumber, LESS_THAN_SHOWN } from '../../base/text/numbers.ts';
import type { ExistingLimit, SetLimit } from '../known-limit.ts';
import { type UsualRange, placeIn, rangeWords } from '../insight/unusual.ts';
import type { Figure, Measurement, ReportScope } from './figures.ts';

export const NO_EMAIL = 'Slack shows no e-mail for you, and the platform knows people by e-mail.';

const SAME = 'about the same';

/** Above this, the earlier amount says more than a percentage. */
const MAX_PERCENT = 200;

/** Below this, a percentage suggests more than is known: from 1 to 5 is no "up 400%". */
const SMALL_COUNT = 20;

/** Smaller parts get no percentage: a tripled crumb would look important. A thousandth has room to grow below 1%. */
const SMALL_PART = 0.001;

/** A screen reader cannot convey arrows, so changes are words. @param all the whole that the figure is part of */
export function changeWords({ value, before, was = before }: Figure, all = 0): string {
  if (before === undefined || was === undefined || (value === 0 && before === 0)) return '';
  if (before >= Math.max(SMALL_COUNT, all * SMALL_PART)) return percentWords(value, before) ?? wasWords(was);
  return value === was ? 'same' : wasWords(was);
}

const wasWords = (before: number) => `was ${before === 0 ? 'none' : formatCompact(before)}`;

/** undefined if the two amounts say more than a percentage. */
function percentWords(value: number, before: number): string | undefined {
  const percent = Math.round(Math.abs(value / before - 1) * 100);
  if (percent > MAX_PERCENT) return undefined;
  if (percent === 0) return SAME;
  if (percent === 100 && value > 0 && value < before) return 'down more than 99%';
  return `${value > before ? 'up' : 'down'} ${formatNumber(percent)}%`;
}

/** @example figureWords({ kind: 'known', value: { value: 12, before: 10 } }) // '12 (up 20%)' */
export function figureWords(figure: Measurement<Figure>): string {
  if (figure.kind === 'unreadable') return 'could not be read';
  if (figure.kind === 'unpublished') return 'not published yet';
  const change = changeWords(figure.value);
  const amount = formatCompact(figure.value.value);
  return change === '' ? amount : `${amount} (${change})`;
}

/** @example compactCount(1523, 'commit') // '1.52 K commits' */
export function compactCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCompact(count)} ${count === 1 ? noun : plural}`;
}

/** Prints the number in bold, then the noun and the change: `*12* edited, up 20%`. */
export function valueMarkup(figure: Measurement<Figure>, noun = ''): Markup {
  if (figure.kind !== 'known') return markup`_${figureWords(figure)}_`;
  const words = [noun, changeWords(figure.value)].filter((word) => word !== '').join(', ');
  return markup`*${formatCompact(figure.value.value)}* ${words}`;
}

/** @example personName({ userId: 'u7', … }, naming) // 'unknown e-mail (u7)' */
export function personName(
  person: { name?: string | undefined; email: string | undefined; userId: string },
  _naming: NamingPermission,
): string {
  return person.name ?? person.email ?? `unknown e-mail (${person.userId})`;
}

/** @example creditsHeadline({ kind: 'known', value: { value: 1200, before: 1000 } }, scope) // '1.2 K credits, 20% more than on 3–9 Nov (1 K)' */
export function creditsHeadline(
  credits: Measurement<Figure>,
  { period, comparedWith, usual, today }: Pick<ReportScope, 'period' | 'comparedWith' | 'usual' | 'today'>,
  cost?: Cost,
): string {
  if (credits.kind === 'unreadable') return 'The credits could not be read';
  if (credits.kind === 'unpublished') return 'The credits are not published yet';
  const { value, before } = credits.value;
  const amount = `${creditsAmount(value)}${costNote(cost)}`;
  if (usual) return `${amount}, ${usualWords(usual, value, period.first)}`;
  if (before === undefined || !comparedWith) return amount;
  return `${amount}, ${comparisonWords(credits.value, before, `on ${formatPeriod(comparedWith, today)}`)}`;
}

const creditsAmount = (value: number) =>
  value === 0 ? 'No credits used' : `${usedAmount(value)} ${value === 1 ? 'credit' : 'credits'}`;

/** The amount as a sentence begins. */
export function usedAmount(value: number): string {
  const amount = formatCompact(value);
  return amount === LESS_THAN_SHOWN ? 'Less than 0.1' : amount;
}

/** @example usualWords(range, 420_000, day) // 'above the usual 120–340 K for a Saturday' */
export function usualWords(range: UsualRange, value: number, day: Day): string {
  return `${placeIn(range, value)} the usual ${rangeWords(range)} for a ${weekdayName(day)}`;
}

/**
 * Compares two periods. Shows the amounts that were used; only a percentage is adjusted for weekdays, and says so.
 *
 * @example comparisonWords({ value: 29.3e6, before: 31.7e6, was: 31.2e6 }, 31.7e6, 'on 1–22 Oct') // '8% less a day than on 1–22 Oct (31.2 M; adjusted for weekdays)'
 */
export function comparisonWords({ value, was }: Figure, before: number, when: string): string {
  if (value === 0 && before === 0) return `nor ${when}`;
  const amount = was ?? before;
  if (value === amount) return `the same as ${when}`;
  const percent = before < SMALL_COUNT ? undefined : moreOrLess(value, before, was === undefined ? '' : ' a day');
  if (percent !== undefined)
    return `${percent} ${when} (${formatCompact(amount)}${was === undefined ? '' : `; ${ADJUSTED}`})`;
  return `${value > amount ? 'up' : 'down'} from ${formatCompact(amount)} ${when}`;
}

/**
 * undefined if the two amounts say more than a percentage. @example moreOrLess(80, 100) // '20% less than'
 *
 * @param aDay set if `before` is adjusted: the amounts themselves may be of different numbers of days
 */
function moreOrLess(value: number, before: number, aDay = ''): string | undefined {
  const percent = Math.round(Math.abs(value / before - 1) * 100);
  if (percent > MAX_PERCENT || value === 0) return undefined;
  if (percent === 0) return `${SAME}${aDay} as`;
  if (percent === 100 && value < before) return `more than 99% less${aDay} than`;
  return `${formatNumber(percent)}% ${value > before ? 'more' : 'less'}${aDay} than`;
}

const ADJUSTED = 'adjusted for weekdays';

/** Follows the amount of a limit. */
export function limitNote(limit: ExistingLimit, today: Day): string {
  switch (limit.kind) {
    case 'declared':
      return ' (declared, not set here)';
    case 'set':
      return raiseNote(limit, today);
    case 'shown':
      if (!limit.isCurrent) return ` (as the platform showed it ${formatDate(dayOf(limit.at), today)})`;
      return limit.isForEverybody ? ' (for everybody)' : raiseNote(limit, today);
    default:
      return limit satisfies never;
  }
}

function raiseNote({ until, permanent }: Pick<SetLimit, 'until' | 'permanent'>, today: Day): string {
  if (until === undefined) return '';
  const end = dayOf(until);
  return end < today
    ? ` (a raise whose end on ${formatDate(end, today)} was not set)`
    : ` (until ${formatDate(end, today)}, then ${formatCompact(permanent)})`;
}

/** Slack draws at most this many points; longer periods are combined into weeks. */
const MAX_POINTS = 20;

/** More than six lines are indistinguishable, and some workspaces do not draw them. */
const MAX_SERIES = 6;

/** How the days of a week are combined: amounts are added; numbers of people never are. */
export type WeekAggregation = 'sum' | 'peak';

/** A published day with one value for each series. */
export interface DayValues {
  day: Day;
  values: readonly number[];
}

export interface Points {
  unit: 'day' | 'week';
  labels: string[];
  /** By series, one value for each label. */
  values: number[][];
  /** The number of earlier weeks that did not fit. */
  leftOut: number;
}

/** Returns a point a day, or from 21 days on a week (Monday to Sunday, cut at the ends); `days` are oldest first. */
export function pointsOf(days: readonly DayValues[], aggregation: WeekAggregation): Points {
  const unit = days.length <= MAX_POINTS ? 'day' : 'week';
  const all =
    unit === 'day' ? days.map(({ day, values }) => ({ label: formatDay(day), values })) : weeksOf(days, aggregation);
  const visiblePoints = all.slice(-MAX_POINTS);
  const series = days[0]?.values.length ?? 0;
  return {
    unit,
    labels: visiblePoints.map(({ label }) => label),
    values: Array.from({ length: series }, (_, index) => visiblePoints.map(({ values }) => values[index] ?? 0)),
    leftOut: all.length - visiblePoints.length,
  };
}

interface Point {
  label: string;
  values: readonly number[];
}

/** A week of fewer days would look like a fall in use, so its label says how many it has. */
function weeksOf(days: readonly DayValues[], aggregation: WeekAggregation): Point[] {
  const weeks = new Map<Day, { day: Day; values: number[]; count: number }>();
  for (const { day, values } of days) {
    const monday = mondayOf(day);
    const week = weeks.get(monday);
    if (!week) weeks.set(monday, { day, values: [...values], count: 1 });
    else {
      week.count += 1;
      week.values = week.values.map((value, index) => aggregate(aggregation, value, values[index] ?? 0));
    }
  }
  return [...weeks.values()].map(({ day, values, count }) => ({
    label: `${formatDay(day)}${count === DAYS_IN_A_WEEK ? '' : count === 1 ? ' only' : ` (${count} days)`}`,
    values,
  }));
}

const aggregate = (aggregation: WeekAggregation, a: number, b: number) =>
  aggregation === 'sum' ? a + b : Math.max(a, b);

/** @example unitWords({ unit: 'week', leftOut: 3, labels, values }) // 'by week, last 20' */
export function unitWords({ unit, leftOut, labels }: Points): string {
  return leftOut > 0 ? `by week, last ${labels.length}` : `by ${unit}`;
}

export function weekNote({ unit }: Points, aggregation: WeekAggregation): string {
  if (unit === 'day') return '';
  const what = aggregation === 'sum' ? '' : ' Each shows its highest day: people of several days can’t be added.';
  return `The chart is by week, Monday to Sunday; a week with fewer days says how many.${what}`;
}

export interface NamedSeries {
  name: string;
  values: readonly number[];
}

/** Returns the largest series, with the rest combined into one, so that a chart stays readable and complete. */
export function topSeries(series: readonly NamedSeries[], restName: string): NamedSeries[] {
  if (series.length <= MAX_SERIES) return [...series];
  const sorted = series.toSorted((a, b) => total(b) - total(a));
  const rest = sorted.slice(MAX_SERIES - 1);
  const summed = rest.reduce<readonly number[]>(
    (sums, { values }) => values.map((value, index) => value + (sums[index] ?? 0)),
    [],
  );
  return [...sorted.slice(0, MAX_SERIES - 1), { name: restName, values: summed }];
}

const total = ({ values }: NamedSeries) => values.reduce((sum, value) => sum + value, 0);
