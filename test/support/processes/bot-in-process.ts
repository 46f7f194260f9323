import { inject, onTestFinished } from 'vitest';
import { startApp, type RunningApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/base/settings/config.ts';
import { createLogger } from '../../../src/base/log.ts';
import type { MovableClock } from '../../../src/sandbox/clock.ts';
import { openStore } from '../../../src/store/database.ts';
import { createBotLog } from './bot-log.ts';
import type { Bot } from './bot-processes.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** How the bots of crash tests die: in processes of their own, by SIGKILL, or held where they stand in that of the test. */
    crashes: 'of processes' | 'in process' | undefined;
  }
}

export const areBotsInProcess = () => inject('crashes') === 'in process';

/**
 * Starts a bot in the process of the test, which is as good as dead once it comes to the point where it is told to die: that
 * call does not return, its store is closed under it, and Slack reaches it no more. So nothing that it still does can be seen by
 * the next bot, on SQLite.
 */
export async function startBotInProcess(environment: Record<string, string>, clock: MovableClock): Promise<Bot> {
  const settings = readConfig(environment);
  if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
  const { config, secrets } = settings;
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const settled: Bot['settled'] = [];
  const botLog = createBotLog();
  let dieAt = '';
  let closeStore = () => Promise.resolve();
  let app: RunningApp | undefined;
  const { promise: held, reject: letGo } = Promise.withResolvers<void>();
  onTestFinished(() => letGo(new Error('The test is over')));
  held.catch(() => {});
  const die = async () => {
    dieAt = '';
    await closeStore();
    // It does not come to its end, because what is held here never does; its connection to Slack is what it closes first.
    void app?.stop();
    end('died');
    return held;
  };
  app = await startApp({
    config,
    secrets,
    clock,
    storeTime: () => clock.now(),
    log: createLogger(config.logLevel, Object.values(secrets), botLog.add),
    onFatal: (reason) => end(reason),
    openStore: async (...args) => {
      const store = await openStore(...args);
      if (store.engine !== 'sqlite') throw new Error('Only SQLite can be closed in the middle of a transaction');
      closeStore = () => store.close();
      return store;
    },
    checkpoint: (name) => (name === dieAt ? die() : undefined),
    onSettled: ({ key }, { state }) => void settled.push({ key, state }),
  });
  const running = app;
  return {
    port: running.port,
    settled,
    ended,
    untilLogged: botLog.untilLogged,
    // It has the clock of the test, which was moved.
    moveTo: () => {},
    dieAt: (name) => (dieAt = name),
    liveOn: () => (dieAt = ''),
    logged: botLog.logged,
    stop: async () => {
      await running.stop();
      end('0');
    },
  };
}
