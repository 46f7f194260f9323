import { tablesIn } from '../../src/features/controls/core/revisions.ts';
import type { CheckpointName } from '../../src/core/base/checkpoint.ts';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { readInstalledApp } from '../../src/sandbox/demo/installed-app.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { startSlack } from '../../src/sandbox/slack/index.ts';
import type { Engine } from '../../src/core/store/store.ts';
import { startBotProcess, type Bot } from './processes/bot-processes.ts';
import { untilSettled } from './outbox/until-settled.ts';
import { createDatabase } from './stores/databases.ts';
import { environmentOf } from './test-app.ts';

const START = new Date('2026-03-02T09:00:00Z');
const POLL_SECONDS = 5;
/** Longer than a lease of a delivery, and long enough that no person's changes become a burst. */
const BETWEEN_MS = 4 * 60_000;
const PATIENCE_MS = 40_000;
const AUTHORS = [
  'ada.admin@acme.example',
  'morgan.manager@acme.example',
  'max.member@acme.example',
  'mia.member@acme.example',
];

export type ControlsDeath = { at: CheckpointName; answerLost?: boolean };

/** Every step of reading the history and of posting at which a crash could affect the announcements. */
export const CONTROLS_DEATHS: readonly ControlsDeath[] = [
  { at: 'controls:before_poll' },
  { at: 'controls:after_page' },
  { at: 'controls:before_move' },
  { at: 'controls:in_move' },
  { at: 'controls:after_move' },
  { at: 'outbox:after_post', answerLost: true },
  { at: 'outbox:before_claim' },
  { at: 'outbox:after_claim' },
  { at: 'outbox:before_post' },
  { at: 'outbox:after_post' },
  { at: 'outbox:before_settle' },
];

/** A sandbox whose bots watch the controls and may die. */
export async function setControlsScene(engine: Engine) {
  const clock = createMovableClock(START);
  const slack = await startSlack({ clock });
  await slack.control.configure(readInstalledApp());
  const platform = await startPlatform({ clock, people: 10 });
  const database = await createDatabase(engine);
  const environment = {
    ...environmentOf(slack, platform, 'socket'),
    DATABASE_URL: database.url,
    CONTROLS_CHANNEL: '#agent-usage',
    CONTROLS_POLL_SECONDS: String(POLL_SECONDS),
  };
  const bots = new Set<Bot>();
  let author = 0;
  return {
    slack,
    platform,
    clock,
    startBot: async () => {
      const bot = await startBotProcess(environment, clock.now());
      bots.add(bot);
      void bot.ended.then(() => bots.delete(bot));
      return bot;
    },
    /** A person makes a change; each time another person. */
    change: () => {
      author += 1;
      return platform.addRevision({
        settings: { rolloutRing: `ring ${author}` },
        email: AUTHORS[author % AUTHORS.length],
      }).revision;
    },
    pass: (ms: number) => {
      clock.moveTo(new Date(clock.now().getTime() + ms));
      for (const bot of bots) bot.moveTo(clock.now());
    },
    /** Resolves when everything up to this revision was announced. */
    untilAnnounced: (revision: number) => waitUntilAnnounced(database.url, revision),
    /** The revisions that were posted to the channel, in the order of the messages. */
    told: async () => {
      const { channels } = await slack.control.state({ as: 'ada' });
      const messages = channels.find(({ name }) => name === 'agent-usage')?.messages ?? [];
      return messages
        .filter(({ threadTs, ts }) => threadTs === null || threadTs === ts)
        .flatMap(({ metadata }) => {
          const revision = /^controls:[^:]+:1:(\d+)$/.exec(
            JSON.stringify(metadata?.event_payload['key'] ?? '').slice(1, -1),
          )?.[1];
          return revision === undefined ? [] : [Number(revision)];
        });
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

const waitUntilAnnounced = (databaseUrl: string, revision: number) =>
  untilSettled(databaseUrl, PATIENCE_MS, async (rows, db) => {
    const cursor = await tablesIn(db).selectFrom('controlsCursor').select('revision').executeTakeFirst();
    return cursor?.revision === revision && rows.length > 0;
  });

/**
 * Kills the bot again and again, each time at the next of the given steps, while revisions continue to arrive; the bot
 * of the next round has to finish the work of its predecessor.
 * @returns the revisions that were posted to the channel, in that order, and those that exist
 */
export async function killWhileWatching(engine: Engine, deaths: readonly ControlsDeath[]) {
  const scene = await setControlsScene(engine);
  const endings: string[] = [];
  const expected: number[] = [];
  try {
    let bot = await scene.startBot();
    await scene.untilAnnounced(11);
    for (const death of deaths) {
      expected.push(scene.change());
      if (death.answerLost)
        await scene.slack.control.addFault({ method: 'chat.postMessage', kind: 'lost_answer', times: 1 });
      bot.dieAt(death.at);
      scene.pass(2 * POLL_SECONDS * 1_000);
      endings.push(await bot.ended);
      const last = scene.change();
      expected.push(last);
      scene.pass(BETWEEN_MS);
      bot = await scene.startBot();
      await scene.untilAnnounced(last);
    }
    return { expected, endings, told: await scene.told() };
  } finally {
    await scene.close();
  }
}
