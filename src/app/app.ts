import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppSettings, RunningApp } from './settings.ts';
import { Listeners } from '../core/base/listeners.ts';
import { checksOf, readHealth } from './checks.ts';
import { createDisclosureRecord } from '../features/disclosure/disclosure-log.ts';
import { importErasureList } from '../features/erasure/core/erasures.ts';
import { storeFirstPrice } from '../core/figures/money/price-list.ts';
import { createGuards, type Guards } from './guards.ts';
import { createNetwork } from '../core/http/network.ts';
import { startOwnServers } from '../core/http/own-servers.ts';
import { createMetrics, createObservedPlatform } from './observed-platform.ts';
import { createObservedOutbox } from './observed-outbox.ts';
import { hasWork } from '../core/outbox/attempts/claim.ts';
import type { Outbox } from '../core/outbox/attempts/worker.ts';
import { readOfferedTeams } from '../core/figures/groups/chosen-teams.ts';
import { createServices } from './services.ts';
import { createTicker, type Ticker } from './ticker.ts';
import type { Job, JobRun } from '../core/schedule/job.ts';
import { planningJob } from '../core/schedule/due-subscriptions.ts';
import { createChartSupport } from '../core/slack/outbound/safe-message.ts';
import { createPeople } from '../core/slack/people/people.ts';
import { createSlackClients, createWorkspaceNames } from '../core/slack/client/clients.ts';
import { type SlackConnection, createSlackConnection, slackSignature } from '../core/slack/receivers/connection.ts';
import { listen } from '../core/slack/receivers/deliver.ts';
import { createHome, type Home } from '../core/slack/inbound/home.ts';
import { readIdentity } from '../core/slack/client/identity.ts';
import { createTurnTaking, forgetOldEventsJob } from '../core/slack/inbound/seen-events.ts';
import { createPendingInteractions, type PendingInteractions } from '../core/slack/inbound/pending-interactions.ts';
import { createModals } from '../core/slack/inbound/modals.ts';
import { createResponsePoster } from '../core/slack/outbound/response-url.ts';
import { createRouter, type Router, type RouterDeps } from '../core/slack/inbound/router.ts';
import { fillAboutJob } from '../core/outbox/fill-about.ts';
import { openStore } from '../core/store/database.ts';
import { requireTeam } from '../core/store/identity.ts';
import { nameProcess } from '../core/store/lease.ts';
import { withoutErased } from '../core/slack/outbound/without-erased.ts';
import { createErasedPeople } from '../core/store/erased-people.ts';
import { createTools, type Tools } from '../features/ask/index.ts';
import { resumeDigests } from '../features/digests/index.ts';
import { createHooksRoute } from '../features/sessions/index.ts';
import { createFeatures, type Features } from './features.ts';

export type { AppSettings, RunningApp } from './settings.ts';

type OnStop = (stop: () => Promise<unknown> | void) => void;

/**
 * Builds all parts, each after those that it needs, and starts them.
 *
 * @throws StoreError, SlackStartError or PortError, each with one sentence for the operator
 */
export async function startApp(settings: AppSettings): Promise<RunningApp> {
  const { config, secrets, log, clock } = settings;
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
  const foundation = await buildFoundation(settings, onStop);
  const { store, metrics, identity, clients, services, guards, observed, connection, checks, inWorkspaceNames } =
    foundation;

  const jobRuns = new Map<Job, JobRun>();
  const features = createFeatures(
    services,
    {
      keyEvidence: observed.keyEvidence,
      readHealth: () => readHealth(checks),
      jobRuns: () => [...jobRuns.values()],
      onRemoved: (kind, rows) => metrics.removed(kind, rows),
    },
    { ...clients, botUserId: identity.botUserId },
  );
  const slack = createSlack(settings, foundation, features);
  const { router } = slack;
  metrics.showInteractions(() => router.counts());
  listen(connection.app, (payload, ack) => router.handle(payload, ack));
  const signature = secrets.slackSigningSecret === undefined ? undefined : slackSignature(secrets.slackSigningSecret);
  const tools = createTools({
    ...services,
    ask: (question) => router.ask(question),
    inWorkspaceNames,
    teamId: identity.teamId,
    signature,
  });

  const outbox = createObservedOutbox({
    kinds: features.messageKinds,
    channels: services.channels,
    replica: services.replica,
    settings,
    store,
    clients,
    identity,
    metrics,
    charts: slack.charts,
    onTurn: guards.turnsOf('outbox'),
  });
  foundation.storeFaults.add(() => outbox.recordStoreFault());
  foundation.platformRecoveries.add(() => {
    resumeDigests(store.db).then(
      () => outbox.poke(),
      (error: unknown) => log.error({ err: error }, 'Retrying messages that wait for the platform failed'),
    );
  });
  const { subscriptionKinds: kinds } = features;
  // A digest that is due must not wait for the work of the features.
  const jobs: Job[] = [
    planningJob({ db: store.db, clock, kinds, log }),
    observed.recoveryJob,
    ...router.jobs,
    fillAboutJob(store.db),
    ...features.all.flatMap((feature) => feature.jobs ?? []),
    forgetOldEventsJob({ db: store.db, clock }),
  ];
  const ticker = createTicker({
    clock,
    timeZone: config.timeZone,
    log,
    jobs,
    runs: jobRuns,
    onTurn: guards.turnsOf('ticker'),
  });
  const servers = await startOwnServers({
    config,
    checks,
    metrics,
    slackRoute: connection.route,
    hooksRoute: createHooksRoute(services),
    toolsRoute: tools.route,
    log,
  });
  onStop(() => servers.close());
  await startAll({ ...slack, guards, outbox, ticker, connection, tools }, features, onStop);

  const { port, metricsPort, hooksPort, toolsPort } = servers;
  const transport = config.slackTransport;
  log.info({ port, metricsPort, hooksPort, toolsPort, transport, engine: store.engine }, 'Quartermaster is running');
  const isIdle = async () => {
    const { waiting, running } = router.counts();
    return waiting + running === 0 && !(await hasWork(store.db));
  };
  const running = parts.move();
  const { messageKinds } = features;
  const stop = () => running.disposeAsync();
  return { port, metricsPort, hooksPort, toolsPort, jobs, messageKinds, isIdle, stop };
}

type Foundation = Awaited<ReturnType<typeof buildFoundation>>;

/** Opens the store, identifies the bot in Slack, and makes the services on which everything else is built. */
async function buildFoundation(settings: AppSettings, onStop: OnStop) {
  const { config, secrets, clock, log, onFatal } = settings;
  const network = createNetwork({ ...secrets, noProxy: config.noProxy });
  onStop(() => network.close());
  const ways = { slack: network.proxyOf(config.slackApiUrl), platform: network.proxyOf(config.platformBaseUrl) };
  if (ways.slack !== undefined || ways.platform !== undefined) log.info(ways, 'Requests leave through a proxy');
  const storeFaults = new Listeners();
  const onStoreFault = (error: Error) => {
    storeFaults.tell();
    log.warn({ err: error }, 'Lost a connection to Postgres');
  };
  const store = await (settings.openStore ?? openStore)(secrets.databaseUrl, onStoreFault, settings.storeTime);
  onStop(() => store.close());
  const metrics = createMetrics(store.db);
  const erased = createErasedPeople(store.db);
  const inWorkspaceNames = withoutErased(createWorkspaceNames(config.commandPrefix), () => erased.recent());
  const clients = createSlackClients(secrets.slackBotToken, config.slackApiUrl, log, { inWorkspaceNames, network });
  const identity = await readIdentity(clients.lookups);
  await requireTeam(store, identity.teamId);
  await importErasureList(store.db, config.erasuresFile, clock.now());
  await erased.refresh();
  await storeFirstPrice(store.db, config.creditPrice, clock.now());
  const platformRecoveries = new Listeners();
  const observed = createObservedPlatform({ ...settings, network, db: store.db }, metrics, erased, () =>
    platformRecoveries.tell(),
  );
  const { platform } = observed;
  onStop(() => platform.close());
  const replica = randomUUID();
  nameProcess(store.db, replica);
  const people = createPeople({
    lookups: clients.lookups,
    clock,
    log,
    teamId: identity.teamId,
    admins: config.admins,
    managers: config.managers,
    peopleRole: config.peopleRole,
    erased,
  });
  const guards = createGuards({ store, process: replica, erased, people, clients, log, onFatal });
  const readDataGap = () => guards.readDataGap();
  const services = createServices({
    settings,
    network,
    store,
    platform,
    clients,
    people,
    erased,
    replica,
    readDataGap,
  });
  const connection = createSlackConnection({ config, secrets, identity, log, network, onFatal });
  const checks = checksOf({ guards, connection, clients, askPlatform: observed.ask, people, db: store.db, clock });
  return {
    store,
    storeFaults,
    metrics,
    inWorkspaceNames,
    clients,
    identity,
    observed,
    platformRecoveries,
    guards,
    services,
    connection,
    checks,
  };
}

interface SlackParts {
  charts: RouterDeps['charts'];
  pending: PendingInteractions;
  home: Home;
  router: Router;
}

/** What answers the requests of Slack. */
function createSlack(settings: AppSettings, foundation: Foundation, features: Features): SlackParts {
  const { config, clock, log } = settings;
  const { store, metrics, clients, identity, services, inWorkspaceNames } = foundation;
  const { people } = services;
  const { interactive } = clients;
  const recordDisclosure = createDisclosureRecord(services);
  const charts = createChartSupport(clock);
  const pending = createPendingInteractions({ db: store.db, clock, log, isAlone: store.engine === 'sqlite' });
  const home = createHome({
    answersWords: config.words,
    features: features.all,
    people,
    interactive,
    clock,
    recordDisclosure,
    log,
  });
  const router = createRouter({
    features: features.all,
    answerMessage: features.answerMessage,
    offerMeanings: features.offerMeanings,
    pending,
    people,
    modals: createModals(interactive, log),
    home,
    recordDisclosure,
    offeredTeams: () => readOfferedTeams(services),
    postToResponseUrl: createResponsePoster(clients, inWorkspaceNames),
    interactive,
    botUserId: identity.botUserId,
    commandPrefix: config.commandPrefix,
    inWorkspaceNames,
    charts,
    takeTurn: createTurnTaking({ db: store.db, clock }),
    db: store.db,
    clock,
    log,
    observe: metrics.interaction,
  });
  return { charts, pending, home, router };
}

const FIRST_JOBS_WITHIN_MS = 500;

async function startAll(
  {
    guards,
    outbox,
    ticker,
    pending,
    router,
    home,
    connection,
    tools,
  }: SlackParts & {
    guards: Guards;
    outbox: Outbox;
    ticker: Ticker;
    connection: SlackConnection;
    tools: Pick<Tools, 'stop'>;
  },
  features: Features,
  onStop: OnStop,
): Promise<void> {
  const services = features.all.flatMap((feature) => feature.services ?? []);
  for (const part of [guards, outbox, ...services, pending]) {
    part.start();
    onStop(() => part.stop());
  }
  onStop(() => ticker.stop());
  onStop(() => router.drain());
  onStop(() => home.stop());
  onStop(async () => {
    for (const feature of features.all) await feature.stop?.();
    await tools.stop();
  });
  // Starts last, so that every handler exists before the first delivery; stops first.
  onStop(() => connection.stop());
  const connected = connection.start();
  // The first run of all jobs would delay the connection, but must not wait for a Slack that is away.
  await Promise.race([connected, delay(FIRST_JOBS_WITHIN_MS, undefined, { ref: false })]);
  ticker.start();
  await connected;
}
