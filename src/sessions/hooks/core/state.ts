import type { HookEvent } from './event.ts';
import type { HookSession } from './tables.ts';

/** An agent that said that it finished often goes on: it counts as finished when nothing came for so long. */
const SILENCE_MS = 20_000;

/** What of a session its events change. */
export type Course = Pick<HookSession, 'state' | 'since' | 'message' | 'reason' | 'finished_at'>;

/**
 * What a session is like after an event. Pure.
 *
 * A tool that ran shows that the agent goes on. A subagent that stopped, and an event that this version does not know, show
 * nothing of the agent itself: they are counted, and put off that it counts as finished.
 *
 * @param at ISO 8601
 */
export function after(
  course: Course,
  { kind, message, reason }: Pick<HookEvent, 'kind' | 'message' | 'reason'>,
  at: string,
): Course {
  switch (kind) {
    case 'waits':
      return {
        state: 'waiting',
        since: course.state === 'waiting' ? course.since : at,
        message,
        reason: null,
        finished_at: null,
      };
    case 'stops':
      return { state: 'stopped', since: at, message: null, reason: null, finished_at: at };
    case 'ends':
      if (course.state === 'ended') return { ...course, reason: reason ?? course.reason };
      return { ...course, state: 'ended', since: at, reason };
    case 'tool':
      if (course.state === 'working') return course;
      return { ...course, state: 'working', since: at, reason: null, finished_at: null };
    case 'subagent':
    case 'other':
      return course;
    default:
      return kind satisfies never;
  }
}

/** Whether its card has to say something else. What goes on and was never told of has no card. Pure. */
export function isNews(before: Course, now: Course, hasAnnounced: boolean): boolean {
  const isSame =
    before.state === now.state &&
    before.message === now.message &&
    before.reason === now.reason &&
    (now.state !== 'stopped' || before.since === now.since);
  if (isSame) return false;
  return hasAnnounced || now.state !== 'working';
}

/** When there is something to say: at once, or after a silence. Pure. */
export function dueAt({ state, last_at: lastAt }: Pick<HookSession, 'state' | 'last_at'>): Date {
  const delayMs = state === 'stopped' ? SILENCE_MS : 0;
  return new Date(Date.parse(lastAt) + delayMs);
}
