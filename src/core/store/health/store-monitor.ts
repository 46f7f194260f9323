import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../base/log.ts';
import type { Store } from '../store.ts';
import { beat, recordStop, type BeatState, type StoreHealth } from './heartbeat.ts';

export interface StoreMonitor {
  start(): void;
  stop(): Promise<void>;
  check(): Promise<string | undefined>;
}

/** A deleted file is noticed within a minute, even without requests for `/readyz`. */
const BEAT_EVERY_MS = 15_000;
const STOP_WITHIN_MS = 2_000;

/**
 * Beats in real time: disks and files know no other.
 *
 * @param onFatal called if the store is no longer the one that was opened
 * @param onFull called once when the disk is full, and again only if it was in order in between
 */
export function createStoreMonitor(deps: {
  store: Store;
  /** Unique to each start. */
  process: string;
  /** Runs at each beat. @returns the number of erasures */
  readErasures: () => Promise<number>;
  log: Logger;
  onFatal: (reason: string) => void;
  onFull: (sentence: string) => void;
}): StoreMonitor {
  const ownState: BeatState = { process: deps.process };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<StoreHealth> | undefined;
  let isFullKnown = false;
  let isSharingKnown = false;

  const act = (health: StoreHealth) => {
    if (health.kind === 'gone') deps.onFatal(health.sentence);
    if (health.kind === 'unwell' && health.isFull && !isFullKnown) {
      isFullKnown = true;
      deps.onFull(health.sentence);
    }
    if (health.kind !== 'well') return;
    isFullKnown = false;
    if (health.isShared && !isSharingKnown && deps.store.engine === 'sqlite') {
      isSharingKnown = true;
      deps.log.warn(
        `Another process uses ${deps.store.location} too: stop one of the two, or use Postgres for two processes side by side.`,
      );
    }
  };
  // Callers during a running beat share its answer.
  const beatOnce = () => {
    running ??= beat(deps.store, ownState, deps.readErasures)
      .then((health) => {
        act(health);
        return health;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const beatAndForget = () => {
    beatOnce().catch((error: unknown) => deps.log.error({ err: error }, 'Checking the store failed'));
  };
  return {
    start: () => {
      timer = setInterval(beatAndForget, BEAT_EVERY_MS);
      timer.unref();
      beatAndForget();
    },
    stop: async () => {
      clearInterval(timer);
      const recorded = Promise.resolve(running).then(() => recordStop(deps.store.db, ownState.process));
      // A store that does not answer must not keep the program from ending.
      await Promise.race([recorded, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
    },
    check: async () => {
      const health = await beatOnce();
      return health.kind === 'well' ? undefined : health.sentence;
    },
  };
}
