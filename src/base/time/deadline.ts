import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dispatcher } from 'undici';

/** Until when a request may leave, by a clock that goes on while the process is stopped and that nobody sets. */
export interface Deadline {
  hasPassed(): boolean;
  /** How long a request that leaves now may take: its answer is of no use after the lease. */
  remainingMs(): number;
}

/** A request may leave in the first part of its lease; the rest is for its answer. */
const SENDING_PART = 0.75;

/**
 * Begins to count a lease.
 *
 * @param leaseMs counted from now on; so this is called before the lease is taken, never after
 */
export function startDeadline(leaseMs: number, nowMs: () => number = () => performance.now()): Deadline {
  const startMs = nowMs();
  return {
    hasPassed: () => nowMs() - startMs >= leaseMs * SENDING_PART,
    remainingMs: () => Math.max(0, leaseMs - (nowMs() - startMs)),
  };
}

/** The request was not sent: its lease was nearly over, and somebody else may be at it by now. */
export class DeadlinePassedError extends Error {
  override readonly name = 'DeadlinePassedError';
  readonly code = 'DEADLINE_PASSED';

  constructor() {
    super('The process woke too late to send this');
  }
}

const current = new AsyncLocalStorage<Deadline>();

/** Runs what sends requests that must not leave after a deadline. */
export function withDeadline<Result>(deadline: Deadline | undefined, run: () => Promise<Result>): Promise<Result> {
  if (!deadline) return run();
  if (deadline.hasPassed()) return Promise.reject(new DeadlinePassedError());
  return current.run(deadline, run);
}

/** The signal of a request, which ends before the lease that it was sent under. */
export function signalWithin(signal: AbortSignal | null | undefined): AbortSignal | undefined {
  const deadline = current.getStore();
  if (!deadline) return signal ?? undefined;
  const within = AbortSignal.timeout(Math.ceil(deadline.remainingMs()));
  return signal ? AbortSignal.any([signal, within]) : within;
}

/**
 * For a dispatcher of undici: drops a request whose deadline has passed in the very tick in which it would be written to its
 * connection. A process may be stopped at any instant before, also while it waits for that connection.
 */
export const dropLateRequests: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const deadline = current.getStore();
  if (!deadline) return dispatch(options, handler);
  return dispatch(options, {
    onRequestStart: (controller, context) => {
      if (deadline.hasPassed()) controller.abort(new DeadlinePassedError());
      else handler.onRequestStart?.(controller, context);
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStarted: () => handler.onResponseStarted?.(),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
};
