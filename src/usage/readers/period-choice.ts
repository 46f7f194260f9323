import { FIRST_ANALYTICS_DAY } from '../../platform/endpoints/analytics-range.ts';
import { formatDay, lengthOf, plusDays, type Day, type Period, type RequestedPeriod } from '../../calendar.ts';
import { cutToExisting, periodBefore } from '../../analytics/existing-period.ts';

/** How many days the end of "the last 7 days" may move back to end with a published day. A longer gap is shown as a gap. */
const MAX_SHIFT_DAYS = 2;

export type PeriodChoice = { kind: 'none'; sentence: string } | { kind: 'chosen'; period: Period; notes: string[] };

/** Cuts a period to the days that can have figures; what was cut is said. Pure. */
export function choosePeriod(requested: RequestedPeriod, today: Day): PeriodChoice {
  const existing = cutToExisting(requested, today);
  if (existing.kind === 'before_all') {
    return {
      kind: 'none',
      sentence: `The platform has figures from ${FIRST_ANALYTICS_DAY} on; ${requested.label} is before that.`,
    };
  }
  if (existing.kind === 'not_yet') {
    return {
      kind: 'none',
      sentence: `There are no figures for ${requested.label} yet: the platform has them through yesterday (UTC).`,
    };
  }
  const notes: string[] = [];
  if (existing.cutAtStart)
    notes.push(`The platform has figures from ${FIRST_ANALYTICS_DAY} on, so the period begins there.`);
  if (existing.cutAtEnd)
    notes.push(
      `The platform has figures through yesterday (UTC), so the period ends with ${formatDay(existing.period.last)}.`,
    );
  return { kind: 'chosen', period: existing.period, notes };
}

/** The days to ask for: the period, and the room in which it may still move. Pure. */
function periodWithRoom(requested: RequestedPeriod, period: Period): Period {
  const first = requested.lastDays === undefined ? period.first : plusDays(period.first, -MAX_SHIFT_DAYS);
  return { first: first < FIRST_ANALYTICS_DAY ? FIRST_ANALYTICS_DAY : first, last: period.last };
}

/** The days to ask for where a comparison is wanted: the period before as well. Pure. */
export function periodToRead(requested: RequestedPeriod, period: Period): Period {
  return periodWithRoom(requested, { first: periodBefore(period)?.first ?? period.first, last: period.last });
}

/**
 * "The last 7 days" end with the last published day, while the batch has not brought yesterday. Pure.
 *
 * @param lastPublished among the days that were read
 */
export function settlePeriod(
  requested: RequestedPeriod,
  period: Period,
  lastPublished: Day | undefined,
): { period: Period; notes: string[] } {
  if (requested.lastDays === undefined || lastPublished === undefined || lastPublished >= period.last)
    return { period, notes: [] };
  const shift = lengthOf({ first: lastPublished, last: period.last }) - 1;
  if (shift > MAX_SHIFT_DAYS) return { period, notes: [] };
  const first = plusDays(period.first, -shift);
  return {
    period: { first: first < FIRST_ANALYTICS_DAY ? FIRST_ANALYTICS_DAY : first, last: lastPublished },
    notes: [`${formatDay(period.last)} is not published yet, so these are the days to ${formatDay(lastPublished)}.`],
  };
}

/** Why there is no comparison, if there is none. Pure. */
export function comparisonNote(comparedWith: Period | undefined): string[] {
  if (comparedWith) return [];
  return [`Not compared: the period before would begin before ${FIRST_ANALYTICS_DAY}, the first day with figures.`];
}
