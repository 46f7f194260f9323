import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { readInstalledApp } from '../../../src/sandbox/demo/installed-app.ts';
import { startPlatform, type SimulatedPlatform } from '../../../src/sandbox/platform/platform.ts';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { EVERY_DAY } from '../../../src/core/schedule/occurrences.ts';
import { putSubscription } from '../../../src/core/schedule/subscriptions.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Engine } from '../../../src/core/store/store.ts';
import { NODE_OPTIONS, startBotProcess, type Bot, type BotProcess } from './bot-processes.ts';
import { untilSettled } from '../outbox/until-settled.ts';
import { createDatabase, type TestDatabase } from '../stores/databases.ts';
import { environmentOf } from '../test-app.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long a test waits for a required event. */
const PATIENCE_MS = 30_000;

/** A sandbox that outlives the bots that are killed in it. */
export interface CrashScene {
  slack: SandboxSlack;
  platform: SimulatedPlatform;
  clock: MovableClock;
  databaseUrl: string;
  /** Makes bots that are started from now on use another database. */
  useDatabase(url: string): void;
  startBot(): Promise<BotProcess>;
  /** Gives further channels a digest at nine; the settings have a single one. Before a bot is started. */
  addDigests(channels: readonly string[]): Promise<void>;
  /** Moves the time of the sandbox and of these bots. */
  moveTo(now: Date, ...bots: Bot[]): void;
  /** Resolves when the delivery of that key has been sent and no other is on its way. */
  untilDelivered(key: string): Promise<void>;
  /** The digests that appear in a channel, by the date in their delivery key. */
  digestsIn(channel: string): Promise<Map<string, MessageView[]>>;
  close(): Promise<void>;
}

/**
 * Sets the scene on the evening before the first morning. Bots may reach the database by another address in `settings`,
 * and may be started by the command `within`.
 */
export async function setCrashScene(
  engine: Engine,
  firstMorning: Date,
  settings: Record<string, string> = {},
  {
    people = 10,
    database: given,
    within,
    transport = 'socket',
  }: { people?: number; database?: TestDatabase; within?: string[]; transport?: 'socket' | 'http' } = {},
): Promise<CrashScene> {
  const clock = createMovableClock(new Date(firstMorning.getTime() - DAY_MS / 2));
  const slack = await startSlack({ clock, transport });
  await slack.control.configure(readInstalledApp());
  const platform = await startPlatform({ clock, people });
  const database = given ?? (await createDatabase(engine));
  const environment = {
    ...environmentOf(slack, platform, transport),
    DATABASE_URL: database.url,
    DIGEST_CHANNEL: '#agent-usage',
    DIGEST_AT: '09:00',
    LOG_LEVEL: 'info',
    ...settings,
  };
  const bots = new Set<Bot>();
  const startBot = async () => {
    const bot = await startBotProcess(environment, clock.now(), NODE_OPTIONS, within);
    // Before it has subscribed the channel there is no digest that a crash could lose.
    await bot.untilLogged('Planned the daily digest of the settings');
    bots.add(bot);
    const setEventsUrl = () =>
      slack.setEventsUrl(...[...bots].map(({ port }) => `http://127.0.0.1:${port}/slack/events`));
    setEventsUrl();
    void bot.ended.then(() => bots.delete(bot)).then(setEventsUrl);
    return bot;
  };
  const databaseUrl = () => environment.DATABASE_URL;
  return {
    slack,
    platform,
    clock,
    get databaseUrl() {
      return databaseUrl();
    },
    useDatabase: (url) => void (environment.DATABASE_URL = url),
    startBot,
    addDigests: async (names) => {
      const store = await openStore(database.url);
      for (const name of names) {
        const channel = slack.workspace.findChannel(name)?.id ?? '';
        await slack.control.invite({ as: 'morgan', channel: name, who: 'app' });
        const schedule = { days: EVERY_DAY, at: '09:00', zone: 'UTC' };
        const digest = { id: name, kind: 'digest', channel, schedule, settings: {} };
        await putSubscription(store.db, digest, clock.now());
      }
      await store.close();
    },
    moveTo: (now, ...told) => {
      clock.moveTo(now);
      for (const bot of told) bot.moveTo(now);
    },
    untilDelivered: (key) =>
      untilSettled(databaseUrl(), PATIENCE_MS, (rows) => rows.some((row) => row.key === key && row.state === 'sent')),
    digestsIn: async (channel) => {
      const { channels } = await slack.control.state({ as: 'ada' });
      const messages = channels.find((one) => one.name === channel)?.messages ?? [];
      return Map.groupBy(
        // Details in their threads have keys of their own.
        messages.filter(({ metadata, threadTs, ts }) => metadata !== null && (threadTs === null || threadTs === ts)),
        dateOf,
      );
    },
    close: async () => {
      await Promise.all([...bots].map((bot) => bot.stop()));
      await slack.close();
      await platform.close();
      clock.dispose();
      await database.drop();
    },
  };
}

function dateOf(message: MessageView): string {
  return String(message.metadata?.event_payload['key']).split(':').at(-1) ?? '';
}

/** @example morningAfter(new Date('2026-03-02T09:00:05Z'), 1) // 2026-03-03T09:00:05Z */
export function morningAfter(first: Date, days: number): Date {
  return new Date(first.getTime() + days * DAY_MS);
}
