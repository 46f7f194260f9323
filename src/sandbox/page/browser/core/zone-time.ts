const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

export function knownZone(zone: string): string {
  try {
    formatFor(zone);
    return zone;
  } catch {
    return 'UTC';
  }
}

/** Returns a zone's local time as if it were UTC, so that the getUTC… methods return the local fields. */
export function localFields(instantMs: number, zone: string): Date {
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/** Returns the instant of a local time in a zone. A time that a clock change skips falls after the gap. */
export function instantOf(localMs: number, zone: string): number {
  const offsetAt = (instantMs: number) => localFields(instantMs, zone).getTime() - Math.floor(instantMs / 1000) * 1000;
  const early = localMs - offsetAt(localMs - DAY_MS);
  const late = localMs - offsetAt(localMs + DAY_MS);
  if (localFields(early, zone).getTime() === localMs) return early;
  if (localFields(late, zone).getTime() === localMs) return late;
  return Math.max(early, late);
}

/**
 * Returns the next instant after `nowMs` with a given local time of day in a zone.
 *
 * @example nextTimeOfDay(Date.parse('2026-03-02T08:00:00Z'), '09:00', 'Europe/Berlin') // 2026-03-03T08:00:00Z
 */
export function nextTimeOfDay(nowMs: number, timeOfDay: string, zone: string): number {
  const [hour = 0, minute = 0] = timeOfDay.split(':').map(Number);
  const today = localFields(nowMs, zone);
  const midnightMs = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate());
  for (let days = 0; days < 3; days += 1) {
    const candidate = instantOf(midnightMs + days * DAY_MS + (hour * 60 + minute) * MINUTE_MS, zone);
    if (candidate > nowMs) return candidate;
  }
  return nowMs + DAY_MS;
}

/** `2026-03-02` in a zone. */
export function localDay(instantMs: number, zone: string): string {
  return localFields(instantMs, zone).toISOString().slice(0, 10);
}

/** `09:05` in a zone. */
export function localTime(instantMs: number, zone: string): string {
  return localFields(instantMs, zone).toISOString().slice(11, 16);
}
