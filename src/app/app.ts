import { setTimeout as delay } from 'node:timers/promises';
import type { AppSettings, RunningApp } from './settings.ts';
import { checksOf, readHealth } from './checks.ts';
import { createDisclosureRecord } from '../features/disclosure/disclosure-log.ts';
import { takeOverListed } from '../features/erasure/core/erasures.ts';
import { storeFirstPrice } from '../core/figures/money/price-store.ts';
import { createGuards } from './guards.ts';
import { startOwnServers } from '../core/http/own-servers.ts';
import { createMetrics } from './metrics.ts';
import { createObservedOutbox } from './observed-outbox.ts';
import { createObservedPlatform } from './observed-platform.ts';
import { hasWork } from '../core/outbox/attempts/claim.ts';
import { readOfferedTeams } from '../core/figures/groups/chosen-teams.ts';
import { createServices } from './services.ts';
import { createTicker } from './ticker.ts';
import { createLateParts, type LateParts } from './late-parts.ts';
import type { Feature } from '../core/feature.ts';
import { createChartSupport } from '../core/slack/outbound/chart-support.ts';
import { createSlackClients } from '../core/slack/client/clients.ts';
import { listen } from '../core/slack/receivers/listeners.ts';
import { createSlackConnection, slackSignature } from '../core/slack/receivers/connection.ts';
import { createHome } from '../core/slack/inbound/home.ts';
import { readIdentity } from '../core/slack/client/identity.ts';
import { createTurnTaking, forgetOldEventsJob } from '../core/slack/inbound/seen-events.ts';
import { createPendingInteractions } from '../core/slack/inbound/pending/pending-interactions.ts';
import { createModals } from '../core/slack/inbound/modals.ts';
import { createResponsePoster } from '../core/slack/outbound/response-url.ts';
import { createWorkspaceNames } from '../core/slack/client/workspace-names.ts';
import { createRouter } from '../core/slack/inbound/router.ts';
import { planningJob } from '../core/schedule/due-subscriptions.ts';
import { fillAboutJob } from '../core/outbox/fill-about.ts';
import { openStore } from '../core/store/database.ts';
import { requireTeam } from '../core/store/identity.ts';
import { withoutErased } from '../core/slack/outbound/without-erased.ts';
import { createErasedPeople } from '../core/store/erased-people.ts';
import { createFeatures, kindsOf } from './features.ts';

export type { AppSettings, RunningApp } from './settings.ts';

type OnStop = (stop: () => Promise<void> | void) => void;

/** @throws StoreError, SlackStartError or PortError, each with one sentence for the operator */
export async function startApp(settings: AppSettings): Promise<RunningApp> {
  const { log } = settings;
  // Stopped in reverse order, also if the start fails.
  await using parts = new AsyncDisposableStack();
  const onStop: OnStop = (stop) =>
    parts.defer(async () => {
      try {
        await stop();
      } catch (error) {
        log.error({ err: error }, 'Stopping a part failed');
      }
    });
  const late = createLateParts();
  const ground = await openGround(settings, late, onStop);
  const features = assembleFeatures(settings, ground, late);
  const messageKinds = kindsOf(ground.services, features);
  const slack = connectSlack(settings, ground, features);
  late.add({ features, router: slack.router });
  const work = createWork(settings, ground, { slack, features, messageKinds });
  late.add(work);
  const servers = await startOwnServers({
    config: settings.config,
    checks: work.checks,
    metrics: ground.metrics,
    slackRoute: slack.connection.route,
    hooksRoute: features.find((feature) => feature.hooksRoute)?.hooksRoute,
    toolsRoute: features.find((feature) => feature.toolsRoute)?.toolsRoute,
    log,
  });
  onStop(() => servers.close());
  await startAll(work, slack, features, onStop);
  const { port, metricsPort, hooksPort, toolsPort } = servers;
  const { store } = ground;
  const transport = settings.config.slackTransport;
  log.info({ port, metricsPort, hooksPort, toolsPort, transport, engine: store.engine }, 'Quartermaster is running');
  const isIdle = async () => {
    const { waiting, running } = slack.router.counts();
    return waiting + running === 0 && !(await hasWork(store.db));
  };
  const running = parts.move();
  const { jobs } = work;
  const stopApp = () => running.disposeAsync();
  return { port, metricsPort, hooksPort, toolsPort, jobs, messageKinds, isIdle, stop: stopApp };
}

type Ground = Awaited<ReturnType<typeof openGround>>;

/** Opens the store, identifies the bot in Slack, and makes the services on which everything else is built. */
async function openGround(settings: AppSettings, late: LateParts, onStop: OnStop) {
  const { config, secrets, clock, log } = settings;
  const onStoreFault = (error: Error) => {
    late.find('outbox')?.recordStoreFault();
    log.warn({ err: error }, 'Lost a connection to Postgres');
  };
  const store = await (settings.openStore ?? openStore)(secrets.databaseUrl, onStoreFault, settings.storeTime);
  onStop(() => store.close());
  const metrics = createMetrics(store.db, () => late.get('router').counts());
  const erased = createErasedPeople(store.db);
  const inWorkspaceNames = withoutErased(createWorkspaceNames(config.commandPrefix), () => erased.recent());
  const clients = createSlackClients(secrets.slackBotToken, config.slackApiUrl, log, inWorkspaceNames);
  const identity = await readIdentity(clients.lookups);
  await requireTeam(store, identity.teamId);
  await takeOverListed(store.db, config.erasuresFile, clock.now());
  await erased.refresh();
  await storeFirstPrice(store.db, config.creditPrice, clock.now());
  const onRecovered = () => {
    Promise.all(late.get('features').map(async (feature) => feature.onPlatformRecovered?.())).then(
      () => late.find('outbox')?.poke(),
      (error: unknown) => log.error({ err: error }, 'Retrying messages that wait for the platform failed'),
    );
  };
  const observed = createObservedPlatform(settings, metrics, erased, onRecovered);
  const { platform } = observed;
  onStop(() => platform.close());
  const readDataGap = () => late.get('guards').readDataGap();
  const services = createServices({ settings, store, platform, clients, identity, erased, readDataGap });
  return { store, metrics, erased, inWorkspaceNames, clients, identity, observed, services };
}

function assembleFeatures({ secrets }: AppSettings, ground: Ground, late: LateParts): Feature[] {
  const { metrics, clients, identity, observed, services, inWorkspaceNames } = ground;
  return createFeatures(
    services,
    {
      keyEvidence: observed.keyEvidence,
      readHealth: () => readHealth(late.get('checks')),
      jobRuns: () => late.get('ticker').runs(),
      onRemoved: (kind, rows) => metrics.removed(kind, rows),
    },
    { ...clients, botUserId: identity.botUserId },
    {
      ask: (question) => late.get('router').ask(question),
      inWorkspaceNames,
      teamId: identity.teamId,
      signature: secrets.slackSigningSecret === undefined ? undefined : slackSignature(secrets.slackSigningSecret),
    },
  );
}

type SlackParts = ReturnType<typeof connectSlack>;

/** Everything that takes requests of Slack and answers them; the connection is not started. */
function connectSlack(settings: AppSettings, ground: Ground, features: readonly Feature[]) {
  const { config, secrets, clock, log, onFatal } = settings;
  const { store, metrics, clients, identity, services, inWorkspaceNames } = ground;
  const { people } = services;
  const { interactive } = clients;
  const recordDisclosure = createDisclosureRecord(services);
  const charts = createChartSupport(clock);
  const pending = createPendingInteractions({ db: store.db, clock, log, isAlone: store.engine === 'sqlite' });
  const home = createHome({
    answersWords: config.words,
    features,
    people,
    interactive,
    clock,
    recordDisclosure,
    log,
  });
  const router = createRouter({
    features,
    pending,
    people,
    modals: createModals(interactive, log),
    home,
    recordDisclosure,
    offeredTeams: () => readOfferedTeams(services),
    postToResponseUrl: createResponsePoster(clients.hosts, inWorkspaceNames),
    interactive,
    botUserId: identity.botUserId,
    commandPrefix: config.commandPrefix,
    inWorkspaceNames,
    charts,
    takeTurn: createTurnTaking({ db: store.db, clock }),
    db: store.db,
    clock,
    log,
    observe: (event) => metrics.interaction(event),
  });
  const connection = createSlackConnection({
    config,
    secrets,
    identity,
    log,
    onFatal,
  });
  listen(connection.app, (payload, ack) => router.handle(payload, ack));
  return { charts, pending, home, router, connection };
}

type Work = ReturnType<typeof createWork>;

/** The loops that run without a request, and the checks of their health. */
function createWork(
  settings: AppSettings,
  ground: Ground,
  { slack, features, messageKinds }: { slack: SlackParts; features: readonly Feature[]; messageKinds: MessageKinds },
) {
  const { clock, log, onFatal } = settings;
  const { store, metrics, erased, clients, identity, observed, services } = ground;
  const { people, channels, replica } = services;
  const guards = createGuards({ store, process: replica, erased, people, clients, log, onFatal });
  const outbox = createObservedOutbox({
    kinds: messageKinds,
    channels,
    replica,
    settings,
    store,
    clients,
    identity,
    metrics,
    charts: slack.charts,
    onTurn: guards.turnsOf('outbox'),
  });
  const { connection, router } = slack;
  const checks = checksOf({ guards, connection, clients, askPlatform: observed.ask, people: services.people, clock });
  const kinds = Object.assign({}, ...features.map((feature) => feature.subscriptionKinds ?? {}));
  // A digest that is due must not wait for the work of the features.
  const jobs = [
    planningJob({ db: store.db, clock, kinds, log }),
    observed.recoveryJob,
    ...router.jobs,
    fillAboutJob(store.db),
    ...features.flatMap((feature) => feature.jobs ?? []),
    forgetOldEventsJob({ db: store.db, clock }),
  ];
  const { timeZone } = settings.config;
  const ticker = createTicker({ clock, timeZone, log, jobs, onTurn: guards.turnsOf('ticker') });
  return { guards, outbox, checks, ticker, jobs };
}

type MessageKinds = ReturnType<typeof kindsOf>;

const FIRST_JOBS_WITHIN_MS = 500;

async function startAll(
  { guards, outbox, ticker }: Work,
  { pending, router, home, connection }: SlackParts,
  features: readonly Feature[],
  onStop: OnStop,
): Promise<void> {
  const services = features.flatMap((feature) => feature.services ?? []);
  for (const part of [guards, outbox, ...services, pending]) {
    part.start();
    onStop(() => part.stop());
  }
  onStop(() => ticker.stop());
  onStop(() => router.drain());
  onStop(() => home.stop());
  onStop(async () => {
    for (const feature of features) await feature.stop?.();
  });
  // Starts last, so that every handler exists before the first delivery; stops first.
  onStop(() => connection.stop());
  const connected = connection.start();
  // The first run of all jobs would delay the connection, but must not wait for a Slack that is away.
  await Promise.race([connected, delay(FIRST_JOBS_WITHIN_MS, undefined, { ref: false })]);
  ticker.start();
  await connected;
}
