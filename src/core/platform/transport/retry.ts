import type { Method } from '../arguments.ts';
import { RATE_LIMITED, spreadBackOffMs, waitAskedMs } from '../../base/time/back-off.ts';
import type { PlatformErrorCode } from '../errors.ts';

/** One call is sent at most this many times, however much of its deadline is left. */
export const MAX_ATTEMPTS = 5;

const BACK_OFF = { firstMs: 250, longestMs: 8_000 };

/** The only PUT (credit limits) sets values, so twice equals once. A second POST could create a second computer. */
const REPEATABLE: ReadonlySet<Method> = new Set(['GET', 'PUT']);

const PASSING: ReadonlySet<PlatformErrorCode> = new Set([
  'rate_limited',
  'server_error',
  'network',
  'timeout',
  'cut_body',
  'overloaded',
]);

export interface FailedAttempt {
  method: Method;
  code: PlatformErrorCode;
  attempt: number;
  /** The wait of `Retry-After`, if it was readable. */
  askedMs?: number | undefined;
  remainingMs: number;
  /** Between 0 and 1. */
  random: () => number;
}

export type RetryDecision =
  | { retry: true; waitMs: number }
  | { retry: false; reason: 'not_repeatable' | 'not_passing' | 'attempts_used' | 'past_deadline' };

/**
 * A wait that the platform demands is kept in full or not at all: returning early gets a key blocked. Pure.
 *
 * @example
 * decideRetry({ method: 'POST', code: 'server_error', attempt: 1, remainingMs: 9_000, random: Math.random });
 * // { retry: false, reason: 'not_repeatable' }
 */
export function decideRetry(failed: FailedAttempt): RetryDecision {
  if (!REPEATABLE.has(failed.method)) return { retry: false, reason: 'not_repeatable' };
  if (!PASSING.has(failed.code)) return { retry: false, reason: 'not_passing' };
  if (failed.attempt >= MAX_ATTEMPTS) return { retry: false, reason: 'attempts_used' };
  const own = failed.code === 'rate_limited' ? RATE_LIMITED : BACK_OFF;
  const ownMs = spreadBackOffMs({ ...own, attempt: failed.attempt }, failed.random);
  const waitMs = waitAskedMs(failed.askedMs, ownMs);
  if (waitMs >= failed.remainingMs) return { retry: false, reason: 'past_deadline' };
  return { retry: true, waitMs };
}

const SECONDS = /^\d+(?:\.\d+)?$/;
// Date.parse alone reads "-5" as a day in 2001, so only HTTP's one date form is parsed.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads seconds or a date, for `waitAskedMs`; undefined if unreadable or past. @example parseRetryAfter('120', now) */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATE.test(text)) return undefined;
  const waitMs = Date.parse(text) - now.getTime();
  return waitMs >= 0 ? waitMs : undefined;
}
