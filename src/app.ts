import { randomUUID } from 'node:crypto';
import { watchChanges } from './analytics/change-watch.ts';
import { readTimeline } from './app/timeline.ts';
import { createAnalyticsDays, type AnalyticsDays } from './analytics/days.ts';
import type { AppSettings, RunningApp } from './app/settings.ts';
import { checksOf } from './app/checks.ts';
import { createControlsFeature } from './controls/index.ts';
import { createDigestsFeature } from './digests/index.ts';
import type { Feature } from './feature.ts';
import { createComputersFeature } from './computers/index.ts';
import { createGuards } from './app/guards.ts';
import { startOwnServers } from './http/own-servers.ts';
import { createLimitsFeature } from './limits/index.ts';
import type { Logger } from './log.ts';
import { createMetrics } from './app/metrics.ts';
import { createObservedOutbox } from './app/observed-outbox.ts';
import { createObservedPlatform } from './app/observed-platform.ts';
import type { Outbox } from './outbox/worker.ts';
import type { PlatformClient } from './platform/client.ts';
import { createReadinessFeature } from './readiness/index.ts';
import { createSessionsFeature } from './sessions/index.ts';
import { createTicker } from './app/ticker.ts';
import { createChannels, type Channels } from './slack/outbound/channels.ts';
import { createChartSupport } from './slack/outbound/chart-support.ts';
import { createSlackClients, type SlackClients } from './slack/connection/clients.ts';
import { createSlackConnection } from './slack/connection/connection.ts';
import { createFiles } from './slack/outbound/files.ts';
import { createHome } from './slack/inbound/home.ts';
import { readIdentity, type BotIdentity } from './slack/connection/identity.ts';
import { createPendingInteractions } from './slack/inbound/pending-interactions.ts';
import { createModals } from './slack/inbound/modals.ts';
import { createPeople, type People } from './slack/people/people.ts';
import { createResponsePoster } from './slack/outbound/response-url.ts';
import { createRouter } from './slack/inbound/router.ts';
import { openStore } from './store/database.ts';
import { type Store } from './store/store.ts';
import type { Silence } from './store/silence.ts';
import { createUsageFeature } from './usage/index.ts';

export type { AppSettings, RunningApp } from './app/settings.ts';

/** The one list of features. */
function createFeatures(deps: {
  settings: AppSettings;
  store: Store;
  platform: PlatformClient;
  clients: SlackClients;
  identity: BotIdentity;
  days: AnalyticsDays;
  wakeOutbox: () => void;
  readSilence: () => Promise<Silence | undefined>;
}): { features: Feature[]; people: People; channels: Channels } {
  const { config, clock, log } = deps.settings;
  const { db } = deps.store;
  const { lookups } = deps.clients;
  const channels = createChannels({ lookups, clock, allowShared: config.allowSharedChannels });
  const people = createPeople({
    lookups,
    clock,
    log,
    teamId: deps.identity.teamId,
    admins: config.admins,
    managers: config.managers,
  });
  const features: Feature[] = [
    createUsageFeature({
      days: deps.days,
      people,
      files: createFiles(deps.clients),
      channels,
      db,
      clock,
      log,
      timeline: (period) => readTimeline(features, period, log),
    }),
    createReadinessFeature({
      platform: deps.platform,
      clock,
      files: createFiles(deps.clients),
      log,
      db,
      channels,
      people,
      wakeOutbox: deps.wakeOutbox,
    }),
    createSessionsFeature({
      platform: deps.platform,
      db,
      files: createFiles(deps.clients),
      clock,
      role: config.sessionsRole,
    }),
    createControlsFeature({
      config,
      db,
      platform: deps.platform,
      clock,
      channels,
      people,
      files: createFiles(deps.clients),
      log,
      random: Math.random,
      replica: randomUUID(),
      wakeOutbox: deps.wakeOutbox,
      observe: (step) => deps.settings.observeControls?.(step),
    }),
    createLimitsFeature({
      config,
      db,
      platform: deps.platform,
      days: deps.days,
      people,
      files: createFiles(deps.clients),
      clock,
      log,
      random: Math.random,
      enterChannel: (reference) => channels.enter(reference),
      readSilence: deps.readSilence,
      wakeOutbox: deps.wakeOutbox,
      observe: deps.settings.observeLimits,
    }),
    createComputersFeature({
      config,
      computers: deps.platform.computers,
      db,
      clock,
      channels,
      log,
      wakeOutbox: deps.wakeOutbox,
      observe: (step) => deps.settings.observeCreation?.(step),
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
      hasChanged: watchChanges(deps.days, clock),
      wakeOutbox: deps.wakeOutbox,
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
  const { config, secrets, clock, log, onFatal } = settings;
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
    const metrics = createMetrics(store.db, () => router.counts());
    const clients = createSlackClients(secrets.slackBotToken, config.slackApiUrl, log);
    const identity = await readIdentity(clients.lookups);
    const platform = createObservedPlatform(settings, metrics);
    started.push(() => platform.close());
    const days = createAnalyticsDays({ platform, db: store.db, clock, log });
    // The features are part of what the outbox is made of, so they come first.
    const wakeOutbox = () => outbox?.poke();
    const readSilence = () => guards.readSilence();
    const made = createFeatures({ settings, store, platform, clients, identity, days, wakeOutbox, readSilence });
    const { features, people } = made;
    const charts = createChartSupport(clock);
    const pending = createPendingInteractions({ db: store.db, clock, log, isAlone: store.engine === 'sqlite' });
    const router = createRouter({
      features,
      pending,
      people,
      ...surfacesOf({ features, people, clients, log }),
      postToResponseUrl: createResponsePoster(clients.hosts),
      charts,
      db: store.db,
      clock,
      log,
      observe: (event) => metrics.interaction(event),
    });
    const guards = createGuards({ store, people, clients, log, onFatal });
    const onTurn = guards.turnsOf('outbox');
    outbox = createObservedOutbox({ ...made, settings, store, clients, identity, metrics, charts, onTurn });
    const connection = createSlackConnection({ config, secrets, identity, log, onFatal });
    router.attach(connection.app);
    const servers = await startOwnServers({
      config,
      checks: checksOf({ guards, connection, platform, clock }),
      metrics,
      slackRoute: connection.route,
      log,
    });
    started.push(() => servers.close());
    guards.start();
    started.push(() => guards.stop());
    const ticker = createTicker({
      db: store.db,
      clock,
      log,
      features,
      jobs: router.jobs,
      onPlanned: wakeOutbox,
      onTurn: guards.turnsOf('ticker'),
    });
    outbox.start();
    started.push(() => outbox?.stop() ?? Promise.resolve());
    ticker.start();
    started.push(() => ticker.stop());
    for (const service of features.flatMap((feature) => feature.services ?? [])) {
      service.start();
      started.push(() => service.stop());
    }
    pending.start();
    started.push(() => Promise.resolve(pending.stop()));
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

function surfacesOf(deps: { features: readonly Feature[]; people: People; clients: SlackClients; log: Logger }) {
  const { interactive } = deps.clients;
  return { modals: createModals(interactive, deps.log), home: createHome({ ...deps, interactive }) };
}
