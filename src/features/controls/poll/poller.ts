import { backOffMs, waitAskedMs } from '../../../core/base/time/back-off.ts';
import type { Service } from '../../../core/feature.ts';
import { isPlatformError } from '../../../core/platform/errors.ts';
import { platformSentence } from '../../../core/slack/blocks/faults.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import { claimPoll, endPoll, readCursor, renewLease } from '../core/cursor.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { pollOnce } from './poll-once.ts';
import type { ControlsCursor } from '../core/revisions.ts';

/** A lease is shorter than this only if the interval is. */
const SHORTEST_LEASE_MS = 5_000;
/** After an outage of the platform its revisions are announced within two intervals of its return. */
const MAX_PAUSE_INTERVALS = 2;
/** The share by which polls are spread, so that many installations do not poll at once. */
const JITTER = 0.1;

export function pauseMs(deps: {
  intervalMs: number;
  failures: number;
  askedMs?: number | undefined;
  random: number;
}): number {
  const { intervalMs, failures, random } = deps;
  const longestMs = (intervalMs * MAX_PAUSE_INTERVALS) / (1 + JITTER);
  const spread = 1 - JITTER + 2 * JITTER * random;
  const waitMs = backOffMs({ firstMs: intervalMs, longestMs, attempt: failures + 1 });
  return waitAskedMs(deps.askedMs, Math.round(waitMs * spread));
}

/** Only the replica with the lease polls. The lease ends by time, so another process takes over in two intervals. */
export function createPoller(deps: ControlsDeps): Service {
  const stopping = new AbortController();
  let loop = Promise.resolve();
  const run = async () => {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      const waitMs = await takeTurn(deps, isFirst).catch((error: unknown) => {
        deps.log.error({ err: error }, 'Reading the lease on the controls from the store failed');
        return intervalOf(deps);
      });
      await deps.clock.sleep(waitMs, stopping.signal).catch(() => undefined);
    }
  };
  return {
    name: 'controls-poller',
    start: () => {
      loop = run();
    },
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}

const intervalOf = ({ config }: ControlsDeps) => config.controlsPollSeconds * 1_000;

/** @returns the time until the next attempt to claim the poll */
async function takeTurn(deps: ControlsDeps, isFirst: boolean): Promise<number> {
  const { db, replica } = deps;
  const leaseMs = Math.max(SHORTEST_LEASE_MS, intervalOf(deps));
  const cursor = await readCursor(db);
  if (!(await claimPoll(db, { replica, leaseMs }, isFirst)))
    return untilFree(cursor, await readStoreNow(db), intervalOf(deps));
  const stopRenewing = keepLease(deps, leaseMs);
  const end = await readAndJudge(deps, cursor).finally(stopRenewing);
  await endPoll(db, replica, end);
  return end.pauseMs;
}

function untilFree({ nextPollAt: nextAt, leasedUntil: until }: ControlsCursor, now: Date, intervalMs: number): number {
  const freeMs = Math.max(Date.parse(nextAt), until === null ? 0 : Date.parse(until));
  return Math.min(intervalMs, Math.max(250, freeMs - now.getTime()));
}

async function readAndJudge(deps: ControlsDeps, cursor: ControlsCursor) {
  const after = (failures: number, askedMs?: number) =>
    pauseMs({ intervalMs: intervalOf(deps), failures, askedMs, random: deps.random() });
  try {
    await pollOnce(deps, cursor);
    if (cursor.failures > 0) deps.log.info('Reading the enterprise controls works again');
    return { pauseMs: after(0), failures: 0, lastError: null, readAt: deps.clock.now() };
  } catch (error) {
    const failures = cursor.failures + 1;
    const lastError = isPlatformError(error)
      ? platformSentence(error)
      : 'The revisions could not be kept; the log says why.';
    const waitMs = after(failures, isPlatformError(error) ? error.askedMs : undefined);
    deps.log.warn({ err: error, failures, waitMs }, 'Reading the enterprise controls failed');
    return { pauseMs: waitMs, failures, lastError };
  }
}

/** Renews the lease for as long as the work runs. If the process dies, the lease ends too. */
function keepLease({ db, clock, replica, log }: ControlsDeps, leaseMs: number): () => void {
  const done = new AbortController();
  const renew = async () => {
    for (;;) {
      await clock.sleep(leaseMs / 3, done.signal);
      await renewLease(db, { replica, leaseMs });
    }
  };
  renew().catch((error: unknown) => {
    if (!done.signal.aborted) log.warn({ err: error }, 'Renewing the lease on the controls failed');
  });
  return () => done.abort();
}
