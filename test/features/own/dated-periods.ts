import type { Day } from '../../../src/core/base/time/calendar.ts';

export type Unit = 'week' | 'month' | 'month from 15' | 'month from 28' | 'quarter' | 'year';

/** The first and the last day of the period around a day, by the dates of JavaScript alone. */
export function periodAround(day: Day, unit: Unit): { first: Day; last: Day } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const at = (ofMonth: number, ofDay: number) => new Date(Date.UTC(year, ofMonth, ofDay)).toISOString().slice(0, 10);
  if (unit === 'week') {
    const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
    return { first: at(month - 1, date - sinceMonday), last: at(month - 1, date - sinceMonday + 6) };
  }
  if (unit === 'month from 15' || unit === 'month from 28') {
    const startDay = unit === 'month from 15' ? 15 : 28;
    const begin = date < startDay ? month - 2 : month - 1;
    return { first: at(begin, startDay), last: at(begin + 1, startDay - 1) };
  }
  const begin = { month: month - 1, quarter: month - 1 - ((month - 1) % 3), year: 0 }[unit];
  const length = { month: 1, quarter: 3, year: 12 }[unit];
  return { first: at(begin, 1), last: at(begin + length, 0) };
}
