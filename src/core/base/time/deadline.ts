import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dispatcher } from 'undici';
import { delegateTo } from '../delegate-handler.ts';

/** The time until which a request may be sent, by a monotonic clock that also runs while the process is stopped. */
export interface Deadline {
  hasPassed(): boolean;
  /** How long a request sent now may take. An answer after the lease is useless. */
  remainingMs(): number;
}

/** A request may be sent in this first part of its lease; the rest is for its answer. */
const SENDING_PART = 0.75;

/** @param leaseMs counted from this call; so call it before the lease is taken, never after */
export function startDeadline(leaseMs: number, nowMs: () => number = () => performance.now()): Deadline {
  const startMs = nowMs();
  return {
    hasPassed: () => nowMs() - startMs >= leaseMs * SENDING_PART,
    remainingMs: () => Math.max(0, leaseMs - (nowMs() - startMs)),
  };
}

/** The request was not sent: its lease was nearly over, and another process may already do the work. */
export class DeadlinePassedError extends Error {
  override readonly name = 'DeadlinePassedError';
  readonly code = 'DEADLINE_PASSED';

  constructor() {
    super('The process woke too late to send this');
  }
}

const current = new AsyncLocalStorage<Deadline>();

export function withDeadline<Result>(deadline: Deadline | undefined, run: () => Promise<Result>): Promise<Result> {
  if (!deadline) return run();
  if (deadline.hasPassed()) return Promise.reject(new DeadlinePassedError());
  return current.run(deadline, run);
}

/** Returns a signal for a request, which ends it before its lease ends. */
export function signalWithin(signal: AbortSignal | null | undefined): AbortSignal | undefined {
  const deadline = current.getStore();
  if (!deadline) return signal ?? undefined;
  const within = AbortSignal.timeout(Math.ceil(deadline.remainingMs()));
  return signal ? AbortSignal.any([signal, within]) : within;
}

/**
 * Drops a late request of a dispatcher of undici in the tick in which it would be written to its connection. The
 * process may be stopped at any earlier instant, also while the request waits for the connection.
 */
export const dropLateRequests: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const deadline = current.getStore();
  if (!deadline) return dispatch(options, handler);
  return dispatch(options, {
    ...delegateTo(handler),
    onRequestStart: (controller, context) => {
      if (deadline.hasPassed()) controller.abort(new DeadlinePassedError());
      else handler.onRequestStart?.(controller, context);
    },
  });
};
