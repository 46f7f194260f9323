import type { HookEvent } from './event.ts';
import type { HookSession } from './session-tables.ts';

/** An agent often continues after reporting that it stopped, so it counts as finished only after this silence. */
const SILENCE_MS = 20_000;

export type SessionProgress = Pick<HookSession, 'state' | 'since' | 'message' | 'reason' | 'finishedAt'>;

/**
 * A tool event shows that the agent continues. A stopped subagent or an unknown event shows nothing about the agent
 * itself: it is counted, and it delays the time at which the agent counts as finished. `at` is ISO 8601.
 */
export function progressAfterEvent(
  progress: SessionProgress,
  { kind, message, reason }: Pick<HookEvent, 'kind' | 'message' | 'reason'>,
  at: string,
): SessionProgress {
  switch (kind) {
    case 'waits':
      return {
        state: 'waiting',
        since: progress.state === 'waiting' ? progress.since : at,
        message,
        reason: null,
        finishedAt: null,
      };
    case 'stops':
      return { state: 'stopped', since: at, message: null, reason: null, finishedAt: at };
    case 'ends':
      if (progress.state === 'ended') return { ...progress, reason: reason ?? progress.reason };
      return { ...progress, state: 'ended', since: at, reason };
    case 'tool':
      if (progress.state === 'working') return progress;
      return { ...progress, state: 'working', since: at, reason: null, finishedAt: null };
    case 'subagent':
    case 'other':
      return progress;
    default:
      return kind satisfies never;
  }
}

/** Whether the card has to change. A working session that was never announced gets no card. Pure. */
export function isNews(before: SessionProgress, now: SessionProgress, hasAnnounced: boolean): boolean {
  const isSame =
    before.state === now.state &&
    before.message === now.message &&
    before.reason === now.reason &&
    (now.state !== 'stopped' || before.since === now.since);
  if (isSame) return false;
  return hasAnnounced || now.state !== 'working';
}

export function dueAt({ state, lastAt }: Pick<HookSession, 'state' | 'lastAt'>): Date {
  const delayMs = state === 'stopped' ? SILENCE_MS : 0;
  return new Date(Date.parse(lastAt) + delayMs);
}
