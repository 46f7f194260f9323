import type { AppSettings, RunningApp } from './app/settings.ts';
import { checksOf, readHealth } from './app/checks.ts';
import { createDisclosureRecord } from './disclosure/disclosure-log.ts';
import { takeOverListed } from './erasure/core/erasures.ts';
import { storeFirstPrice } from './figures/money/price-store.ts';
import { createGuards } from './app/guards.ts';
import { startOwnServers } from './http/own-servers.ts';
import { createMetrics } from './app/metrics.ts';
import { createObservedOutbox } from './app/observed-outbox.ts';
import { createObservedPlatform } from './app/observed-platform.ts';
import { hasWork } from './outbox/attempts/claim.ts';
import { readOfferedTeams } from './figures/groups/chosen-teams.ts';
import type { Outbox } from './outbox/attempts/worker.ts';
import { createServices } from './app/services.ts';
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
import { createFeatures, kindsOf } from './app/features.ts';

export type { AppSettings, RunningApp } from './app/settings.ts';

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
