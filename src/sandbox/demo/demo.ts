import { randomInt } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startApp, type RunningApp } from '../../app/app.ts';
import { dayOf, daysOf } from '../../core/base/time/calendar.ts';
import { readConfig } from '../../core/base/settings/config.ts';
import { createLogger } from '../../core/base/log.ts';
import { createMovableClock, type MovableClock } from './movable-clock.ts';
import { furnishLimits, furnishStore } from './demo-store.ts';
import { addTeams } from './demo-teams.ts';
import { passTime } from './pass-time.ts';
import { TOOLS_PATH } from '../../core/http/tools-address.ts';
import { createSlackbot, type Slackbot } from '../slackbot/slackbot.ts';
import { callForClick } from '../slackbot/slackbot-blocks.ts';
import { callFor, viewsIn, type ToolCall } from '../slackbot/slackbot-rules.ts';
import type { Json } from '../json.ts';
import { TEAM } from '../slack/model/seed.ts';
import type { TourStep } from '../page/tour-step.ts';
import { createPageRoutes } from '../page/page-routes.ts';
import type { Edition } from '../platform/model/edition.ts';
import { startPlatform, type SimulatedPlatform } from '../platform/platform.ts';
import { readInstalledApp } from './installed-app.ts';
import { startSlack, type SandboxSlack } from '../slack/index.ts';
import { connectionSettings } from './connection-settings.ts';

const introduction = (people: number): string =>
  `Quartermaster answers in Slack who used how many credits, warns before they run out, and changes limits after an admin approves. Here it runs on your computer with a simulated Slack, a simulated platform and ${people} invented people. Below, Morgan, a manager, has typed \`/usage\`. Try:`;

/** Suggestions for first visitors, in Slack's mrkdwn. */
const HINTS = [
  'Press *Next morning* and open #agent-usage: yesterday’s digest is there, once.',
  'The same channel has a warning that the budget of the month is past 80%. `/budget` shows it; as Mia, type `/usage notify` for a warning about your own usage.',
  'Type `/digest new` for a digest of your own; `/digest` shows them all, and so does the Home tab.',
  'As Mia, type `/limits request`; then become Ada, an admin, and decide it in the messages of Quartermaster.',
  'Type `/readiness payments`, and create a computer for it; one with “broken” in its name fails first.',
  'Add a revision under *Platform*, then open #platform, where Quartermaster posts changes of the controls.',
  'Type `/session notify`, then run `npm run agent` in a terminal: a simulated agent reports what it does.',
  'Press *Slackbot* and ask “will I run out of credits?”: Slack’s assistant asks the tools of Quartermaster for you.',
  'As Mia, a member, type `/usage last week me`; then `/usage sumary`.',
];

const TOUR: readonly TourStep[] = [
  {
    title: 'Be Mia and ask',
    text: 'Opens the form in which a member requests a higher credit limit.',
    as: 'mia',
    channel: 'dm',
    command: { command: '/limits', text: 'request' },
  },
  {
    title: 'Be Ada and approve',
    text: 'Opens the messages to an admin: Mia’s request waits there.',
    as: 'ada',
    channel: 'dm',
  },
  {
    title: 'Tomorrow morning',
    text: 'Moves the clock as Morgan, a manager: the digest of yesterday comes to #agent-usage.',
    as: 'morgan',
    channel: 'agent-usage',
    isNextMorning: true,
  },
];

export interface DemoOptions {
  people: number;
  seed: number;
  /** Default: the platform of the contract. */
  edition?: Edition;
  /** The limits that people have on the platform before the bot starts, by e-mail. */
  limits?: Readonly<Record<string, number>>;
  /** The port of the page and the sandbox's Slack; 0 for any free one. */
  port: number;
  /** The folder for the bot's store and log. */
  folder: string;
  /** The first instant of the clock; default: now. */
  startAt?: Date;
  /** Whether a move of the clock counts as downtime, which makes events within it late; default: no. */
  movesAreDowntime?: boolean;
  /**
   * An organization to look around in: chosen teams that hold everyone, a second admin, limits of some people, and a budget
   * that exceeds a threshold the next morning.
   */
  isFurnished?: boolean;
  /** Default: a file in the folder. */
  databaseUrl?: string;
  /** A prefix of each command; default: none. */
  commandPrefix?: string;
  /** Further settings, as an operator would set them. */
  settings?: Readonly<Record<string, string>>;
}

export interface Demo {
  /** The settings of the bot, as its operator would set them. */
  environment: Readonly<Record<string, string>>;
  /** The address of the page. */
  address: string;
  /** The address for events of simulated clients. */
  hooksUrl: string;
  /** The address of the tools for coding clients. */
  toolsUrl: string;
  logFile: string;
  clock: MovableClock;
  slack: SandboxSlack;
  platform: SimulatedPlatform;
  /** Asks the first question, so that the page begins with figures. */
  askFirst(): Promise<void>;
  /** Whether the bot has answered everything and has nothing to deliver now. */
  isIdle(): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Starts a platform, a Slack with its page, and the same bot as in production, which gets their addresses and the sandbox's
 * clock.
 *
 * @param onFatal called when the bot cannot continue
 * @throws if the port is taken (`code` is EADDRINUSE)
 */
export async function startDemo(options: DemoOptions, onFatal: (reason: string) => void): Promise<Demo> {
  const clock = createMovableClock(options.startAt ?? new Date(), { remembersMoves: !options.movesAreDowntime });
  const platform = await startPlatform({
    clock,
    people: options.people,
    seed: options.seed,
    edition: options.edition ?? 'contract',
  });
  if (options.isFurnished) furnishLimits(platform, clock.now());
  platform.changeLimitsElsewhere({ own: options.limits ?? {} });
  let app: RunningApp | undefined;
  const isIdle = async () => (await app?.isIdle()) ?? true;
  const extraRoutes = createPageRoutes({
    clock: { now: () => clock.now(), moveTo: (instant) => passTime(clock, instant, isIdle) },
    platformControlUrl: `${platform.baseUrl}/_sandbox`,
    title: 'Quartermaster sandbox',
    ...(options.isFurnished ? { introduction: introduction(options.people) } : {}),
    hints: HINTS,
    tour: options.isFurnished ? TOUR : [],
    roles: { morgan: 'manager', mia: 'member', ada: 'admin' },
    askSlackbot: (as, asked) => askTools(slackbot, as, asked),
  });
  const slack = await startSlack({ clock, port: options.port, extraRoutes });
  if (options.isFurnished) await addTeams(slack, platform);
  const hooksPort = await portAfter(options.port, 1);
  const toolsPort = await portAfter(options.port, 2);
  const toolsAddress = `http://127.0.0.1:${toolsPort}${TOOLS_PATH}`;
  const slackbot = createSlackbot(toolsAddress, slack.signingSecret);
  await slack.control.configure(readInstalledApp(options.commandPrefix, toolsAddress));
  const environment = demoSettings(slack, platform, { ...options, hooksPort, toolsPort, now: clock.now() });
  const settings = readConfig(environment);
  if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
  const { config, secrets } = settings;
  const logFile = join(options.folder, 'bot.log');
  const file = createWriteStream(logFile, { flags: 'a' });
  const log = createLogger(config.logLevel, Object.values(secrets), (line) => void file.write(line));
  if (options.isFurnished) await furnishStore(secrets.databaseUrl, slack, platform, clock.now());
  app = await startApp({ config, secrets, clock, storeTime: () => clock.now(), log, onFatal });
  return {
    environment,
    address: slack.address,
    hooksUrl: config.hooks?.url ?? '',
    toolsUrl: `${config.tools?.url ?? ''}${TOOLS_PATH}`,
    logFile,
    clock,
    slack,
    platform,
    askFirst: async () => {
      const command = `/${options.commandPrefix ?? ''}usage`;
      await slack.control.command({ as: 'morgan', channel: 'general', command });
    },
    isIdle,
    stop: async () => {
      await app?.stop();
      await Promise.all([slack.close(), platform.close()]);
      clock.dispose();
      await new Promise<void>((resolve) => void file.end(resolve));
    },
  };
}

/** Asks the tools as Slackbot does, and shows the call. */
async function askTools(slackbot: Slackbot, as: string, asked: string | Json) {
  await slackbot.initialize();
  const { tool, words } = await toolCallFor(slackbot, asked);
  const answer = await slackbot.call(tool, words, { user_id: as, team_id: TEAM.id, enterprise_id: null });
  const typed = Object.entries(words).map(([name, word]) => `${name}: ${word}`);
  const blocks = answer._meta?.slack.blocks ?? [];
  return {
    call: `${tool}(${typed.join(', ')})`,
    text: answer.content.map(({ text }) => text).join('\n'),
    blocks: blocks.map((block, index) => ({ ...block, block_id: `answer_${index}` })),
  };
}

async function toolCallFor(slackbot: Slackbot, asked: string | Json): Promise<ToolCall> {
  if (typeof asked !== 'string') {
    const call = callForClick(asked);
    if (!call) throw new Error('Slackbot makes a button without `tool:` or without a value inert');
    return call;
  }
  const usage = (await slackbot.listTools()).find(({ name }) => name === 'usage');
  return callFor(asked, viewsIn(usage?.inputSchema.properties['side']?.description ?? ''));
}

/** Returns a port after the page's if it is free: `npm run agent` expects the events of clients at the next one. */
async function portAfter(pagePort: number, offset: number): Promise<number> {
  let port = pagePort === 0 ? undefined : await listenOnce(pagePort + offset);
  while (port === undefined) port = await listenOnce(randomInt(FIRST_FREE_PORT, END_OF_FREE_PORTS));
  return port;
}

/** Below the ports that systems give to connections: a connection could take one before the bot listens on it. */
const [FIRST_FREE_PORT, END_OF_FREE_PORTS] = [20_000, 32_000];

/** @returns undefined if the port is taken */
function listenOnce(port: number): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const server = createServer();
  server.once('error', () => resolve(undefined));
  server.listen(port, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
  });
  return promise;
}

/** With one admin alone, requests of that admin could not be decided. */
const ADMINS = 'ada.admin@acme.example,nora.member@acme.example';

const WARNED_AT = 0.8;

/** Sets the month's budget so that the figures of the next morning exceed 80 %. */
function budgetSettings(platform: SimulatedPlatform, now: Date): Record<string, string> {
  const today = dayOf(now);
  const days = daysOf({ first: `${today.slice(0, 7)}-01`, last: today });
  const used = days.map((day) => platform.creditsOn(day));
  const before = used.slice(0, -1).reduce((sum, credits) => sum + credits, 0);
  const credits = Math.max(1, Math.round((before + Math.max(1, (used.at(-1) ?? 0) / 2)) / WARNED_AT));
  return { BUDGET_CREDITS: String(credits), BUDGET_CHANNEL: '#agent-usage' };
}

function demoSettings(
  slack: SandboxSlack,
  platform: SimulatedPlatform,
  options: DemoOptions & { hooksPort: number; toolsPort: number; now: Date },
): Record<string, string> {
  return {
    ...connectionSettings(slack, platform),
    DATABASE_URL: options.databaseUrl ?? `file:${join(options.folder, 'quartermaster.db')}`,
    ERASURES_FILE: join(options.folder, 'erasures.ndjson'),
    ERASURE_PROOFS_FILE: join(options.folder, 'erasure-proofs.key'),
    PORT: '0',
    METRICS_PORT: '0',
    HOOKS_PORT: String(options.hooksPort),
    HOOKS_URL: `http://127.0.0.1:${options.hooksPort}`,
    HOOKS_SHOW_TEXT: 'true',
    MCP: 'slack,tokens',
    MCP_PORT: String(options.toolsPort),
    MCP_URL: `http://127.0.0.1:${options.toolsPort}`,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    COMMAND_PREFIX: options.commandPrefix ?? '',
    // Sessions are off by default.
    SESSIONS_ROLE: 'admin',
    MANAGERS: 'morgan.manager@acme.example',
    DIGEST_CHANNEL: '#agent-usage',
    DIGEST_AT: '09:00',
    ...(options.isFurnished
      ? {
          ...budgetSettings(platform, options.now),
          ADMINS,
          LIMIT_PERIOD: 'month',
          CREDIT_PRICE: '4.20 USD per million',
        }
      : {}),
    CONTROLS_CHANNEL: '#platform',
    // A visitor would not wait a minute for a change.
    CONTROLS_POLL_SECONDS: '5',
    // Morgan's own zone, so that the page's “Next morning” is the morning of the digest.
    TIMEZONE: 'Europe/Berlin',
    ...options.settings,
  };
}
