import type { Logger } from '../base/log.ts';
import type { Job, JobPlan } from './job.ts';

export interface BackgroundJob {
  job: Job;
  /** Aborts the work and waits until it has ended. */
  stop(): Promise<void>;
}

/**
 * The jobs of a minute run one after the other, and a job that delays them for five minutes counts as stuck. A
 * background job runs beside them, once at a time.
 *
 * @param work ends when its signal is aborted, and can be started again
 * @example createBackgroundJob(plan, log, (signal) => exportNight(services, settings, signal))
 */
export function createBackgroundJob(
  plan: JobPlan,
  log: Logger,
  work: (signal: AbortSignal) => Promise<void>,
): BackgroundJob {
  const stopping = new AbortController();
  const { signal } = stopping;
  let underWay: Promise<void> | undefined;
  const runOnce = async () => {
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, job: plan.name }, 'A job failed; it runs again at its next time');
    } finally {
      underWay = undefined;
    }
  };
  return {
    job: {
      ...plan,
      run: () => {
        if (!signal.aborted) underWay ??= runOnce();
        return Promise.resolve();
      },
    },
    stop: async () => {
      stopping.abort();
      await underWay;
    },
  };
}
