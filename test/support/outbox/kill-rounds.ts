import type { CheckpointName } from '../../../src/base/checkpoint.ts';
import type { Engine } from '../../../src/store/store.ts';
import { morningAfter, setCrashScene } from '../processes/crash-scene.ts';

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
  const scene = await setCrashScene(engine, FIRST_MORNING);
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
    }
    return { expected, endings, digests: await scene.digestsIn('agent-usage') };
  } finally {
    await scene.close();
  }
}
