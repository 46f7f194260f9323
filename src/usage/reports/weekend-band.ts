import type { DailyCreditsRow, Part } from '../../analytics/facts.ts';
import { weekdayOf, type Period } from '../../base/time/calendar.ts';
import { usualRange, type UsualRange } from '../insight/unusual.ts';
import type { DayAmount } from '../insight/weekdays.ts';

const WEEKEND: ReadonlySet<number> = new Set([0, 6]);

/** The credits of each day that is published. */
export function amountsOf(credits: Part<DailyCreditsRow>): DayAmount[] {
  return credits.kind === 'read' ? credits.rows.map((row) => ({ day: row.date, amount: row.billable_tokens })) : [];
}

/** What is usual for a single day of a weekend, told in place of a comparison; nothing of any other period. Pure. */
export function weekendBand(history: Part<DailyCreditsRow>, { first, last }: Period): UsualRange | undefined {
  return first === last && WEEKEND.has(weekdayOf(first)) ? usualRange(amountsOf(history), first) : undefined;
}
