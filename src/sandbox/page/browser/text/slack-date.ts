import { knownZone, localFields } from '../core/zone-time.ts';

/** The reader of a date: their time zone and current time. */
export interface DateReader {
  timeZone: string;
  nowMs: number;
}

const DAY_MS = 86_400_000;
const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/**
 * Fills in the placeholders of `<!date^…>` for a reader. Unknown ones stay as written.
 *
 * @example formatSlackDate(1392734382, '{date_short} at {time}', { timeZone: 'UTC', nowMs: 0 }) // 'Feb 18, 2014 at 2:39 PM'
 */
export function formatSlackDate(epochSeconds: number, format: string, reader: DateReader): string {
  const zone = knownZone(reader.timeZone);
  const local = localFields(epochSeconds * 1000, zone);
  const today = localFields(reader.nowMs, zone);
  return format.replaceAll(/\{(\w+)\}/g, (written, name: string) => {
    if (name === 'ago') return relativeTime(epochSeconds * 1000 - reader.nowMs);
    const isPretty = name.endsWith('_pretty') || name === 'date_pretty';
    const nearby = isPretty ? nearbyDay(local, today) : null;
    return nearby ?? placeholder(name.replace(/_pretty$/, ''), local) ?? written;
  });
}

function placeholder(name: string, local: Date): string | null {
  const month = months[local.getUTCMonth()] ?? '';
  const weekday = weekdays[local.getUTCDay()] ?? '';
  const day = local.getUTCDate();
  const year = local.getUTCFullYear();
  switch (name) {
    case 'date_num':
      return local.toISOString().slice(0, 10);
    case 'date_slash':
      return `${two(local.getUTCMonth() + 1)}/${two(day)}/${year}`;
    case 'date':
      return `${month} ${ordinal(day)}, ${year}`;
    case 'date_short':
      return `${month.slice(0, 3)} ${day}, ${year}`;
    case 'date_long':
    case 'date_long_full':
      return `${weekday}, ${month} ${ordinal(day)}, ${year}`;
    case 'day_divider':
      return `${weekday}, ${month} ${ordinal(day)}`;
    case 'time':
      return timeOf(local, false);
    case 'time_secs':
      return timeOf(local, true);
    default:
      return null;
  }
}

const two = (number: number) => String(number).padStart(2, '0');

function ordinal(day: number): string {
  const isTeen = day >= 11 && day <= 13;
  const suffix = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${suffix}`;
}

function timeOf(local: Date, withSeconds: boolean): string {
  const hour = local.getUTCHours();
  const seconds = withSeconds ? `:${two(local.getUTCSeconds())}` : '';
  return `${hour % 12 === 0 ? 12 : hour % 12}:${two(local.getUTCMinutes())}${seconds} ${hour < 12 ? 'AM' : 'PM'}`;
}

function nearbyDay(local: Date, today: Date): string | null {
  const days = Math.floor(local.getTime() / DAY_MS) - Math.floor(today.getTime() / DAY_MS);
  if (days === 0) return 'today';
  if (days === -1) return 'yesterday';
  return days === 1 ? 'tomorrow' : null;
}

/** `3 minutes ago`, `in 2 hours`. */
function relativeTime(differenceMs: number): string {
  const seconds = Math.abs(differenceMs) / 1000;
  const [amount, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [seconds / 60, 'minute']
        : seconds < 86_400
          ? [seconds / 3600, 'hour']
          : [seconds / 86_400, 'day'];
  const rounded = Math.floor(amount);
  const words = `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
  return differenceMs > 0 ? `in ${words}` : `${words} ago`;
}

/** Returns `9:05 AM`, as shown beside a message. */
export function clockTime(instantMs: number, timeZone: string): string {
  return timeOf(localFields(instantMs, knownZone(timeZone)), false);
}

/** Returns `Today`, `Yesterday` or `Monday, March 2nd`: the line between the messages of two days. */
export function dayDivider(instantMs: number, reader: DateReader): string {
  const words = formatSlackDate(Math.floor(instantMs / 1000), '{day_divider_pretty}', reader);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
