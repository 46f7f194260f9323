import { TZDate } from '@date-fns/tz';
import { addDays, format, getISODay, subMinutes } from '../base/time/date-fns.ts';
import { z } from 'zod';

const localTime = { at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/), zone: z.string() };

/**
 * When something is due: on which days of the week (1 Monday … 7 Sunday) or on which day of each month, at which local time,
 * in which zone. Every month has a 28th.
 */
export const scheduleSchema = z.union([
  z.strictObject({ days: z.array(z.int().min(1).max(7)).min(1), ...localTime }),
  z.strictObject({ monthDay: z.int().min(1).max(28), ...localTime }),
]);
export type Schedule = z.infer<typeof scheduleSchema>;

export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** One moment at which a schedule is due, with the date that the calendar on the wall shows then. */
export interface Occurrence {
  at: Date;
  localDate: string;
}

/** What was due longer ago than this is no longer sent. */
const LATEST_DELIVERY_MS = 24 * 60 * 60 * 1000;

/** Every schedule has a day within this many days in either direction. */
const SEARCHED_DAYS = { week: 8, month: 32 };

const searchedDays = (schedule: Schedule) => ('days' in schedule ? SEARCHED_DAYS.week : SEARCHED_DAYS.month);

const isOn = (day: TZDate, schedule: Schedule) =>
  'days' in schedule ? schedule.days.includes(getISODay(day)) : schedule.monthDay === day.getDate();

/**
 * What a schedule means on one local date. A local time that a clock change skips is moved on by the size of the gap;
 * one that comes twice counts the first time. So each date has exactly one occurrence.
 */
function occurrenceOn(day: TZDate, schedule: Schedule): Occurrence | undefined {
  if (!isOn(day, schedule)) return undefined;
  const [hours = 0, minutes = 0] = schedule.at.split(':').map(Number);
  const local = new TZDate(day.getFullYear(), day.getMonth(), day.getDate(), hours, minutes, 0, 0, schedule.zone);
  return { at: firstOfTwins(local), localDate: format(day, 'yyyy-MM-dd') };
}

/** By how much clocks are set back: half an hour on Lord Howe, an hour elsewhere, two in Antarctica. */
const SET_BACK_MINUTES = [120, 60, 30];

/** Where a clock is set back, a local time comes twice, and the library gives either: this gives the first. */
function firstOfTwins(local: TZDate): Date {
  const minutes = SET_BACK_MINUTES.find((earlier) => isShownAlike(subMinutes(local, earlier), local));
  return new Date((minutes === undefined ? local : subMinutes(local, minutes)).getTime());
}

/** The calendar and the clock on the wall show the same. Compared by parts: formatting takes most of a search otherwise. */
const isShownAlike = (one: Date, other: Date) =>
  one.getMinutes() === other.getMinutes() &&
  one.getHours() === other.getHours() &&
  one.getDate() === other.getDate() &&
  one.getMonth() === other.getMonth() &&
  one.getFullYear() === other.getFullYear();

function localNoon(instant: Date, zone: string): TZDate {
  const local = new TZDate(instant.getTime(), zone);
  return new TZDate(local.getFullYear(), local.getMonth(), local.getDate(), 12, 0, 0, 0, zone);
}

/**
 * The first occurrence after an instant.
 *
 * @example nextOccurrence({ days: [1], at: '09:00', zone: 'Europe/Berlin' }, new Date('2026-03-02T08:00:00Z'))
 * // { at: 2026-03-09T08:00:00Z, localDate: '2026-03-09' }: strictly after
 */
export function nextOccurrence(schedule: Schedule, after: Date): Occurrence {
  const today = localNoon(after, schedule.zone);
  // From the day before: where a gap moves a late time past midnight, yesterday's occurrence may still be to come.
  for (let offset = -1; offset <= searchedDays(schedule); offset += 1) {
    const occurrence = occurrenceOn(addDays(today, offset), schedule);
    if (occurrence && occurrence.at > after) return occurrence;
  }
  throw new Error(`No day in schedule ${JSON.stringify(schedule)}`);
}

/** The last occurrence at or before an instant. */
export function lastOccurrence(schedule: Schedule, atOrBefore: Date): Occurrence {
  const today = localNoon(atOrBefore, schedule.zone);
  for (let offset = 1; offset >= -searchedDays(schedule); offset -= 1) {
    const occurrence = occurrenceOn(addDays(today, offset), schedule);
    if (occurrence && occurrence.at <= atOrBefore) return occurrence;
  }
  throw new Error(`No day in schedule ${JSON.stringify(schedule)}`);
}

/** The last occurrence before an instant: strictly before. */
export function previousOccurrence(schedule: Schedule, before: Date): Occurrence {
  return lastOccurrence(schedule, new Date(before.getTime() - 1));
}

export type DueDecision =
  | { kind: 'not_due' }
  | { kind: 'deliver'; occurrence: Occurrence; nextDueAt: Date }
  | { kind: 'too_late'; occurrence: Occurrence; nextDueAt: Date };

/**
 * Decides what is due now. After downtime that is one occurrence at most, the last, and only if it is under a day old.
 *
 * @param nextDueAt the occurrence that was planned when this was last looked at
 */
export function decideDue(schedule: Schedule, nextDueAt: Date, now: Date): DueDecision {
  if (nextDueAt > now) return { kind: 'not_due' };
  const last = lastOccurrence(schedule, now);
  // A schedule that was changed meanwhile may have its last occurrence before what was planned: that one was never due.
  const occurrence = last.at < nextDueAt ? { at: nextDueAt, localDate: localDateOf(nextDueAt, schedule.zone) } : last;
  const next = nextOccurrence(schedule, now).at;
  const isLate = now.getTime() - occurrence.at.getTime() >= LATEST_DELIVERY_MS;
  return { kind: isLate ? 'too_late' : 'deliver', occurrence, nextDueAt: next };
}

/** The calendar date in a zone at an instant, `YYYY-MM-DD`. */
function localDateOf(instant: Date, zone: string): string {
  return format(new TZDate(instant.getTime(), zone), 'yyyy-MM-dd');
}
