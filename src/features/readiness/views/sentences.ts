import { dayNumberOf, dayOf, formatPeriod } from '../../../core/base/time/calendar.ts';
import { countOf, formatNumber, formatShare } from '../../../core/base/text/numbers.ts';
import type { Cell } from '../../../core/slack/blocks/blocks.ts';
import { clip } from '../../../core/base/text/markup.ts';
import type { Comparison } from '../reports/comparison.ts';
import { shareOf, type Score } from '../reports/scores.ts';

/** @example scoreWords(score) // '75% ready: 7 of 10 criteria pass' */
export function scoreWords(score: Score): string {
  return score.criteria === 0 ? 'No criteria' : `${checksWords(score)} ready: ${criteriaWords(score)} criteria pass`;
}

/** Describes a change in percentage points, so that it is not read as a percentage of a percentage. */
export function changeWords(change: number): string {
  // Below 100 points, it is never shown as 100.
  const points = Math.min(Math.round(Math.abs(change) * 100), Math.abs(change) < 1 ? 99 : 100);
  if (change === 0) return 'unchanged';
  return `${change > 0 ? 'up' : 'down'} ${points === 0 ? 'less than 1 point' : points === 1 ? '1 point' : `${points} points`}`;
}

/** The change in a table, or why there is none. */
export function comparisonCell(comparison: Comparison): string {
  switch (comparison.kind) {
    case 'compared':
      return changeWords(comparison.change);
    case 'first':
      return 'first report';
    case 'first_of_branch':
      return 'first of its branch';
    case 'marked':
      return 'not compared';
    case 'other_criteria':
      return 'other criteria';
    default:
      return comparison satisfies never;
  }
}

/** @example branchClause({ branch: 'main', … }) // ' (branch main)' */
export const branchClause = ({ branch }: { branch?: string | undefined }): string =>
  branch === undefined ? '' : ` (branch ${clip(branch, MAX_BRANCH_LENGTH)})`;

const MAX_BRANCH_LENGTH = 60;

/** @example criteriaChange({ shared: 8, added: 4, dropped: 0, … }) // ' over 8 criteria that both have; 4 are new' */
export function criteriaChange({ shared, added, dropped }: Extract<Comparison, { kind: 'compared' }>): string {
  if (added + dropped === 0) return '';
  const rest = [
    ...(added === 0 ? [] : [`${formatNumber(added)} ${added === 1 ? 'is' : 'are'} new`]),
    ...(dropped === 0 ? [] : [`${formatNumber(dropped)} ${dropped === 1 ? 'is' : 'are'} gone`]),
  ];
  return ` over ${countOf(shared, 'criterion', 'criteria')} that both have; ${rest.join(', ')}`;
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

/** Empty if every report could be read. @example unreadableWords(2) // ' 2 reports of the platform can’t be read.' */
export const unreadableWords = (count: number): string =>
  count === 0 ? '' : ` ${countOf(count, 'report')} of the platform can’t be read.`;
