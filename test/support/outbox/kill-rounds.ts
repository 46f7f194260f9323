import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import type { BotProcess } from '../processes/bot-processes.ts';
import { morningAfter, setCrashScene, type CrashScene } from '../processes/crash-scene.ts';
import { readOnlyExcept } from '../processes/program.ts';
import { typeCommand } from '../slack/conversation.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
/** The work of a dead bot is free again, and the last search for a message of unknown outcome is due. */
const AFTER_THE_LAST_LOOK_MS = 91_000;

export type Death = { at: CheckpointName; answerLost?: boolean };

/** Every step of a delivery at which a crash could affect it. */
export const DEATHS: readonly Death[] = [
  { at: 'outbox:before_claim' },
  { at: 'outbox:after_claim' },
  { at: 'outbox:before_post' },
  { at: 'outbox:after_post', answerLost: true },
  { at: 'outbox:after_post' },
  { at: 'outbox:before_settle' },
];

/**
 * Kills the bot on one morning after another, each time at the next of the given steps; the bot of the next round has
 * to finish the work of its predecessor.
 * @returns the digests that appear in the channel, by date, and the dates on which there must be one
 */
export async function killEachMorning(engine: Engine, deaths: readonly Death[]) {
  return killInScene(await setCrashScene(engine, FIRST_MORNING), deaths);
}

/** The same on a file system that is read-only, except for the folder of the store; each bot also answers a command. */
export async function killOnReadOnlyRoot(deaths: readonly Death[]) {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-data-'));
  const drop = () => Promise.resolve(rmSync(folder, { recursive: true, force: true }));
  const scene = await setCrashScene(
    'sqlite',
    FIRST_MORNING,
    { ERASURES_FILE: join(folder, 'erasures.ndjson'), ERASURE_PROOFS_FILE: join(folder, 'erasure-proofs.key') },
    { within: readOnlyExcept(folder), database: { url: `file:${join(folder, 'quartermaster.db')}`, drop } },
  );
  const faults: string[] = [];
  const answers: string[] = [];
  const outcome = await killInScene(scene, deaths, async (bot) => {
    answers.push((await typeCommand(scene.slack, 'morgan', '/usage')).text);
    faults.push(...(bot.logged().match(/EROFS|read-only/g) ?? []));
  });
  return { ...outcome, answers, faults };
}

async function killInScene(
  scene: CrashScene,
  deaths: readonly Death[],
  afterDelivery: (bot: BotProcess) => Promise<void> = async () => {},
) {
  const expected: string[] = [];
  const endings: string[] = [];
  try {
    let bot = await scene.startBot();
    for (const [round, death] of deaths.entries()) {
      const morning = morningAfter(FIRST_MORNING, round);
      expected.push(morning.toISOString().slice(0, 10));
      if (death.answerLost)
        await scene.slack.control.addFault({ method: 'chat.postMessage', kind: 'lost_answer', times: 1 });
      bot.dieAt(death.at);
      scene.moveTo(morning, bot);
      endings.push(await bot.ended);
      scene.moveTo(new Date(morning.getTime() + AFTER_THE_LAST_LOOK_MS));
      bot = await scene.startBot();
      await scene.untilDelivered(`digest:settings:${morning.toISOString().slice(0, 10)}`);
      await afterDelivery(bot);
    }
    return { expected, endings, digests: await scene.digestsIn('agent-usage') };
  } finally {
    await scene.close();
  }
}
