import type { Period } from './base/time/calendar.ts';
import { watchChanges } from './analytics/change-watch.ts';
import type { AskDeps } from './ask/ask-deps.ts';
import { createAskFeature } from './ask/index.ts';
import { readTimeline } from './app/timeline.ts';
import type { AppSettings, RunningApp } from './app/settings.ts';
import { checksOf, readHealth } from './app/checks.ts';
import { createControlsFeature } from './controls/index.ts';
import { createDisclosureRecord } from './disclosure/disclosure-log.ts';
import { createDoor } from './disclosure/door.ts';
import { createDigestsFeature } from './digests/index.ts';
import { createErasureFeature } from './erasure/index.ts';
import type { ErasureServices } from './erasure/carry-out.ts';
import { takeOverListed } from './erasure/core/erasures.ts';
import { createEraseExports } from './exports/erase.ts';
import { createExportsFeature } from './exports/index.ts';
import type { Feature } from './feature.ts';
import { createComputersFeature } from './computers/index.ts';
import { storeFirstPrice } from './figures/money/price-store.ts';
import { createGuards } from './app/guards.ts';
import { startOwnServers } from './http/own-servers.ts';
import { createLimitsFeature } from './limits/index.ts';
import { createMetrics } from './app/metrics.ts';
import { createObservedOutbox } from './app/observed-outbox.ts';
import { createObservedPlatform } from './app/observed-platform.ts';
import { hasWork } from './outbox/attempts/claim.ts';
import type { DeliveryKind } from './outbox/attempts/delivery-outcomes.ts';
import { readOfferedTeams } from './figures/groups/chosen-teams.ts';
import { dispatchAll } from './outbox/dispatch.ts';
import type { Outbox } from './outbox/attempts/worker.ts';
import { createReadinessFeature } from './readiness/index.ts';
import { createRetentionFeature, type RetentionDeps } from './retention/index.ts';
import type { Services } from './services.ts';
import { createServices } from './app/services.ts';
import { STORED_TABLES } from './app/stored-tables.ts';
import { createSessionsFeature } from './sessions/index.ts';
import { createStatusFeature, type StatusDeps } from './status/index.ts';
import { createSubscriptionsFeature } from './app/subscriptions.ts';
import { createTicker, type Ticker } from './app/ticker.ts';
import { createChartSupport } from './slack/outbound/chart-support.ts';
import { createSlackClients } from './slack/connection/clients.ts';
import { createSlackConnection, slackSignature } from './slack/connection/connection.ts';
import { createHome } from './slack/inbound/home.ts';
import { readIdentity } from './slack/connection/identity.ts';
import { createPendingInteractions } from './slack/inbound/pending/pending-interactions.ts';
import { createModals } from './slack/inbound/modals.ts';
import { createResponsePoster } from './slack/outbound/response-url.ts';
import { createWorkspaceNames } from './slack/outbound/workspace-names.ts';
import { createRouter } from './slack/inbound/router.ts';
import { fillAboutJob } from './outbox/fill-about.ts';
import { openStore } from './store/database.ts';
import { requireTeam } from './store/identity.ts';
import { withoutErased } from './slack/outbound/without-erased.ts';
import { createErasedPeople } from './store/erased-people.ts';
import { alertSubcommands, createAlertsFeature } from './alerts/index.ts';
import { readWarnButton } from './alerts/heads-ups/heads-up-form.ts';
import { createUsageFeature } from './usage/index.ts';

export type { AppSettings, RunningApp } from './app/settings.ts';

export function createFeatures(
  services: Services,
  operating: Pick<StatusDeps, 'keyEvidence' | 'readHealth' | 'jobRuns'> & Pick<RetentionDeps, 'onRemoved'>,
  slack: Pick<ErasureServices, 'lookups' | 'posting' | 'botUserId'>,
  asking: Pick<AskDeps, 'ask' | 'inWorkspaceNames' | 'teamId' | 'signature'>,
): Feature[] {
  const usage = {
    ...services,
    timeline: (period: Period) => readTimeline(features, period, services.log),
    limits: () => features.find(({ limits }) => limits)?.limits,
  };
  const features: Feature[] = [
    createUsageFeature(usage, {
      subcommands: alertSubcommands(usage),
      readWarnButton: (person, isCounted) => readWarnButton(usage, person, isCounted),
    }),
    createAlertsFeature(usage),
    createReadinessFeature(services),
    createSessionsFeature(services),
    createControlsFeature(services),
    createLimitsFeature({
      ...services,
      readOwnLimitLine: async (person, log) =>
        features.find(({ ownLimitLine }) => ownLimitLine)?.ownLimitLine?.(person, log),
    }),
    createComputersFeature(services),
    createDigestsFeature({
      ...services,
      sections: () => features.flatMap((feature) => feature.digestSections ?? []),
      hasChanged: watchChanges(services.days, services.clock),
    }),
    createSubscriptionsFeature(services, () => features),
    createExportsFeature(services),
    createErasureFeature({
      ...services,
      ...slack,
      tables: STORED_TABLES,
      eraseElsewhere: createEraseExports(services.config.exports, services.db),
    }),
    createRetentionFeature({
      ...services,
      ...operating,
      tables: STORED_TABLES,
      deliveryKinds: () => kindsOf(services, features),
    }),
    createAskFeature({ ...services, ...asking, commands: () => features.flatMap(({ commands }) => commands ?? []) }),
    createStatusFeature({
      ...services,
      ...operating,
      features: () => features,
    }),
  ];
  return features;
}

function kindsOf(services: Services, features: readonly Feature[]): Record<string, DeliveryKind> {
  const handlers = features.flatMap(({ messages }) => messages ?? []);
  return dispatchAll({ ...services, door: createDoor(services) }, handlers);
}

/** @throws StoreError, SlackStartError or PortError, each with one sentence for the operator */
export async function startApp(settings: AppSettings): Promise<RunningApp> {
  const { config, secrets, clock, log, onFatal } = settings;
  const onStoreFault = (error: Error) => {
    outbox?.recordStoreFault();
    log.warn({ err: error }, 'Lost a connection to Postgres');
  };
  let outbox: Outbox | undefined;
  const store = await (settings.openStore ?? openStore)(secrets.databaseUrl, onStoreFault, settings.storeTime);
  // Stopped in reverse order, also if the start fails.
  await using parts = new AsyncDisposableStack();
  const onStop = (stop: () => Promise<void> | void) =>
    parts.defer(async () => {
      try {
        await stop();
      } catch (error) {
        log.error({ err: error }, 'Stopping a part failed');
      }
    });
  onStop(() => store.close());
  const metrics = createMetrics(store.db, () => router.counts());
  const erased = createErasedPeople(store.db);
  const inWorkspaceNames = withoutErased(createWorkspaceNames(config.commandPrefix), () => erased.recent());
  const clients = createSlackClients(secrets.slackBotToken, config.slackApiUrl, log, inWorkspaceNames);
  const identity = await readIdentity(clients.lookups);
  await requireTeam(store, identity.teamId);
  await takeOverListed(store.db, config.erasuresFile, clock.now());
  await erased.refresh();
  await storeFirstPrice(store.db, config.creditPrice, clock.now());
  const onRecovered = () => {
    Promise.all(features.map(async (feature) => feature.onPlatformRecovered?.())).then(
      () => outbox?.poke(),
      (error: unknown) => log.error({ err: error }, 'Retrying messages that wait for the platform failed'),
    );
  };
  const observed = createObservedPlatform(settings, metrics, erased, onRecovered);
  const { platform, keyEvidence } = observed;
  onStop(() => platform.close());
  const readDataGap = () => guards.readDataGap();
  const services = createServices({ settings, store, platform, clients, identity, erased, readDataGap });
  const { people, channels, replica } = services;
  const features = createFeatures(
    services,
    {
      keyEvidence,
      readHealth: () => readHealth(checks),
      jobRuns: () => ticker.runs(),
      onRemoved: (kind, rows) => metrics.removed(kind, rows),
    },
    { ...clients, botUserId: identity.botUserId },
    {
      ask: (question) => router.ask(question),
      inWorkspaceNames,
      teamId: identity.teamId,
      signature: secrets.slackSigningSecret === undefined ? undefined : slackSignature(secrets.slackSigningSecret),
    },
  );
  const recordDisclosure = createDisclosureRecord(services);
  const charts = createChartSupport(clock);
  const pending = createPendingInteractions({ db: store.db, clock, log, isAlone: store.engine === 'sqlite' });
  const home = createHome({
    answersWords: config.words,
    features,
    people,
    interactive: clients.interactive,
    clock,
    recordDisclosure,
    log,
  });
  const router = createRouter({
    features,
    pending,
    people,
    modals: createModals(clients.interactive, log),
    home,
    recordDisclosure,
    offeredTeams: () => readOfferedTeams(services),
    postToResponseUrl: createResponsePoster(clients.hosts, inWorkspaceNames),
    interactive: clients.interactive,
    botUserId: identity.botUserId,
    commandPrefix: config.commandPrefix,
    inWorkspaceNames,
    charts,
    db: store.db,
    clock,
    log,
    observe: (event) => metrics.interaction(event),
  });
  const messageKinds = kindsOf(services, features);
  const guards = createGuards({ store, process: replica, erased, people, clients, log, onFatal });
  const onTurn = guards.turnsOf('outbox');
  outbox = createObservedOutbox({
    kinds: messageKinds,
    channels,
    replica,
    settings,
    store,
    clients,
    identity,
    metrics,
    charts,
    onTurn,
  });
  const connection = createSlackConnection({
    config,
    secrets,
    identity,
    log,
    onFatal,
    storeFirst: (body, ack) => router.storeFirst(body, ack),
  });
  router.attach(connection.app);
  const checks = checksOf({ guards, connection, clients, askPlatform: observed.ask, clock });
  const servers = await startOwnServers({
    config,
    checks,
    metrics,
    slackRoute: connection.route,
    hooksRoute: features.find((feature) => feature.hooksRoute)?.hooksRoute,
    toolsRoute: features.find((feature) => feature.toolsRoute)?.toolsRoute,
    log,
  });
  onStop(() => servers.close());
  guards.start();
  onStop(() => guards.stop());
  const ticker: Ticker = createTicker({
    db: store.db,
    clock,
    log,
    features,
    jobs: [...router.jobs, observed.recoveryJob, fillAboutJob(store.db)],
    onTurn: guards.turnsOf('ticker'),
  });
  outbox.start();
  onStop(() => outbox?.stop());
  ticker.start();
  onStop(() => ticker.stop());
  for (const service of features.flatMap((feature) => feature.services ?? [])) {
    service.start();
    onStop(() => service.stop());
  }
  pending.start();
  onStop(() => pending.stop());
  onStop(() => router.drain());
  onStop(() => home.stop());
  onStop(async () => {
    for (const feature of features) await feature.stop?.();
  });
  // Starts last, so that every handler exists before the first delivery; stops first.
  onStop(() => connection.stop());
  await connection.start();
  const { port, metricsPort, hooksPort, toolsPort } = servers;
  log.info(
    { port, metricsPort, hooksPort, toolsPort, transport: config.slackTransport, engine: store.engine },
    'Quartermaster is running',
  );
  const isIdle = async () => {
    const { waiting, running } = router.counts();
    return waiting + running === 0 && !(await hasWork(store.db));
  };
  const running = parts.move();
  return { port, metricsPort, hooksPort, toolsPort, messageKinds, isIdle, stop: () => running.disposeAsync() };
}
