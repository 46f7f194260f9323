import { DAY_MS } from '../../../core/base/time/durations.ts';
import { TZDate } from '@date-fns/tz';
import { format } from '../../../core/base/time/date-fns.ts';
import { DAYS_IN_A_WEEK, plusDays, type Day } from '../../../core/base/time/calendar.ts';
import { nextOccurrence, type Schedule } from '../../../core/schedule/occurrences.ts';
import { lastDayOver } from './coverage.ts';
import { weekdayNameOf } from './period-words.ts';
import { WEEKDAY_NAMES, type Cadence } from './settings.ts';

const MONDAY = 1;
/** Often enough to sample each clock setting of a year. */
const SAMPLED_EVERY_DAYS = 28;
const SAMPLES = 13;

/** The number of UTC days in such a digest; for `weekdays` that of Monday. */
const LENGTHS = { daily: 1, weekdays: 3, weekly: DAYS_IN_A_WEEK } as const;

/**
 * Depending on zone and hour, Monday’s digest covers Thursday to Saturday, Friday to Sunday or Saturday to Monday, and
 * may differ in summer time.
 * @param from the beginning of the year that is checked
 */
export function coveredWords(cadence: Cadence, schedule: Schedule, from: Date): string {
  if (cadence === 'monthly' || 'monthDay' in schedule) return 'each digest covers the calendar month before (UTC days)';
  const weekday = cadence === 'weekly' ? (schedule.days[0] ?? MONDAY) : MONDAY;
  const [usual = '', ...others] = spansOf({ ...schedule, days: [weekday] }, LENGTHS[cadence], from);
  const rest = others.map((span) => `, in other months ${span}`).join('');
  return `${WEEKDAY_NAMES[weekday - 1]}’s digest covers ${usual}${rest} (UTC days)`;
}

/** Returns the distinct spans, that of the next digest first. */
function spansOf(schedule: Schedule, length: number, from: Date): string[] {
  const next = nextOccurrence(schedule, from).at.getTime();
  const spans = Array.from({ length: SAMPLES }, (_, index) => {
    // Half a day earlier, so that the search finds this occurrence first.
    const before = new Date(next + (index * SAMPLED_EVERY_DAYS - 0.5) * DAY_MS);
    return spanWords(lastDayOver(nextOccurrence(schedule, before).at), length);
  });
  return [...new Set(spans)];
}

function spanWords(last: Day, length: number): string {
  const first = plusDays(last, 1 - length);
  return first === last ? shortNameOf(last) : `${shortNameOf(first)} to ${shortNameOf(last)}`;
}

const shortNameOf = (day: Day) => weekdayNameOf(day).slice(0, 3);

/** Digests before and after that hour cover different days. @example utcDayEnd('Pacific/Auckland', now) // '13:00' */
export function utcDayEnd(zone: string, now: Date): string {
  const end = new Date(Math.ceil(now.getTime() / DAY_MS) * DAY_MS);
  return format(new TZDate(end.getTime(), zone), 'HH:mm');
}
