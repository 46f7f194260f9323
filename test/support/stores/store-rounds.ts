import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../../../src/core/store/store.ts';
import type { BotProcess } from '../processes/bot-processes.ts';
import { morningAfter, setCrashScene, type CrashScene } from '../processes/crash-scene.ts';
import type { TestDatabase } from './databases.ts';
import { readReadiness } from '../slack/refreshes.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const CHANNELS = ['agent-usage', 'general', 'platform'];
const COMMANDS_A_SECOND = 5;
/** Digests are posted by then, unless the disturbed one waits for its lease. */
const USUAL_MS = 15_000;
/** A lease, and the last search for a message of unknown outcome. */
const AFTER_THE_LAST_LOOK_MS = 151_000;
const PATIENCE_MS = 60_000;
/** The longest time to recover from a disturbance of the store after its cause ended. */
const ITSELF_AGAIN_MS = 60_000;

/** A morning on which the store is disturbed. */
export interface Morning {
  day: number;
  scene: CrashScene;
  /** The bot that runs now. */
  bot: () => BotProcess;
  startBot: () => Promise<void>;
}

/** The disturbance of the store just when digests fall due. */
export interface Disturbance {
  engine: Engine;
  /** The place of the store, if not with the suite's databases. */
  database?: TestDatabase;
  /** The address at which the bot reaches it, if another. */
  address?: string;
  /** No commands are typed during it: the bot ends, and another is started. */
  endsBot?: boolean;
  /** Before the digests fall due, while no bot runs. Without it the bot runs from morning to morning. */
  prepare?: (morning: Morning) => Promise<void>;
  /** Resolves when the cause is gone. */
  happen: (morning: Morning) => Promise<void>;
}

export interface MorningTally {
  digests: number;
  lost: string[];
  doubled: string[];
  commands: number;
  unanswered: number;
  /** The longest time from the end of the cause until `/readyz` succeeded. */
  longestRecoveryMs: number;
}

/** Makes digests fall due in three channels on each morning, with the store disturbed each time. */
export async function sufferMornings(mornings: number, disturbance: Disturbance): Promise<MorningTally> {
  const { engine, database, address, endsBot = false } = disturbance;
  const settings = address === undefined ? {} : { DATABASE_URL: address };
  const scene = await setCrashScene(engine, FIRST_MORNING, settings, database ? { database } : {});
  const tally: MorningTally = { digests: 0, lost: [], doubled: [], commands: 0, unanswered: 0, longestRecoveryMs: 0 };
  try {
    await scene.addDigests(CHANNELS.slice(1));
    let bot = await scene.startBot();
    const startBot = async () => {
      bot = await scene.startBot();
    };
    for (let day = 0; day < mornings; day += 1) {
      const due = morningAfter(FIRST_MORNING, day);
      const morning: Morning = { day, scene, bot: () => bot, startBot };
      if (disturbance.prepare) {
        await bot.stop();
        await disturbance.prepare(morning);
        await startBot();
      }
      const people = endsBot ? undefined : keepTyping(scene, tally);
      scene.moveTo(due, bot);
      // The disturbance begins at a random step of a digest, so that all steps are covered over many mornings.
      await delay(Math.random() * 2_000);
      await disturbance.happen(morning);
      const overMs = performance.now();
      await untilInOrder(bot);
      tally.longestRecoveryMs = Math.max(tally.longestRecoveryMs, Math.round(performance.now() - overMs));
      await people?.stop();
      await untilPosted(scene, bot, due);
    }
    await bot.stop();
    await count(scene, mornings, tally);
    return tally;
  } finally {
    await scene.close();
  }
}

function keepTyping({ slack }: CrashScene, tally: MorningTally) {
  const over = new AbortController();
  const typing = (async () => {
    const answers: Promise<void>[] = [];
    while (!over.signal.aborted) {
      const typed = { as: 'mia', channel: 'general', command: '/usage', text: 'help' };
      tally.commands += 1;
      answers.push(slack.control.command(typed).then(({ inTime }) => void (tally.unanswered += inTime ? 0 : 1)));
      await delay(1000 / COMMANDS_A_SECOND);
    }
    await Promise.all(answers);
  })();
  return {
    stop: () => {
      over.abort();
      return typing;
    },
  };
}

/** Waits until the bot’s `/readyz` reports no fault of the store. */
export async function untilInOrder(bot: BotProcess): Promise<void> {
  const deadlineMs = performance.now() + ITSELF_AGAIN_MS;
  while ((await readReadiness(bot.port))['store'] !== 'in order') {
    if (performance.now() > deadlineMs) throw new Error(`The store does not come back:\n${bot.logged()}`);
    await delay(50);
  }
}

async function untilPosted(scene: CrashScene, bot: BotProcess, due: Date): Promise<void> {
  const isPosted = async () => (await missing(scene, due)).length === 0;
  if (await within(USUAL_MS, isPosted)) return;
  scene.moveTo(new Date(scene.clock.now().getTime() + AFTER_THE_LAST_LOOK_MS), bot);
  await within(PATIENCE_MS, isPosted);
}

async function within(patienceMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const deadlineMs = performance.now() + patienceMs;
  while (performance.now() < deadlineMs) {
    if (await isSo()) return true;
    await delay(100);
  }
  return false;
}

async function missing(scene: CrashScene, due: Date): Promise<string[]> {
  const date = due.toISOString().slice(0, 10);
  const found = await Promise.all(CHANNELS.map(async (channel) => (await scene.digestsIn(channel)).has(date)));
  return CHANNELS.filter((_, index) => !found[index]).map((channel) => `${date} in ${channel}`);
}

async function count(scene: CrashScene, mornings: number, tally: MorningTally): Promise<void> {
  for (let day = 0; day < mornings; day += 1)
    tally.lost.push(...(await missing(scene, morningAfter(FIRST_MORNING, day))));
  for (const channel of CHANNELS) {
    for (const [date, messages] of await scene.digestsIn(channel)) {
      tally.digests += messages.length;
      if (messages.length > 1) tally.doubled.push(`${date} in ${channel}`);
    }
  }
}
