import { plusDays, type Day } from '../base/time/calendar.ts';

/** `open`: today. `unpublished`: past, but not in the batch yet. `fresh`: published, may still change. `settled`. */
export type DayState = 'open' | 'unpublished' | 'fresh' | 'settled';

/** The platform’s document says nothing about late changes; a late or repeated batch runs within a day or two. */
const SETTLED_AFTER_DAYS = 2;

export function dayStateOf(day: Day, isPublished: boolean, today: Day): DayState {
  if (day >= today) return 'open';
  if (!isPublished) return 'unpublished';
  return day < plusDays(today, -SETTLED_AFTER_DAYS) ? 'settled' : 'fresh';
}
