import { dayNumberOf, dayOf, formatPeriod } from '../../../core/base/time/calendar.ts';
import { formatNumber, formatShare } from '../../../core/base/text/numbers.ts';
import type { Cell } from '../../../core/slack/blocks/blocks.ts';
import { shareOf, type Score } from '../reports/scores.ts';

/** @example scoreWords(score) // '75% ready: 7 of 10 criteria pass' */
export function scoreWords(score: Score): string {
  return score.criteria === 0 ? 'No criteria' : `${checksWords(score)} ready: ${criteriaWords(score)} criteria pass`;
}

/** Describes a change in percentage points, so that it is not read as a percentage of a percentage. */
export function changeWords(change: number | undefined): string {
  if (change === undefined) return 'first report';
  // Below 100 points, it is never shown as 100.
  const points = Math.min(Math.round(Math.abs(change) * 100), Math.abs(change) < 1 ? 99 : 100);
  if (change === 0) return 'unchanged';
  return `${change > 0 ? 'up' : 'down'} ${points === 0 ? 'less than 1 point' : points === 1 ? '1 point' : `${points} points`}`;
}

/** Counts UTC dates, like the date beside it. @example ageWords(createdAt, now) // '3 days ago' */
export function ageWords(createdAt: number, now: Date): string {
  const created = new Date(createdAt);
  if (Number.isNaN(created.getTime())) return UNKNOWN_DAY;
  const days = dayNumberOf(dayOf(now)) - dayNumberOf(dayOf(created));
  if (days < 1) return 'today';
  return days === 1 ? 'yesterday' : `${formatNumber(days)} days ago`;
}

const UNKNOWN_DAY = 'unknown day';

/** Formats the UTC day of a platform time. @example dayWords(createdAt) // 'Sun 20 Sep 2026' */
export function dayWords(createdAt: number): string {
  const date = new Date(createdAt);
  if (Number.isNaN(date.getTime())) return UNKNOWN_DAY;
  const day = dayOf(date);
  return formatPeriod({ first: day, last: day });
}

/** Formats a platform time as a date; any number may arrive. */
export function dateWords(createdAt: number): string {
  const date = new Date(createdAt);
  return Number.isNaN(date.getTime()) ? UNKNOWN_DAY : dayOf(date);
}

/** @example checksWords({ numerator: 399, denominator: 400, … }) // '>99%' */
export const checksWords = ({ numerator, denominator }: Score): string => formatShare(numerator, denominator);

/** Any other share is not drawn as 0 or 100 %. */
const LEAST_DRAWN = 0.1;

/** Returns a value for a chart. @example percentOf(score) // 75.5 */
export function percentOf(score: Score): number {
  const part = shareOf(score);
  if (part <= 0 || part >= 1) return part * 100;
  return Math.min(Math.max(toPoints(part), LEAST_DRAWN), 100 - LEAST_DRAWN);
}

export const checksCell = (score: Score): Cell => ({ value: shareOf(score) * 100, text: checksWords(score) });

export function criteriaWords({ passed, criteria }: Score): string {
  return criteria === 0 ? 'none' : `${formatNumber(passed)} of ${formatNumber(criteria)}`;
}

/** @example toPoints(0.1234) // 12.3 */
export const toPoints = (change: number): number => Math.round(change * 1000) / 10;

export const criterionWords = (id: string): string => id.replaceAll('_', ' ').trim() || 'unnamed';
