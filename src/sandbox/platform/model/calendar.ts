const DAY_MS = 86_400_000;

/** Returns the number of days since 1970, so that figures can be a function of a number. */
export function dayNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
}

/** `YYYY-MM-DD`. */
export function dayName(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** The UTC day of an instant. */
export function dayOf(instant: Date): number {
  return Math.floor(instant.getTime() / DAY_MS);
}

export function startOfDayMs(number: number): number {
  return number * DAY_MS;
}

/** API document: "data exists from 2026-01-14". */
export const FIRST_DAY = dayNumber('2026-01-14');

const HOLIDAYS = new Set(['01-01', '05-01', '12-24', '12-25', '12-26', '12-31']);

export type DayKind = 'working' | 'weekend' | 'holiday';

const kinds = new Map<number, DayKind>();

/** Cached: it is called for each person of each day. */
export function kindOf(number: number): DayKind {
  const cachedKind = kinds.get(number);
  if (cachedKind) return cachedKind;
  const weekday = new Date(number * DAY_MS).getUTCDay();
  const usual = weekday === 0 || weekday === 6 ? 'weekend' : 'working';
  const kind = HOLIDAYS.has(dayName(number).slice(5)) ? 'holiday' : usual;
  kinds.set(number, kind);
  return kind;
}

/** Whether the text is a day that exists: 2026-02-30 is not. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(dayNumber(text)) && dayName(dayNumber(text)) === text;
}
