import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startApp, type RunningApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { createLogger } from '../log.ts';
import { createMovableClock } from './clock.ts';
import { createPageRoutes } from './page/page-routes.ts';
import { startPlatform } from './platform/platform.ts';
import { startSlack } from './slack/index.ts';

const USAGE = 'Usage: npm run demo -- [--people 60] [--seed 1] [--port 4000] [--keep]';
/** Where `--keep` leaves what the bot remembers. */
const KEPT_FOLDER = 'data/demo';

const argumentsSchema = z.object({
  people: z.coerce.number().int().min(5).max(20_000).default(60),
  seed: z.coerce.number().int().default(1),
  port: z.coerce.number().int().min(0).max(65_535).default(4_000),
  keep: z.boolean().default(false),
});

const HINTS = [
  'As Morgan, a manager, type `/usage` in #general.',
  'Move the clock to the next morning and look into #agent-usage: yesterday’s digest is there, once.',
  'Become Mia, a member, and type `/usage last week me`; then `/usage sumary`.',
];

/** Where everything of one demo lives; removed at the end unless it is kept. */
function makeFolder(keep: boolean): { folder: string; remove: () => void } {
  if (!keep) {
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-demo-'));
    return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
  }
  mkdirSync(KEPT_FOLDER, { recursive: true });
  return { folder: resolve(KEPT_FOLDER), remove: () => {} };
}

async function main(): Promise<void> {
  const { people, seed, port, keep } = readArguments();
  const clock = createMovableClock(new Date());
  const platform = await startPlatform({ clock, people, seed });
  const routes = createPageRoutes({
    clock,
    platformControlUrl: `${platform.baseUrl}/_sandbox`,
    title: 'Quartermaster sandbox',
    hints: HINTS,
    roles: { morgan: 'manager', mia: 'member', ada: 'admin' },
  });
  const slack = await startSlack({ clock, port, extraRoutes: routes }).catch((error: unknown) =>
    fail(explain(error, port)),
  );
  const { folder, remove } = makeFolder(keep);
  const app = await startBot({ clock, slack, platform, folder }).catch((error: unknown) => {
    remove();
    return fail(error instanceof Error ? error.message : String(error));
  });
  console.log(describe(slack.address, people, folder, keep));
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void app
      .stop()
      .then(() => Promise.all([slack.close(), platform.close()]))
      .finally(() => {
        remove();
        process.exit(0);
      });
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** The very same bot as in production: it knows the sandbox by its addresses, and is handed the sandbox's clock. */
async function startBot(parts: {
  clock: ReturnType<typeof createMovableClock>;
  slack: Awaited<ReturnType<typeof startSlack>>;
  platform: Awaited<ReturnType<typeof startPlatform>>;
  folder: string;
}): Promise<RunningApp> {
  const { clock, slack, platform, folder } = parts;
  const settings = readConfig({
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_APP_URL: platform.appUrl,
    PLATFORM_API_KEY: platform.apiKeys.manager,
    DATABASE_URL: `file:${join(folder, 'quartermaster.db')}`,
    PORT: '0',
    MANAGERS: 'morgan.manager@acme.example',
    DIGEST_CHANNEL: '#agent-usage',
    DIGEST_AT: '09:00',
    TIMEZONE: 'Europe/Berlin',
  });
  if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
  const { config, secrets } = settings;
  const file = createWriteStream(join(folder, 'bot.log'), { flags: 'a' });
  const log = createLogger(config.logLevel, Object.values(secrets), (line) => void file.write(line));
  return startApp({ config, secrets, clock, log, onDeaf: (reason) => fail(reason) });
}

function readArguments(): z.infer<typeof argumentsSchema> {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ options: { people: text, seed: text, port: text, keep: { type: 'boolean' } } });
    const result = argumentsSchema.safeParse(values);
    return result.success ? result.data : fail(`${z.prettifyError(result.error)}\n${USAGE}`);
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

function explain(error: unknown, port: number): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${port} is taken: stop what listens there, or choose another one with npm run demo -- --port ${port + 1}`;
  }
  return error instanceof Error ? error.message : String(error);
}

function describe(address: string, people: number, folder: string, keep: boolean): string {
  return `Quartermaster is running in a sandbox with ${people} people. Open

  ${address}

You can be Morgan (manager), Mia (member) or Ada (admin): choose at the top left. Three things to try:
  1. As Morgan type /usage in #general.
  2. Press “Next morning” and look into #agent-usage: yesterday's digest is there, once.
  3. Become Mia and type /usage last week me; then /usage sumary.

The bot's log is ${join(folder, 'bot.log')}${keep ? '' : ' (gone when this ends; --keep keeps it)'}. Ctrl+C ends it all.`;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

await main();
