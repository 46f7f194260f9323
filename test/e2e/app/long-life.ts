import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERY_DAY } from '../../../src/core/schedule/occurrences.ts';
import { putSubscription } from '../../../src/core/schedule/subscriptions.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { startChannelSubscription } from '../../../src/core/watches/channel-subscriptions.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { readInstalledApp } from '../../../src/sandbox/demo/installed-app.ts';
import { startPlatform, type SimulatedPlatform } from '../../../src/sandbox/platform/platform.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { startBotProcess } from '../../support/processes/bot-processes.ts';

const PEOPLE = 200;
const DIGESTS = 10;
const SECTIONS = ['summary', 'credits', 'people', 'tools', 'activity'];
const DAY_TIMEOUT_MS = 120_000;

const at = (day: string, time: string) => new Date(`${day}T${time}Z`);

export type LongLife = Awaited<ReturnType<typeof startLongLife>>;

/** A bot in a process of its own that lives through days: what it keeps in memory can be looked at. */
export async function startLongLife(firstDay: string) {
  const clock = createMovableClock(at(firstDay, '07:30:00'), { frozen: true });
  const slack = await startSlack({ clock });
  await slack.control.configure(readInstalledApp());
  let platform: SimulatedPlatform = await startPlatform({ clock, people: PEOPLE });
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-heap-'));
  const databaseUrl = `file:${join(folder, 'heap.db')}`;
  await subscribe(slack, databaseUrl, at(firstDay, '07:00:00'));
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_APP_URL: platform.baseUrl,
    PLATFORM_API_KEY: platform.apiKeys.manager,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    MANAGERS: 'morgan.manager@acme.example',
    ADMINS: 'ada.admin@acme.example',
    ERASURES_FILE: join(folder, 'erasures.ndjson'),
    ERASURE_PROOFS_FILE: join(folder, 'proofs.key'),
  };
  const bot = await startBotProcess(environment, clock.now());
  const moveTo = (time: Date) => {
    clock.moveTo(time);
    bot.moveTo(time);
  };
  const type = async (as: string, command: string, text: string): Promise<string> => {
    const since = slack.mark();
    await slack.control.command({ as, channel: 'general', command, text });
    const { message } = await slack.next('ephemeral', (event) => !event.message.text.startsWith('Reading'), {
      since,
      timeoutMs: DAY_TIMEOUT_MS,
    });
    return message.text;
  };
  return {
    environment,
    folder,
    bot,
    slack,
    platform: () => platform,
    type,
    passTime: (ms: number) => moveTo(new Date(clock.now().getTime() + ms)),
    /** The digests of a morning, and what some people type after it. */
    liveThrough: async (day: string): Promise<void> => {
      const since = slack.mark();
      moveTo(at(day, '08:00:05'));
      const channels = new Set<string>();
      await slack.next(
        'message',
        ({ channel, message }) => {
          if (message.text.startsWith('Daily digest')) channels.add(channel);
          return channels.size === DIGESTS;
        },
        { since, timeoutMs: DAY_TIMEOUT_MS },
      );
      for (const text of ['28d', 'people 28d', 'teams', '@mia', 'tools 7d']) await type('morgan', '/usage', text);
      await type('mia', '/usage', 'me');
    },
    /** The platform then knows the first of its people only, at the same address. */
    shrinkTo: async (people: number): Promise<void> => {
      const port = Number(new URL(platform.baseUrl).port);
      await platform.close();
      platform = await startPlatform({ clock, people, port });
    },
    /** Whether a text is anywhere in its memory. The file is read in pieces: it is longer than a text may be. */
    remembers: async (text: string): Promise<boolean> => {
      const path = join(folder, 'heap.heapsnapshot');
      await bot.collect();
      await bot.writeHeap(path);
      let last = '';
      for await (const chunk of createReadStream(path, 'utf8')) {
        const piece = last + String(chunk);
        if (piece.includes(text)) return true;
        last = piece.slice(-text.length);
      }
      return false;
    },
    stop: async () => {
      await bot.stop();
      await slack.close();
      await platform.close();
      clock.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each digest has a channel of its own, which is told of unusual days as well. */
async function subscribe(slack: SandboxSlack, url: string, now: Date): Promise<void> {
  const store = await openStore(url);
  for (let index = 0; index < DIGESTS; index += 1) {
    const { id: channel } = await slack.control.addChannel({ name: `team-${index}`, members: ['ada', 'app'] });
    const schedule = { days: EVERY_DAY, at: '08:00', zone: 'UTC' };
    const settings = { sections: SECTIONS };
    await putSubscription(store.db, { id: `digest-${index}`, kind: 'digest', channel, schedule, settings }, now);
    const watch = { kind: 'usage', channel, subject: '', filter: {}, owner: null, since: null, detail: null };
    await store.db.transaction().execute((trx) => startChannelSubscription(trx, watch, now));
  }
  await store.close();
}
