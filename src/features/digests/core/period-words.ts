import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import {
  dayOf,
  DAYS_IN_A_WEEK,
  formatMonth,
  formatPeriod,
  lengthOf,
  weekdayOf,
  type Day,
  type Period,
} from '../../../core/base/time/calendar.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { nameOf, WEEKDAY_NAMES, type Cadence } from './settings.ts';

export function weekdayNameOf(day: Day): string {
  return WEEKDAY_NAMES[(weekdayOf(day) + DAYS_IN_A_WEEK - 1) % DAYS_IN_A_WEEK] ?? '';
}

/** @example figuresOfPeriod({ first: '2026-03-01', last: '2026-03-01' }) // 'Sunday’s figures' */
export function figuresOfPeriod(period: Period): string {
  return lengthOf(period) === 1 ? `${weekdayNameOf(period.last)}’s figures` : `the figures for ${formatPeriod(period)}`;
}

/** Leaves out the year if it is that of `sentAt`: `Weekly digest, 23 Feb – 1 Mar (UTC)`. */
export function titleOf(cadence: Cadence, period: Period, sentAt: Date): string {
  const today = dayOf(sentAt);
  const days = cadence === 'monthly' ? formatMonth(period.last, today) : formatPeriod(period, today);
  return `${nameOf(cadence)}, ${days} (UTC)`;
}

/** @example latenessWords(new Date('2026-03-02T09:00Z'), new Date('2026-03-02T12:10Z')) // '3 hours' */
export function latenessWords(dueAt: Date, at: Date): string {
  const minutes = Math.round((at.getTime() - dueAt.getTime()) / MINUTE_MS);
  if (minutes < 120) return countOf(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? countOf(hours, 'hour') : countOf(Math.round(hours / 24), 'day');
}
