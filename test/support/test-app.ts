import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { startApp, type RunningApp } from '../../src/app/app.ts';
import { noCheckpoint, type Checkpoint } from '../../src/core/base/checkpoint.ts';
import { readConfig } from '../../src/core/base/settings/config.ts';
import { createLogger } from '../../src/core/base/log.ts';
import { createMovableClock, type MovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { readInstalledApp } from '../../src/sandbox/demo/installed-app.ts';
import { startPlatform, type PlatformSettings, type SimulatedPlatform } from '../../src/sandbox/platform/platform.ts';
import { startSlack, type SandboxSlack, type SlackOptions } from '../../src/sandbox/slack/index.ts';
import type { Engine } from '../../src/core/store/store.ts';
import { whileTimePasses } from './scene-clock.ts';
import { createDatabase, createEmptyDatabase, usualEngine } from './stores/databases.ts';

/** Read once: it is the same for every test. */
const INSTALLED_APP = readInstalledApp();

declare module 'vitest' {
  export interface ProvidedContext {
    isTimeStill: boolean | undefined;
  }
}

/** A Monday morning, long after the first day with figures. */
const MONDAY = new Date('2026-03-02T07:00:00Z');

export interface TestAppOptions {
  at?: Date;
  engine?: Engine;
  transport?: 'socket' | 'http';
  platform?: Partial<PlatformSettings>;
  slack?: Partial<SlackOptions>;
  /** More settings, as an operator would set them. */
  settings?: Record<string, string>;
  checkpoint?: Checkpoint;
  /** Sets the scene before the bot starts. */
  prepare?: (slack: SandboxSlack) => unknown;
  /** The store is empty, so that the admins are welcomed. */
  isFirstStart?: true;
}

/** The real app on the sandbox's Slack and platform, with a clock that a test moves. */
export interface TestApp {
  slack: SandboxSlack;
  platform: SimulatedPlatform;
  clock: MovableClock;
  app: RunningApp;
  databaseUrl: string;
  /** Every line of the log so far. */
  log: Record<string, unknown>[];
  /** The reasons of the app for a fatal error. */
  fatalReasons: string[];
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** Starts everything; `close` ends it. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  // Where it is still, time passes only when a test moves it, so that no patience of the bot ends because the machine is
  // slow. Tests of loads and outages need the time of the machine.
  const isTimeStill = inject('isTimeStill') ?? false;
  const clock = createMovableClock(options.at ?? MONDAY, { frozen: isTimeStill });
  const transport = options.transport ?? 'socket';
  const slack = await startSlack({ clock, transport, ...options.slack });
  await slack.control.configure(INSTALLED_APP);
  await options.prepare?.(slack);
  // Each start reads the history of the controls, which matters only to tests of the controls.
  const platform = await startPlatform({ clock, people: 25, oldestRevision: 10, ...options.platform });
  const database = await (options.isFirstStart ? createEmptyDatabase : createDatabase)(options.engine ?? usualEngine());
  // The file in the working directory would erase the same people in all other tests.
  const erasuresFile = join(tmpdir(), `erasures-${randomUUID()}.ndjson`);
  const environment = {
    ...environmentOf(slack, platform, transport),
    DATABASE_URL: database.url,
    ERASURES_FILE: erasuresFile,
    ERASURE_PROOFS_FILE: `${erasuresFile}.key`,
    ...options.settings,
  };
  const settings = readConfig(environment);
  if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
  const { config, secrets } = settings;
  const lines: Record<string, unknown>[] = [];
  const fatalReasons: string[] = [];
  const log = createLogger('debug', Object.values(secrets), (line) => void lines.push(JSON.parse(line)));
  const onFatal = (reason: string) => void fatalReasons.push(reason);
  const { checkpoint = noCheckpoint } = options;
  const app = await startApp({ config, secrets, clock, storeTime: () => clock.now(), log, onFatal, checkpoint });
  if (transport === 'http') slack.setEventsUrl(`http://127.0.0.1:${app.port}/slack/events`);
  // On a slow machine, the first run of the jobs would see what a test does next.
  if (isTimeStill) await whileTimePasses({ clock }, clock.whenTicked());
  return {
    slack,
    platform,
    clock,
    app,
    databaseUrl: database.url,
    log: lines,
    fatalReasons,
    environment,
    close: async () => {
      await app.stop();
      await slack.close();
      await platform.close();
      clock.dispose();
      await database.drop();
      await rm(erasuresFile, { force: true });
      await rm(`${erasuresFile}.key`, { force: true });
      const broken = lines.filter((line) => line['violations'] !== undefined);
      if (broken.length > 0) throw new Error(`A message broke Slack’s rules: ${JSON.stringify(broken)}`);
    },
  };
}

/** Starts a second bot on the same Slack, platform and store. With SQLite the two would wait for each other. */
export async function startReplica({ environment, clock, log: lines, fatalReasons }: TestApp): Promise<RunningApp> {
  const settings = readConfig(environment);
  if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
  const { config, secrets } = settings;
  const log = createLogger('debug', Object.values(secrets), (line) => void lines.push(JSON.parse(line)));
  return startApp({
    config,
    secrets,
    clock,
    storeTime: () => clock.now(),
    log,
    onFatal: (reason) => void fatalReasons.push(reason),
  });
}

/** The settings that connect the bot to a sandbox. */
export function environmentOf(
  slack: SandboxSlack,
  platform: SimulatedPlatform,
  transport: 'socket' | 'http',
): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    ...(transport === 'socket' ? { SLACK_APP_TOKEN: slack.appToken } : { SLACK_SIGNING_SECRET: slack.signingSecret }),
    SLACK_API_URL: slack.apiUrl,
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_APP_URL: platform.appUrl,
    PLATFORM_API_KEY: platform.apiKeys.manager,
    PORT: '0',
    METRICS_PORT: '0',
    SESSIONS_ROLE: 'admin',
    MANAGERS: 'morgan.manager@acme.example',
  };
}

/** Whether limits are shown and members listed. */
const CAPABILITY = /\/organization\/(?:usage\/limits\/)?users$/;

/** The requests to the platform caused by users: the history of the controls, and what the platform can do, are asked all the time. */
export function asked({ requests }: Pick<SimulatedPlatform, 'requests'>): SimulatedPlatform['requests'] {
  return requests.filter(
    ({ method, path }) => !path.includes('enterprise-controls/history') && !(method === 'GET' && CAPABILITY.test(path)),
  );
}
