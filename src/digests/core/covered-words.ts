import { DAY_MS } from '../../base/time/durations.ts';
import { TZDate } from '@date-fns/tz';
import { format } from '../../base/time/date-fns.ts';
import { DAYS_IN_A_WEEK, plusDays, type Day } from '../../base/time/calendar.ts';
import { nextOccurrence, type Schedule } from '../../schedule/occurrences.ts';
import { lastDayOver } from './coverage.ts';
import { weekdayNameOf } from './period-words.ts';
import { WEEKDAY_NAMES, type Cadence } from './settings.ts';

const MONDAY = 1;
/** Often enough to meet every season of the clocks. */
const SAMPLED_EVERY_DAYS = 28;
const SAMPLES = 13;

/** How many UTC days the digest of that weekday covers; the one of a Monday stands for those of the weekdays. */
const LENGTHS = { daily: 1, weekdays: 3, weekly: DAYS_IN_A_WEEK } as const;

/**
 * Which UTC days a digest covers: by the zone and the hour those of a Monday may be Thursday to Saturday, Friday to Sunday or
 * Saturday to Monday, and others while the clocks show summer time. Pure.
 *
 * @param from the months that follow are looked at
 * @example coveredWords('weekdays', { days: [1, 2, 3, 4, 5], at: '09:00', zone: 'Europe/Berlin' }, now)
 * // 'Monday’s digest covers Fri to Sun (UTC days)'
 */
export function coveredWords(cadence: Cadence, schedule: Schedule, from: Date): string {
  if (cadence === 'monthly' || 'monthDay' in schedule) return 'each digest covers the calendar month before (UTC days)';
  const weekday = cadence === 'weekly' ? (schedule.days[0] ?? MONDAY) : MONDAY;
  const [usual = '', ...others] = spansOf({ ...schedule, days: [weekday] }, LENGTHS[cadence], from);
  const rest = others.map((span) => `, in other months ${span}`).join('');
  return `${WEEKDAY_NAMES[weekday - 1]}’s digest covers ${usual}${rest} (UTC days)`;
}

/** The one of the next time first. */
function spansOf(schedule: Schedule, length: number, from: Date): string[] {
  const next = nextOccurrence(schedule, from).at.getTime();
  const spans = Array.from({ length: SAMPLES }, (_, index) => {
    // From half a day before, so that the search meets it at once.
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

/**
 * When a UTC day ends by the clock of a zone: digests before and after that hour cover other days. Pure.
 *
 * @example utcDayEnd('Pacific/Auckland', new Date('2026-11-22T12:00:00Z')) // '13:00'
 */
export function utcDayEnd(zone: string, now: Date): string {
  const end = new Date(Math.ceil(now.getTime() / DAY_MS) * DAY_MS);
  return format(new TZDate(end.getTime(), zone), 'HH:mm');
}
