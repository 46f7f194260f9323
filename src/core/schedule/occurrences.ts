import { TZDate } from '@date-fns/tz';
import { subMinutes } from '../base/time/date-fns.ts';
import { z } from 'zod';
import { dayOf, plusDays, weekdayOf, type Day } from '../base/time/calendar.ts';
import { memoizeByText } from '../base/memoize-by-text.ts';

const localTime = { at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/), zone: z.string() };

/** Days of the week (1 Monday … 7 Sunday) or a day of each month. The last day is the 28th, which every month has. */
export const scheduleSchema = z.union([
  z.strictObject({ days: z.array(z.int().min(1).max(7)).min(1), ...localTime }),
  z.strictObject({ monthDay: z.int().min(1).max(28), ...localTime }),
]);
export type Schedule = z.infer<typeof scheduleSchema>;

export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

export interface Occurrence {
  at: Date;
  localDate: string;
}

const LATEST_DELIVERY_MS = 24 * 60 * 60 * 1000;

/** Every schedule has a day within this many days in either direction. */
const SEARCHED_DAYS = { week: 8, month: 32 };

const searchedDays = (schedule: Schedule) => ('days' in schedule ? SEARCHED_DAYS.week : SEARCHED_DAYS.month);

const isOn = (day: Day, schedule: Schedule) =>
  'days' in schedule ? schedule.days.includes(weekdayOf(day) || 7) : schedule.monthDay === Number(day.slice(8));

/** A skipped local time moves by the gap; a repeated one counts the first time. So each date has one occurrence. */
function occurrenceOn(day: Day, schedule: Schedule): Occurrence | undefined {
  if (!isOn(day, schedule)) return undefined;
  const { atMs } = instantOf(`${day} ${schedule.at} ${schedule.zone}`);
  return atMs === undefined ? undefined : { at: new Date(atMs), localDate: day };
}

/** Some 3,000 dates and times: a morning asks for the same few ones for each digest. */
const MAX_REMEMBERED = 100_000;

/** The instant of a local date, time and zone, with a space between them. A zone may leave out a whole date. */
const instantOf = memoizeByText((text): { atMs: number | undefined } => {
  const [day = '', at = '', zone = ''] = text.split(' ');
  const { year, month, date } = partsOf(day);
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const noon = new TZDate(year, month, date, 12, 0, 0, 0, zone);
  if (noon.getDate() !== date) return { atMs: undefined };
  const local = new TZDate(year, month, date, hours, minutes, 0, 0, zone);
  return { atMs: firstOfRepeatedTime(local).getTime() };
}, MAX_REMEMBERED);

/** Its month begins with 0, as that of a date. */
function partsOf(day: Day): Record<'year' | 'month' | 'date', number> {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return { year, month: month - 1, date };
}

/** The amounts by which clocks are set back: half an hour on Lord Howe, an hour elsewhere, two in Antarctica. */
const SET_BACK_MINUTES = [120, 60, 30];

/** When a clock is set back, a local time occurs twice and the library may return either. This returns the first. */
function firstOfRepeatedTime(local: TZDate): Date {
  const minutes = SET_BACK_MINUTES.find((earlier) => hasSameLocalTime(subMinutes(local, earlier), local));
  return new Date((minutes === undefined ? local : subMinutes(local, minutes)).getTime());
}

/** Whether two instants have the same local date and time. Formatting them would take most of a search's time. */
const hasSameLocalTime = (one: Date, other: Date) =>
  one.getMinutes() === other.getMinutes() &&
  one.getHours() === other.getHours() &&
  one.getDate() === other.getDate() &&
  one.getMonth() === other.getMonth() &&
  one.getFullYear() === other.getFullYear();

function localDay(instant: Date, zone: string): Day {
  const local = new TZDate(instant.getTime(), zone);
  return dayOf(new Date(Date.UTC(local.getFullYear(), local.getMonth(), local.getDate())));
}

/**
 * @example
 * nextOccurrence({ days: [1], at: '09:00', zone: 'Europe/Berlin' }, new Date('2026-03-02T08:00:00Z'))
 * // { at: 2026-03-09T08:00:00Z, localDate: '2026-03-09' }: strictly after
 */
export function nextOccurrence(schedule: Schedule, after: Date): Occurrence {
  const today = localDay(after, schedule.zone);
  // Starts with the day before: if a gap moves a late time past midnight, its occurrence may still be in the future.
  for (let offset = -1; offset <= searchedDays(schedule); offset += 1) {
    const occurrence = occurrenceOn(plusDays(today, offset), schedule);
    if (occurrence && occurrence.at > after) return occurrence;
  }
  throw new Error(`No day in schedule ${JSON.stringify(schedule)}`);
}

/** The first one on a local day or after it. */
export function firstOccurrenceOn(schedule: Schedule, day: Day): Occurrence {
  const { year, month, date } = partsOf(day);
  const midnight = new TZDate(year, month, date, 0, 0, 0, 0, schedule.zone);
  return nextOccurrence(schedule, new Date(midnight.getTime() - 1));
}

export function lastOccurrence(schedule: Schedule, atOrBefore: Date): Occurrence {
  const today = localDay(atOrBefore, schedule.zone);
  for (let offset = 1; offset >= -searchedDays(schedule); offset -= 1) {
    const occurrence = occurrenceOn(plusDays(today, offset), schedule);
    if (occurrence && occurrence.at <= atOrBefore) return occurrence;
  }
  throw new Error(`No day in schedule ${JSON.stringify(schedule)}`);
}

export function previousOccurrence(schedule: Schedule, before: Date): Occurrence {
  return lastOccurrence(schedule, new Date(before.getTime() - 1));
}

/**
 * Returns the occurrence that was planned for an instant. The rules of a time zone can change between two versions of
 * Node.js, and replicas can have different ones: then the planned instant is some hours beside an occurrence, earlier or
 * later, and it is that one.
 */
export function plannedOccurrence(schedule: Schedule, plannedFor: Date): Occurrence {
  const before = lastOccurrence(schedule, plannedFor);
  const after = nextOccurrence(schedule, plannedFor);
  const isNearerBefore = plannedFor.getTime() - before.at.getTime() <= after.at.getTime() - plannedFor.getTime();
  return isNearerBefore ? before : after;
}

export type DueDecision =
  | { kind: 'not_due' }
  /** By the rules of the time zone that this process has, the planned occurrence is still to come. */
  | { kind: 'postponed'; nextDueAt: Date }
  | { kind: 'deliver'; occurrence: Occurrence; nextDueAt: Date }
  | { kind: 'too_late'; occurrence: Occurrence; nextDueAt: Date };

/** After downtime, only the last occurrence is due, and only if under a day old. It was planned for `nextDueAt`. */
export function decideDue(schedule: Schedule, nextDueAt: Date, now: Date): DueDecision {
  if (nextDueAt > now) return { kind: 'not_due' };
  const planned = plannedOccurrence(schedule, nextDueAt);
  if (planned.at > now) return { kind: 'postponed', nextDueAt: planned.at };
  const occurrence = lastOccurrence(schedule, now);
  const next = nextOccurrence(schedule, now).at;
  const isLate = now.getTime() - occurrence.at.getTime() >= LATEST_DELIVERY_MS;
  return { kind: isLate ? 'too_late' : 'deliver', occurrence, nextDueAt: next };
}
