import type { Logger } from '../core/base/log.ts';
import { notifyAdmins } from '../core/slack/outbound/admin-notice.ts';
import type { SlackClients } from '../core/slack/client/clients.ts';
import type { People } from '../core/slack/people/people.ts';
import { markup } from '../core/base/text/markup.ts';
import type { ErasedPeople } from '../core/store/erased-people.ts';
import type { Store } from '../core/store/store.ts';
import { readDataGap, type DataGap } from '../core/store/data-gap.ts';
import { createStoreMonitor, type StoreMonitor } from '../core/store/health/store-monitor.ts';
import { createWatchdog, type Loop, type Turn, type Watchdog } from './watchdog.ts';

export interface Guards {
  monitor: StoreMonitor;
  watchdog: Watchdog;
  turnsOf(loop: Loop): (turn: Turn) => void;
  /** Checks whether the store is still the same one, and returns the period whose writes it may lack. */
  readDataGap(): Promise<DataGap | undefined>;
  start(): void;
  stop(): Promise<void>;
}

/** @param onFatal called when only a restart of the process can help */
export function createGuards(deps: {
  store: Store;
  /** Unique to each start. */
  process: string;
  erased: ErasedPeople;
  people: People;
  clients: SlackClients;
  log: Logger;
  onFatal: (reason: string) => void;
}): Guards {
  const { store, people, log, onFatal } = deps;
  const monitor = createStoreMonitor({
    store,
    process: deps.process,
    readErasures: () => deps.erased.refresh(),
    log,
    onFatal,
    onFull: (sentence) => {
      log.error(sentence);
      const text = markup`${sentence} Until then Quartermaster can note nothing, so it posts nothing.`;
      void notifyAdmins({ people, posting: deps.clients.posting, log }, text);
    },
  });
  const watchdog = createWatchdog({ nowMs: () => performance.now(), onFatal });
  return {
    monitor,
    watchdog,
    turnsOf: (loop) => (turn) => watchdog.recordTurn(loop, turn),
    readDataGap: async () => {
      await monitor.check();
      return readDataGap(store.db);
    },
    start: () => {
      for (const warning of store.warnings) log.warn(warning);
      monitor.start();
      watchdog.start();
    },
    stop: async () => {
      watchdog.stop();
      await monitor.stop();
    },
  };
}
