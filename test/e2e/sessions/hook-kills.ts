import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import { setCrashScene } from '../../support/processes/crash-scene.ts';
import { ANY_PORT, hooksUrlOf, makeTokens } from '../../support/hooks/crash-hooks.ts';
import { directMessage, directMessages, ends, send, waits } from '../../support/hooks/hooks.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
/** Longer than every lease: the work of a dead bot is free again. */
const AFTER_THE_LEASES_MS = 125_000;

interface HookDeath {
  at: CheckpointName;
  /** A call of Slack whose answer is lost before. */
  lost?: 'chat.postMessage';
}

/** Every step between an accepted event and its card. */
export const HOOK_DEATHS: readonly HookDeath[] = [
  { at: 'outbox:before_claim' },
  { at: 'outbox:after_claim' },
  { at: 'outbox:before_post' },
  { at: 'outbox:after_post' },
  { at: 'outbox:after_post', lost: 'chat.postMessage' },
  { at: 'outbox:before_settle' },
  { at: 'outbox:settled' },
];

export interface HookRound {
  at: CheckpointName;
  ending: string;
  /** The number of cards in the direct messages about the session, once it ended. */
  cards: number;
}

/** Kills the bot at each step after it accepted an event; the session continues at the next bot. */
export async function killBetweenEventAndCard(engine: Engine, deaths: readonly HookDeath[]): Promise<HookRound[]> {
  const scene = await setCrashScene(engine, FIRST_MORNING, ANY_PORT);
  const rounds: HookRound[] = [];
  try {
    const [token = ''] = await makeTokens(scene.databaseUrl, ['U0MIA'], scene.clock.now());
    let bot = await scene.startBot();
    for (const [round, { at, lost }] of deaths.entries()) {
      if (lost) await scene.slack.control.addFault({ method: lost, kind: 'lost_answer', times: 1 });
      const url = { hooksUrl: hooksUrlOf(bot) };
      bot.dieAt(at);
      const question = waits(`s${round}`, `Question ${round}`, `/round-${round}`);
      // A bot that dies before it sent its answer has promised nothing.
      const status = await send(url, token, question).catch(() => 0);
      const ending = await bot.ended;
      scene.moveTo(new Date(scene.clock.now().getTime() + AFTER_THE_LEASES_MS));
      bot = await scene.startBot();
      if (status !== 204) await send({ hooksUrl: hooksUrlOf(bot) }, token, question);
      await directMessage(scene, 'mia', new RegExp(`Question ${round}$`, 'm'));
      await send({ hooksUrl: hooksUrlOf(bot) }, token, { ...ends(`s${round}`, 'error'), cwd: `/round-${round}` });
      await directMessage(scene, 'mia', new RegExp(`error\\* in .round-${round}.`));
      const all = await directMessages(scene, 'mia');
      rounds.push({ at, ending, cards: all.filter(({ text }) => text.includes(`\`round-${round}\``)).length });
    }
    return rounds;
  } finally {
    await scene.close();
  }
}
