import { backOffMs } from '../../../core/base/time/back-off.ts';
import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import type { ComputerOrder, Outcome } from './computer-tables.ts';
import { phaseOf, rawFingerprint } from './states.ts';

const FIRST_POLL_MS = 5_000;
const MAX_POLL_MS = 60_000;
const LEAST_BETWEEN_EDITS_MS = 3_000;
const MAX_WATCH_MS = 2 * 60 * 60_000;
/** For this long after a retry, an unchanged status does not count as the result. */
const RETRY_SHOWS_WITHIN_MS = 2 * 60_000;
const SLOW_FACTOR = 2;

/** Returns 5 s, 10 s, 20 s, 40 s, then 1 min. Pure. @param attempts reads without a change, counted from 1 */
export function pollDelayMs(attempts: number): number {
  return backOffMs({ firstMs: FIRST_POLL_MS, longestMs: MAX_POLL_MS, attempt: attempts });
}

/** Returns the outcome of an order from the platform’s answer. Pure. @param computer undefined if it is gone */
export function outcomeOf(order: ComputerOrder, computer: Computer | undefined, now: Date): Outcome | undefined {
  if (!computer) return 'gone';
  const phase = isAwaitingRetry(order, computer, now) ? 'under_way' : phaseOf(computer);
  if (phase === 'ready') return 'ready';
  if (phase === 'problem') return 'failed';
  return now.getTime() - followedSinceMs(order) >= MAX_WATCH_MS ? 'ended' : undefined;
}

/** Whether a restarted installation still shows its old status; the status after a restart is undocumented. Pure. */
export function isAwaitingRetry(order: ComputerOrder, computer: Computer, now: Date): boolean {
  if (order.retriedAt === null || order.retriedFrom !== rawFingerprint(computer)) return false;
  return now.getTime() - new Date(order.retriedAt).getTime() < RETRY_SHOWS_WITHIN_MS;
}

export const followedSinceMs = (order: ComputerOrder) => new Date(order.followedSince ?? order.createdAt).getTime();

export function speedOf(order: ComputerOrder, usual: number | undefined, now: Date): 'unknown' | 'usual' | 'slow' {
  // A retry starts midway, so its time cannot be compared with full ones.
  if (usual === undefined || order.round > 0) return 'unknown';
  return now.getTime() - followedSinceMs(order) > SLOW_FACTOR * usual ? 'slow' : 'usual';
}

export type CardDecision = { kind: 'edit' } | { kind: 'wait'; until: Date; reason: string };

export function decideEdit(order: ComputerOrder, fingerprint: string, attempts: number, now: Date): CardDecision {
  if (fingerprint === order.shown) {
    const until = new Date(now.getTime() + pollDelayMs(attempts));
    return { kind: 'wait', until, reason: 'The platform has said nothing new about the computer.' };
  }
  const earliestMs = order.editedAt === null ? 0 : new Date(order.editedAt).getTime() + LEAST_BETWEEN_EDITS_MS;
  if (earliestMs <= now.getTime()) return { kind: 'edit' };
  return { kind: 'wait', until: new Date(earliestMs), reason: 'The card was edited a moment ago.' };
}
