import type { Folded } from '../../analytics/days.ts';
import type { Part } from '../../analytics/facts.ts';
import { FIRST_ANALYTICS_DAY } from '../../platform/endpoints/analytics-range.ts';
import type { ActivityRow, CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import { dayOf, plusDays, type Day, type Period, type RequestedPeriod } from '../../calendar.ts';
import { periodBefore } from '../../analytics/existing-period.ts';
import type { UsageDeps } from '../deps.ts';
import { comparisonNote, periodToRead, settlePeriod } from './period-choice.ts';
import type { Dated, ReportScope } from '../measures/figures.ts';

/** An unusual day is told by at least four of the same weekday before it. */
const USUAL_DAYS = 35;
/** A forecast is about the month that is running: it is no part of an answer about a period that ended longer ago. */
const CURRENT_DAYS = 4;

/** The period that is shown, after it moved to end with a published day, and what is to be said about that. */
export interface SettledPeriod {
  scope: ReportScope;
  notes: string[];
}

/**
 * The days to read: the period, the one before, the room in which a period of the last days may move, and as much history as
 * the usual and the forecast rest on. Pure.
 *
 * @param isExplained whether unusual days and a forecast belong to the answer
 */
export function rangeToRead(asked: RequestedPeriod, period: Period, today: Day, isExplained: boolean): Period {
  const range = periodToRead(asked, period);
  if (!isExplained) return range;
  const firsts = [range.first, plusDays(period.last, -USUAL_DAYS)];
  if (isCurrent(period, today)) firsts.push(`${today.slice(0, 7)}-01`);
  const first = firsts.toSorted()[0] ?? range.first;
  return { first: first < FIRST_ANALYTICS_DAY ? FIRST_ANALYTICS_DAY : first, last: range.last };
}

/** Does a period reach to the last few days, so that its month is still running or has just ended? */
function isCurrent(period: Period, today: Day): boolean {
  return period.last >= plusDays(today, -CURRENT_DAYS);
}

/** Ends "the last 7 days" with the last day that this part has. Pure. */
export function settleBy(asked: RequestedPeriod, period: Period, part: Part<Dated>, today: Day): SettledPeriod {
  const lastPublished = part.kind === 'read' ? part.rows.findLast((row) => row.date <= period.last)?.date : undefined;
  const settled = settlePeriod(asked, period, lastPublished);
  const comparedWith = periodBefore(settled.period);
  return {
    scope: { period: settled.period, comparedWith, today },
    notes: [...settled.notes, ...comparisonNote(comparedWith)],
  };
}

/**
 * A day on which nobody was active may have no row of credits. Where the activity of that day is published and says so, that
 * is zero, not unpublished. Pure.
 */
export function withQuietDays(credits: Part<CreditsRow>, activity: Part<ActivityRow>): Part<CreditsRow> {
  if (credits.kind === 'unreadable' || activity.kind === 'unreadable') return credits;
  const known = new Set(credits.rows.map((row) => row.date));
  const quiet = activity.rows.filter((row) => row.daily_active_users === 0 && !known.has(row.date));
  if (quiet.length === 0) return credits;
  const rows = [...credits.rows, ...quiet.map(({ date }): CreditsRow => ({ date, ...NOTHING_USED }))];
  return { ...credits, rows: rows.toSorted((a, b) => (a.date < b.date ? -1 : 1)) };
}

/** The same for rows of people, of which a day on which nobody was active has none. Pure. */
export function foldedWithQuietDays(folded: Folded, activity: Part<ActivityRow>): Folded {
  if (folded.kind === 'unreadable' || activity.kind === 'unreadable') return folded;
  const quiet = activity.rows.filter((row) => row.daily_active_users === 0).map((row) => row.date);
  return { ...folded, rows: [...new Set([...folded.rows, ...quiet])].toSorted() };
}

const NOTHING_USED = {
  billable_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  by_model: [],
};

/** Today's date, in UTC like every day here. */
export function todayOf({ clock }: Pick<UsageDeps, 'clock'>): Day {
  return dayOf(clock.now());
}
