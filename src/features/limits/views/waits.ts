import { median } from '../../../core/base/statistics.ts';
import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import type { Period } from '../../../core/base/time/calendar.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { firstSettingsIn } from '../core/ledger.ts';
import type { LimitDatabase } from '../core/limit-tables.ts';

/** How long each request of these days waited until its first limit was set, in milliseconds. */
export interface Waits {
  all: readonly number[];
  /** Those of people who could not work. */
  blocked: readonly number[];
}

/** @param days those on which the limits were set */
export async function readWaits(db: LimitDatabase, days: Period): Promise<Waits> {
  const rows = await firstSettingsIn(db, days);
  const waits = rows.map(({ createdAt, setAt, isBlocked }) => ({
    isBlocked: isBlocked === 1,
    ms: Math.max(0, Date.parse(setAt) - Date.parse(createdAt)),
  }));
  return { all: waits.map(({ ms }) => ms), blocked: waits.filter((wait) => wait.isBlocked).map(({ ms }) => ms) };
}

/** Undefined without requests. @example 'From request to limit: 42 minutes, the median of 18 requests.' */
export function waitsLine({ all, blocked }: Waits): Markup | undefined {
  if (all.length === 0) return undefined;
  const whole = `${durationWords(median(all))}, the median of ${countOf(all.length, 'request')}`;
  const part = blocked.length === 0 ? '' : `; when blocked ${durationWords(median(blocked))}, of ${blocked.length}`;
  return markup`From request to limit: *${whole}*${part}.`;
}

/** @example durationWords(90_000) // '2 minutes' */
function durationWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return countOf(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? countOf(hours, 'hour') : countOf(Math.round(hours / 24), 'day');
}
