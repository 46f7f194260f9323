import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { startApp } from '../app.ts';
import { readConfig } from '../base/config.ts';
import { createLogger } from '../base/log.ts';
import { createMovableClock, type MovableClock } from './clock.ts';
import { createPageRoutes } from './page/page-routes.ts';
import { startPlatform, type SimulatedPlatform } from './platform/platform.ts';
import { readInstalledApp } from './installed-app.ts';
import { startSlack, type SandboxSlack } from './slack/index.ts';

/** What a first visitor may try, in Slack's mrkdwn. */
const HINTS = [
  'As Morgan, a manager, type `/usage` in #general.',
  'Press *Next morning* and look into #agent-usage: yesterday’s digest is there, once.',
  'Type `/digest new` for one of your own; `/digest` shows them all, and so does the Home tab.',
  'As Mia, type `/limits request`; then become Ada, an admin, and decide it in the messages of Quartermaster.',
  'Type `/readiness payments`, and create a computer for it; one with “broken” in its name fails first.',
  'Add a revision under *Platform* and look into #platform, where changes of the controls are told.',
  'As Mia, a member, type `/usage last week me`; then `/usage sumary`.',
];

export interface DemoOptions {
  people: number;
  seed: number;
  /** Of the page and the sandbox's Slack; 0 for any free one. */
  port: number;
  /** Where the bot keeps its store and its log. */
  folder: string;
  /** What the clock shows first; now, unless a test wants another time. */
  startAt?: Date;
  /** Default: a file in the folder. */
  databaseUrl?: string;
  /** What stands before each command; nothing by default. */
  commandPrefix?: string;
}

export interface Demo {
  /** Where the page is. */
  address: string;
  logFile: string;
  clock: MovableClock;
  slack: SandboxSlack;
  platform: SimulatedPlatform;
  stop(): Promise<void>;
}

/**
 * Starts a platform, a Slack with its page, and the very same bot as in production: it knows the two by their addresses,
 * and is handed the sandbox's clock.
 *
 * @param onFatal told when the bot cannot go on
 * @throws when the port is taken (`code` is EADDRINUSE)
 */
export async function startDemo(options: DemoOptions, onFatal: (reason: string) => void): Promise<Demo> {
  const clock = createMovableClock(options.startAt ?? new Date());
  const platform = await startPlatform({ clock, people: options.people, seed: options.seed });
  const extraRoutes = createPageRoutes({
    clock,
    platformControlUrl: `${platform.baseUrl}/_sandbox`,
    title: 'Quartermaster sandbox',
    hints: HINTS,
    roles: { morgan: 'manager', mia: 'member', ada: 'admin' },
  });
  const slack = await startSlack({ clock, port: options.port, extraRoutes });
  await slack.control.configure(readInstalledApp(options.commandPrefix));
  const settings = readConfig(demoSettings(slack, platform, options));
  if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
  const { config, secrets } = settings;
  const logFile = join(options.folder, 'bot.log');
  const file = createWriteStream(logFile, { flags: 'a' });
  const log = createLogger(config.logLevel, Object.values(secrets), (line) => void file.write(line));
  const app = await startApp({ config, secrets, clock, storeTime: () => clock.now(), log, onFatal });
  return {
    address: slack.address,
    logFile,
    clock,
    slack,
    platform,
    stop: async () => {
      await app.stop();
      await Promise.all([slack.close(), platform.close()]);
      clock.dispose();
      await new Promise<void>((resolve) => void file.end(resolve));
    },
  };
}

function demoSettings(slack: SandboxSlack, platform: SimulatedPlatform, options: DemoOptions): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_APP_URL: platform.appUrl,
    PLATFORM_API_KEY: platform.apiKeys.manager,
    DATABASE_URL: options.databaseUrl ?? `file:${join(options.folder, 'quartermaster.db')}`,
    PORT: '0',
    METRICS_PORT: '0',
    COMMAND_PREFIX: options.commandPrefix ?? '',
    // So that it can be tried out.
    SESSIONS_ROLE: 'admin',
    MANAGERS: 'morgan.manager@acme.example',
    DIGEST_CHANNEL: '#agent-usage',
    DIGEST_AT: '09:00',
    CONTROLS_CHANNEL: '#platform',
    // Nobody who tries it out waits for a minute.
    CONTROLS_POLL_SECONDS: '5',
    // Morgan's own zone, so that the page's “Next morning” is the morning of the digest.
    TIMEZONE: 'Europe/Berlin',
  };
}
