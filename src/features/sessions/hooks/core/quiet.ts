import { EVERY_DAY, lastOccurrence, nextOccurrence, type Occurrence } from '../../../../core/schedule/occurrences.ts';
import { isTimeZone } from '../../../../core/base/time/calendar.ts';

/** Local times, `HH:MM`; over midnight if `from` is later than `until`. */
export interface QuietHours {
  from: string;
  until: string;
}

const TIME = /^(?:[01]?\d|2[0-3]):[0-5]\d$/;

/** @example readQuietHours('22:00-7:00') // { from: '22:00', until: '07:00' } */
export function readQuietHours(text: string): QuietHours | undefined {
  if (text.length > 20) return undefined;
  const [from = '', until = '', ...more] = text.split('-').map((part) => part.trim());
  if (more.length > 0 || !TIME.test(from) || !TIME.test(until)) return undefined;
  const hours = { from: from.padStart(5, '0'), until: until.padStart(5, '0') };
  return hours.from === hours.until ? undefined : hours;
}

/** Returns the end of the current quiet hours; undefined outside of them. Pure. */
export function quietUntil({ from, until }: QuietHours, zone: string, now: Date): Occurrence | undefined {
  const daily = { days: EVERY_DAY, zone: isTimeZone(zone) ? zone : 'UTC' };
  const began = lastOccurrence({ ...daily, at: from }, now);
  const ended = lastOccurrence({ ...daily, at: until }, now);
  return began.at > ended.at ? nextOccurrence({ ...daily, at: until }, now) : undefined;
}
