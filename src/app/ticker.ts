import type { Logger } from '../core/base/log.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { Job, JobRun } from '../core/schedule/job.ts';
import { createTimetable } from '../core/schedule/timetable.ts';
import { isStoreFault } from '../core/store/engines/store-fault.ts';

export interface Ticker {
  start(): void;
  stop(): Promise<void>;
}

/** Retries soon, so that planning resumes as soon as the store is back. */
const STORE_FAULT_PAUSE_MS = 5_000;

/**
 * Runs all jobs at the start, and then each at the times of its expression. Those that are due together run one after the
 * other in their order. A job that throws affects no other. A job whose time returns while it waits or runs starts once more
 * after the others, never twice at a time.
 */
export function createTicker({
  clock,
  timeZone,
  log,
  jobs,
  runs,
  onTurn,
}: {
  clock: Clock;
  /** Of the expressions. */
  timeZone: string;
  log: Logger;
  jobs: readonly Job[];
  /** Gets the last run of each job. */
  runs: Map<Job, JobRun>;
  /** Called when a tick begins and ends, and between its jobs. */
  onTurn?: ((turn: 'began' | 'ended') => void) | undefined;
}): Ticker {
  const timetable = createTimetable(jobs, timeZone);
  const waiting = new Set<Job>();
  let running: Promise<void> | undefined;
  let stopTicking: (() => void) | undefined;
  const stopping = new AbortController();

  const runWaiting = async () => {
    const isRepeated = new Set<Job>();
    while (waiting.size > 0) {
      // What becomes due during a round waits for the next one, so that the first jobs cannot keep the last ones waiting.
      for (const job of jobs.filter((one) => waiting.has(one))) {
        if (!waiting.delete(job)) continue;
        onTurn?.('began');
        if ((await runJob(job)) === 'store is away') isRepeated.add(job);
      }
    }
    if (isRepeated.size > 0) {
      clock.sleep(STORE_FAULT_PAUSE_MS, stopping.signal).then(
        () => start([...isRepeated]),
        () => undefined,
      );
    }
  };
  const outcomeOf = async (job: Job): Promise<'done' | 'failed' | 'store is away'> => {
    try {
      await job.run();
      return 'done';
    } catch (error) {
      log.error({ err: error, job: job.name }, 'A job failed; it runs again at its next time');
      return isStoreFault(error) ? 'store is away' : 'failed';
    }
  };
  const runJob = async (job: Job) => {
    const outcome = await outcomeOf(job);
    runs.set(job, { job, at: clock.now(), hasFailed: outcome !== 'done' });
    return outcome;
  };
  const start = async (requestedJobs: readonly Job[]): Promise<void> => {
    if (stopping.signal.aborted) return;
    for (const job of requestedJobs) waiting.add(job);
    running ??= runWaiting().finally(() => {
      onTurn?.('ended');
      running = undefined;
    });
    await running;
    // A job that was requested at the end of that run has not started yet.
    if (waiting.size > 0) await start([]);
  };

  return {
    start: () => {
      stopTicking = clock.eachMinute((passed) => start(timetable.dueIn(passed)));
    },
    stop: async () => {
      stopping.abort();
      stopTicking?.();
      timetable.close();
      waiting.clear();
      await running;
    },
  };
}
