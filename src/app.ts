import { randomUUID } from 'node:crypto';
import { watchChanges } from './analytics/change-watch.ts';
import { readHappenings } from './analytics/happenings.ts';
import { createAnalyticsDays, type AnalyticsDays } from './analytics/days.ts';
import { checksOf } from './checks.ts';
import type { Config, Secrets } from './config.ts';
import { createControlsFeature } from './controls/index.ts';
import type { PollStep } from './controls/parts.ts';
import { createDigestsFeature } from './digests/index.ts';
import type { Feature } from './feature.ts';
import { createComputersFeature } from './computers/index.ts';
import type { CreationStep } from './computers/parts.ts';
import { startOwnServers } from './http/own-servers.ts';
import { createLimitsFeature } from './limits/index.ts';
import type { LimitStep } from './limits/parts.ts';
import type { Logger } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createObservedOutbox } from './observed-outbox.ts';
import type { Outbox, OutboxParts } from './outbox/worker.ts';
import { createPlatformClient, type PlatformClient } from './platform/client.ts';
import type { Clock } from './schedule/clock.ts';
import { createReadinessFeature } from './readiness/index.ts';
import { createSessionsFeature } from './sessions/index.ts';
import { createTicker } from './schedule/ticker.ts';
import { createChannels, type Channels } from './slack/channels.ts';
import { createChartSupport } from './slack/chart-support.ts';
import { createSlackClients, type SlackClients } from './slack/clients.ts';
import { createSlackConnection } from './slack/connection.ts';
import { createFiles } from './slack/files.ts';
import { createHome } from './slack/home.ts';
import { readIdentity, type BotIdentity } from './slack/identity.ts';
import { createModals } from './slack/modals.ts';
import { createPeople, type People } from './slack/people.ts';
import { createResponsePoster } from './slack/response-url.ts';
import { createRouter } from './slack/router.ts';
import { openStore, type Store } from './store/database.ts';
import { createUsageFeature } from './usage/index.ts';

export interface AppSettings {
  config: Config;
  secrets: Secrets;
  clock: Clock;
  /** What leases and due times follow in place of the store's own time: for a clock that is moved. */
  storeTime?: () => Date;
  /** How long the outbox waits for things; tests hand in shorter ones. */
  outboxTimes?: OutboxParts['times'];
  log: Logger;
  /** Slack cannot reach the process any more and that does not mend itself. */
  onDeaf: (reason: string) => void;
  /** Told of each step of each delivery; the crash tests end the process there. */
  observeOutbox?: OutboxParts['observe'];
  /** Likewise of each step of the creation of a computer. */
  observeCreation?: (step: CreationStep) => void;
  /** Told of each step of reading the history of the controls; likewise. */
  observeControls?: (step: PollStep) => void;
  /** Told of each step between a decision about limits and its card; likewise. */
  observeLimits?: (step: LimitStep) => void;
}

export interface RunningApp {
  /** Where `/healthz`, `/readyz` and Slack's requests are answered. */
  port: number;
  /** Where `/metrics` is answered. */
  metricsPort: number;
  /** Finishes what is running, then closes everything. */
  stop(): Promise<void>;
}

/** The one list of features. */
function createFeatures(parts: {
  settings: AppSettings;
  store: Store;
  platform: PlatformClient;
  clients: SlackClients;
  identity: BotIdentity;
  days: AnalyticsDays;
  wakeOutbox: () => void;
}): { features: Feature[]; people: People; channels: Channels } {
  const { config, clock, log } = parts.settings;
  const { db } = parts.store;
  const { lookups } = parts.clients;
  const channels = createChannels({ lookups, clock, allowShared: config.allowSharedChannels });
  const people = createPeople({
    lookups,
    clock,
    log,
    teamId: parts.identity.teamId,
    admins: config.admins,
    managers: config.managers,
  });
  const features: Feature[] = [
    createUsageFeature({
      days: parts.days,
      people,
      files: createFiles(parts.clients),
      channels,
      db,
      clock,
      log,
      happenings: (period) => readHappenings(features, period, log),
    }),
    createReadinessFeature({
      platform: parts.platform,
      clock,
      files: createFiles(parts.clients),
      log,
      db,
      channels,
      wakeOutbox: parts.wakeOutbox,
    }),
    createSessionsFeature({
      platform: parts.platform,
      db,
      files: createFiles(parts.clients),
      clock,
      role: config.sessionsRole,
    }),
    createControlsFeature({
      config,
      db,
      platform: parts.platform,
      clock,
      channels,
      people,
      files: createFiles(parts.clients),
      log,
      random: Math.random,
      replica: randomUUID(),
      wakeOutbox: parts.wakeOutbox,
      observe: (step) => parts.settings.observeControls?.(step),
    }),
    createLimitsFeature({
      config,
      db,
      platform: parts.platform,
      days: parts.days,
      people,
      files: createFiles(parts.clients),
      clock,
      log,
      random: Math.random,
      enterChannel: (reference) => channels.enter(reference),
      wakeOutbox: parts.wakeOutbox,
      observe: parts.settings.observeLimits,
    }),
    createComputersFeature({
      config,
      computers: parts.platform.computers,
      db,
      clock,
      channels,
      log,
      wakeOutbox: parts.wakeOutbox,
      observe: (step) => parts.settings.observeCreation?.(step),
    }),
    createDigestsFeature({
      config,
      db,
      clock,
      channels,
      people,
      log,
      random: Math.random,
      sections: () => features.flatMap((feature) => feature.digestSections ?? []),
      hasChanged: watchChanges(parts.days, clock),
      wakeOutbox: parts.wakeOutbox,
    }),
  ];
  return { features, people, channels };
}

/**
 * Puts the parts together and starts them.
 *
 * @throws StoreError, SlackStartError or PortError, each with one sentence for the operator
 */
export async function startApp(settings: AppSettings): Promise<RunningApp> {
  const { config, secrets, clock, log } = settings;
  const onStoreFault = (error: Error) => {
    outbox?.noteStoreFault();
    log.warn({ err: error }, 'A connection to Postgres broke');
  };
  let outbox: Outbox | undefined;
  const store = await openStore(secrets.databaseUrl, onStoreFault, settings.storeTime);
  const started: (() => Promise<void>)[] = [() => store.close()];
  const stopAll = async () => {
    for (const stop of started.toReversed()) {
      await stop().catch((error: unknown) => log.error({ err: error }, 'A part did not stop cleanly'));
    }
  };
  try {
    const metrics = createMetrics(store.db);
    const clients = createSlackClients(secrets.slackBotToken, config.slackApiUrl, log);
    const identity = await readIdentity(clients.lookups);
    const platform = createObservedPlatform(settings, metrics);
    started.push(() => platform.close());
    const days = createAnalyticsDays({ platform, db: store.db, clock, log });
    // The features are part of what the outbox is made of, so they come first.
    const wakeOutbox = () => outbox?.poke();
    const made = createFeatures({ settings, store, platform, clients, identity, days, wakeOutbox });
    const { features, people, channels } = made;
    const charts = createChartSupport(clock);
    const router = createRouter({
      features,
      people,
      ...surfacesOf({ features, people, clients, log }),
      postToResponseUrl: createResponsePoster(clients.hosts),
      charts,
      db: store.db,
      clock,
      log,
      observe: (event) => metrics.interaction(event),
    });
    outbox = createObservedOutbox({ settings, store, clients, identity, features, metrics, charts, channels });
    const connection = createSlackConnection({ config, secrets, identity, log, onDeaf: settings.onDeaf });
    router.attach(connection.app);
    const servers = await startOwnServers({
      config,
      checks: checksOf({ store, connection, platform, clock }),
      metrics,
      slackRoute: connection.route,
      log,
    });
    started.push(() => servers.close());
    const ticker = createTicker({ db: store.db, clock, log, features, onPlanned: wakeOutbox });
    outbox.start();
    started.push(() => outbox?.stop() ?? Promise.resolve());
    ticker.start();
    started.push(() => ticker.stop());
    for (const service of features.flatMap((feature) => feature.services ?? [])) {
      service.start();
      started.push(() => service.stop());
    }
    started.push(() => router.drain());
    started.push(async () => {
      for (const feature of features) await feature.stop?.();
    });
    // Last, so that nothing is delivered before everything is there to answer it; first to be stopped.
    started.push(() => connection.stop());
    await connection.start();
    const { port, metricsPort } = servers;
    log.info({ port, metricsPort, transport: config.slackTransport, engine: store.engine }, 'Quartermaster is running');
    return { port, metricsPort, stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function surfacesOf(parts: { features: readonly Feature[]; people: People; clients: SlackClients; log: Logger }) {
  const { interactive } = parts.clients;
  return { modals: createModals(interactive, parts.log), home: createHome({ ...parts, interactive }) };
}

function createObservedPlatform({ config, secrets, clock, log }: AppSettings, metrics: Metrics): PlatformClient {
  return createPlatformClient({
    baseUrl: config.platformBaseUrl,
    appUrl: config.platformAppUrl,
    apiKey: secrets.platformApiKey,
    clock,
    observe: (event) => {
      const outcome = String(event.status ?? event.code ?? 'unknown');
      metrics.platformRequest({ path: event.path, outcome, durationMs: event.durationMs });
      log.debug({ ...event }, 'A request to the platform');
    },
  });
}
