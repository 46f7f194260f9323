import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { readInstalledApp } from '../../src/sandbox/demo/installed-app.ts';
import { startSlack, type SandboxSlack } from '../../src/sandbox/slack/index.ts';
import { EVERY_DAY } from '../../src/core/schedule/occurrences.ts';
import { putSubscription } from '../../src/core/schedule/subscriptions.ts';
import { openStore } from '../../src/core/store/database.ts';
import { startBotProcess } from '../support/processes/bot-processes.ts';
import { createDatabase } from '../support/stores/databases.ts';

const DIGESTS = 200;
const PEOPLE = 2_000;
const BEFORE_NINE = new Date('2026-03-03T08:58:00Z');
const NINE = new Date('2026-03-03T09:00:05Z');
/** How often a person types a command while the digests are sent. */
const COMMAND_EVERY_MS = 100;
const MAX_ACK_MS = 100;
const MORNING_LASTS_AT_MOST_MS = 120_000;

const readySchema = z.object({ baseUrl: z.string(), apiKey: z.string() });
const requestsSchema = z.object({ requests: z.array(z.object({ path: z.string(), query: z.unknown() })) });

const cleanUps: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A platform in a process of its own, so that its work delays no other. */
async function startPlatformProcess() {
  const child = fork(new URL('../bench/platform-process.ts', import.meta.url), {
    env: { PEOPLE: String(PEOPLE), TEST_NOW: NINE.toISOString(), PATH: process.env['PATH'] },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  cleanUps.push(() => child.disconnect());
  const [ready] = await once(child, 'message');
  return { child, ...readySchema.parse(ready) };
}

async function requestsOf(child: ChildProcess): Promise<string[]> {
  child.send({ order: 'count' });
  const [answer] = await once(child, 'message');
  return requestsSchema.parse(answer).requests.map((request) => JSON.stringify(request));
}

async function subscribeChannels(databaseUrl: string, slack: SandboxSlack): Promise<void> {
  const store = await openStore(databaseUrl);
  for (let index = 0; index < DIGESTS; index += 1) {
    const { id: channel } = await slack.control.addChannel({ name: `team-${index}`, members: ['ada', 'app'] });
    const schedule = { days: EVERY_DAY, at: '09:00', zone: 'UTC' };
    const settings = index % 2 === 0 ? {} : { sections: ['summary', 'credits', 'people', 'tools', 'activity'] };
    await putSubscription(store.db, { id: `t${index}`, kind: 'digest', channel, schedule, settings }, BEFORE_NINE);
  }
  await store.close();
}

/** Types commands until it is stopped, and records how long each acknowledgement took. */
function keepTyping(slack: SandboxSlack) {
  const ackMs: number[] = [];
  const over = new AbortController();
  const typing = (async () => {
    while (!over.signal.aborted) {
      const { ackMs: took } = await slack.control.command({
        as: 'mia',
        channel: 'general',
        command: '/usage',
        text: 'help',
      });
      ackMs.push(took ?? Infinity);
      await new Promise((resolve) => setTimeout(resolve, COMMAND_EVERY_MS));
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await typing;
      return ackMs.toSorted((a, b) => a - b);
    },
  };
}

test(`${DIGESTS} digests of one minute, for ${PEOPLE} people, each appear once, request each fact once, and delay no acknowledgement`, async () => {
  const platform = await startPlatformProcess();
  const clock = createMovableClock(BEFORE_NINE);
  cleanUps.push(() => clock.dispose());
  const slack = await startSlack({ clock });
  cleanUps.push(() => slack.close());
  await slack.control.configure(readInstalledApp());
  const database = await createDatabase('sqlite');
  cleanUps.push(() => database.drop());
  await subscribeChannels(database.url, slack);
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_APP_URL: platform.baseUrl,
    PLATFORM_API_KEY: platform.apiKey,
    DATABASE_URL: database.url,
    PORT: '0',
  };
  const bot = await startBotProcess(environment, BEFORE_NINE);
  // The first measurement begins the next one.
  await bot.measure();
  cleanUps.push(() => bot.stop());
  await requestsOf(platform.child);
  const typing = keepTyping(slack);
  const startedMs = performance.now();
  clock.moveTo(NINE);
  bot.moveTo(NINE);
  const digestsSent = () =>
    new Set(
      bot.settled.filter(({ key, state }) => state === 'sent' && !key.includes(':detail:')).map(({ key }) => key),
    );
  await expect.poll(() => digestsSent().size, { timeout: MORNING_LASTS_AT_MOST_MS, interval: 100 }).toBe(DIGESTS);
  const tookMs = performance.now() - startedMs;
  const ackMs = await typing.stop();
  const requests = await requestsOf(platform.child);
  const { channels } = await slack.control.state({ as: 'ada' });
  const posted = channels
    .filter(({ name }) => name.startsWith('team-'))
    .map(({ messages }) => messages.filter(({ metadata, threadTs, ts }) => metadata && (threadTs ?? ts) === ts).length);
  const { worstStallMs: stallMs } = await bot.measure();
  const nearlyAllMs = ackMs[Math.floor(ackMs.length * 0.95)] ?? Infinity;
  const worstMs = ackMs.at(-1) ?? Infinity;
  process.stdout.write(
    `${DIGESTS} digests in ${Math.round(tookMs)} ms, ${requests.length} requests to the platform, ${ackMs.length} acknowledgements: median ${Math.round(ackMs[Math.floor(ackMs.length / 2)] ?? 0)} ms, 95 % ${Math.round(nearlyAllMs)} ms, worst ${Math.round(worstMs)} ms; longest stall of the bot ${Math.round(stallMs)} ms\n`,
  );
  expect(posted).toEqual(Array.from({ length: DIGESTS }, () => 1));
  expect(requests.length).toBe(new Set(requests).size);
  // Slack is simulated in this very process, which does other work in between.
  expect(nearlyAllMs).toBeLessThan(MAX_ACK_MS);
});
