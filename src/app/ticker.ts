import type { Feature } from '../core/feature.ts';
import { type Job, JOB_TIMES, type JobName } from '../core/schedule/job-times.ts';
import type { Logger } from '../core/base/log.ts';
import { forgetOldEvents } from '../core/slack/inbound/seen-events.ts';
import type { Database } from '../core/store/tables.ts';
import { isStoreFault } from '../core/store/engines/store-fault.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { JobRun } from '../features/status/status-view.ts';
import { createPlanner } from '../core/schedule/due-subscriptions.ts';

export interface Ticker {
  start(): void;
  /** Lacks jobs that have not run yet. */
  runs(): readonly JobRun[];
  stop(): Promise<void>;
}

/** Retries soon, so that planning resumes as soon as the store is back. */
const STORE_FAULT_PAUSE_MS = 5_000;

/**
 * Starts the jobs at the times of `JOB_TIMES`, one after the other in the order of that table. A job that throws affects no
 * other. A job whose time returns while it waits or runs starts once more afterwards, never twice at a time.
 */
export function createTicker(deps: {
  db: Database;
  clock: Clock;
  log: Logger;
  features: readonly Feature[];
  jobs?: readonly Job[];
  /** Called when a tick begins and ends, and between its jobs. */
  onTurn?: ((turn: 'began' | 'ended') => void) | undefined;
}): Ticker {
  const { db, clock, log, features } = deps;
  const kinds = Object.assign({}, ...features.map((feature) => feature.subscriptionKinds ?? {}));
  const jobs = inOrder([
    { name: 'plan-due-subscriptions', run: createPlanner({ db, clock, kinds, log }) },
    ...(deps.jobs ?? []),
    ...features.flatMap((feature) => feature.jobs ?? []),
    { name: 'forget-old-events', run: () => forgetOldEvents(db, clock.now()) },
  ]);
  const runs = new Map<JobName, JobRun>();
  const waiting = new Set<Job>();
  let running: Promise<void> | undefined;
  let stopTicking: (() => void)[] = [];
  const stopping = new AbortController();

  const runWaiting = async () => {
    const isRepeated = new Set<Job>();
    for (let job = jobs.find((one) => waiting.has(one)); job; job = jobs.find((one) => waiting.has(one))) {
      waiting.delete(job);
      deps.onTurn?.('began');
      if ((await runJob(job)) === 'store is away') isRepeated.add(job);
    }
    if (isRepeated.size > 0) {
      clock.sleep(STORE_FAULT_PAUSE_MS, stopping.signal).then(
        () => start([...isRepeated]),
        () => undefined,
      );
    }
  };
  const runJob = async (job: Job): Promise<'done' | 'failed' | 'store is away'> => {
    const outcome = await job.run().then(
      () => 'done' as const,
      (error: unknown) => {
        log.error({ err: error, job: job.name }, 'A job failed; it runs again at its next time');
        return isStoreFault(error) ? ('store is away' as const) : ('failed' as const);
      },
    );
    runs.set(job.name, { name: job.name, at: clock.now(), hasFailed: outcome !== 'done' });
    return outcome;
  };
  const start = async (requestedJobs: readonly Job[]): Promise<void> => {
    if (stopping.signal.aborted) return;
    for (const job of requestedJobs) waiting.add(job);
    running ??= runWaiting().finally(() => {
      deps.onTurn?.('ended');
      running = undefined;
    });
    await running;
    // A job that was requested at the end of that run has not started yet.
    if (waiting.size > 0) await start([]);
  };

  return {
    start: () => {
      const byTime = Map.groupBy(jobs, ({ name }) => JOB_TIMES[name].cron);
      stopTicking = [...byTime].map(([cron, together]) => clock.schedule(cron, () => start(together)));
      void start(jobs);
    },
    runs: () => jobs.flatMap(({ name }) => runs.get(name) ?? []),
    stop: async () => {
      stopping.abort();
      for (const stop of stopTicking) stop();
      waiting.clear();
      await running;
    },
  };
}

function inOrder(jobs: readonly Job[]): Job[] {
  const order = Object.keys(JOB_TIMES);
  return jobs.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}
