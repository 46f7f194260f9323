import type { Feature } from '../feature.ts';
import type { Job } from '../schedule/job.ts';
import type { Logger } from '../base/log.ts';
import { forgetOldEvents } from '../slack/inbound/seen-events.ts';
import type { Database } from '../store/tables.ts';
import { isStoreFault } from '../store/engines/store-fault.ts';
import type { Clock } from '../base/time/clock.ts';
import type { JobRun } from '../status/view.ts';
import { planDueSubscriptions } from '../schedule/due-subscriptions.ts';

export interface Ticker {
  start(): void;
  /** When each job ran last; nothing of one that has not run yet. */
  runs(): readonly JobRun[];
  /** Finishes the tick that is running. */
  stop(): Promise<void>;
}

/** What a fault of the store kept from being planned is planned as soon as the store is back. */
const STORE_FAULT_PAUSE_MS = 5_000;

/**
 * Every minute: plans what is due and runs the features' jobs. What one of them throws costs that one thing; a tick that
 * takes longer than a minute is followed by the next one, never run beside it.
 */
export function createTicker(deps: {
  db: Database;
  clock: Clock;
  log: Logger;
  features: readonly Feature[];
  /** Besides the features' own. */
  jobs?: readonly Job[];
  /** Called when a tick begins and ends, and between its jobs. */
  onTurn?: ((turn: 'began' | 'ended') => void) | undefined;
}): Ticker {
  const { db, clock, log, features } = deps;
  const kinds = Object.assign({}, ...features.map((feature) => feature.subscriptionKinds ?? {}));
  const jobs = [
    { name: 'plan-due-subscriptions', run: () => planDueSubscriptions({ db, clock, kinds, log }) },
    ...(deps.jobs ?? []),
    ...features.flatMap((feature) => feature.jobs ?? []),
    { name: 'forget-old-events', run: () => forgetOldEvents(db, clock.now()) },
  ];
  const runs = new Map<string, JobRun>();
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let stopTicking: (() => void) | undefined;
  const stopping = new AbortController();

  const tickSoon = () => {
    clock.sleep(STORE_FAULT_PAUSE_MS, stopping.signal).then(tick, () => undefined);
  };
  const runJobs = async () => {
    let isStoreAway = false;
    for (const job of jobs) {
      deps.onTurn?.('began');
      let hasFailed = false;
      await job.run().catch((error: unknown) => {
        hasFailed = true;
        isStoreAway ||= isStoreFault(error);
        log.error({ err: error, job: job.name }, 'A job failed; it runs again in a minute');
      });
      runs.set(job.name, { name: job.name, at: clock.now(), hasFailed });
    }
    if (isStoreAway) tickSoon();
  };
  const tick = () => {
    if (running) {
      isAskedAgain = true;
      return;
    }
    running = runJobs().finally(() => {
      deps.onTurn?.('ended');
      running = undefined;
      if (!isAskedAgain) return;
      isAskedAgain = false;
      tick();
    });
  };

  return {
    start: () => {
      stopTicking = clock.everyMinute(tick);
      tick();
    },
    runs: () => [...runs.values()],
    stop: async () => {
      stopTicking?.();
      stopping.abort();
      isAskedAgain = false;
      await running;
    },
  };
}
