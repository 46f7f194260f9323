import type { Engine } from '../../../src/core/store/store.ts';
import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import { setCrashScene, type CrashScene } from '../processes/crash-scene.ts';
import { until } from '../digests.ts';
import {
  ask,
  cardOf,
  ledger,
  openReview,
  requestOf,
  reviewValues,
  directMessagesTo,
  untilQuiet,
  untilState,
} from './limits.ts';

export const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const MIA = 'mia.member@acme.example';
/** Longer than every lease: the work of a dead bot is free again. */
export const AFTER_THE_LEASES_MS = 125_000;

interface LimitDeath {
  at: CheckpointName;
  /** A call of Slack whose answer is lost before. */
  lost?: 'chat.postMessage' | 'chat.update';
}

/** Every step between the click of an admin and the card, the requester’s message and the ledger. */
export const LIMIT_DEATHS: readonly LimitDeath[] = [
  { at: 'limits:before_decision' },
  { at: 'limits:after_decision' },
  { at: 'limits:after_claim' },
  { at: 'limits:before_put' },
  { at: 'limits:after_put' },
  { at: 'limits:after_record' },
  { at: 'limits:before_finish' },
  { at: 'limits:finished' },
  { at: 'outbox:before_claim' },
  { at: 'outbox:after_claim' },
  { at: 'outbox:before_post' },
  { at: 'outbox:after_post' },
  { at: 'outbox:after_post', lost: 'chat.postMessage' },
  { at: 'outbox:before_settle' },
  { at: 'outbox:before_settle', lost: 'chat.update' },
];

/** The result of one kill, once the next bot had finished. */
export interface KillRound {
  at: CheckpointName;
  ending: string;
  /** A card said “set” while the platform had another value. */
  wasShownTooEarly: boolean;
  state: string;
  isRightValue: boolean;
  cards: number;
  messages: number;
  ledgerEntries: number;
  isCardRight: boolean;
}

/** The required result of each kill: a limit that is set once, announced once and shown correctly. */
export const roundsAsPromised = (deaths: readonly LimitDeath[]): KillRound[] =>
  deaths.map(({ at }) => ({
    at,
    ending: 'died',
    wasShownTooEarly: false,
    state: 'applied',
    isRightValue: true,
    cards: 1,
    messages: 1,
    ledgerEntries: 1,
    isCardRight: true,
  }));

/** Kills the bot at one step after another; the next bot has to finish the work of its predecessor. */
export async function killBetweenClickAndCard(engine: Engine, deaths: readonly LimitDeath[]): Promise<KillRound[]> {
  const scene = await setCrashScene(engine, FIRST_MORNING, { LIMITS_CHANNEL: '#agent-usage' });
  const rounds: KillRound[] = [];
  try {
    let bot = await scene.startBot();
    for (const [round, death] of deaths.entries()) {
      const value = 100 + round;
      const id = await askFirmly(scene, value);
      await untilQuiet(scene);
      if (death.lost) await scene.slack.control.addFault({ method: death.lost, kind: 'lost_answer', times: 1 });
      bot.dieAt(death.at);
      await approve(scene, id).catch(() => undefined);
      const ending = await bot.ended;
      const wasShownTooEarly = await isShownTooEarly(scene, id, value);
      scene.moveTo(new Date(scene.clock.now().getTime() + AFTER_THE_LEASES_MS));
      bot = await scene.startBot();
      await untilNothingIsResumed(scene);
      // A bot that was killed before the decision was stored has decided nothing, and the card still waits.
      if ((await requestOf(scene, id)).state === 'pending') await approve(scene, id);
      await untilState(scene, id, 'applied');
      await untilQuiet(scene);
      rounds.push({ at: death.at, ending, wasShownTooEarly, ...(await leftBehind(scene, id, value)) });
    }
    return rounds;
  } finally {
    await scene.close();
  }
}

/** The next bot continues an acknowledged decision; deciding beside it would be a race with oneself. */
export const untilNothingIsResumed = (scene: CrashScene) =>
  until(scene, async (db) => {
    const left = await db.selectFrom('pendingInteractions').select('key').executeTakeFirst();
    return left ? undefined : true;
  });

async function askFirmly(scene: CrashScene, value: number): Promise<string> {
  await scene.slack.control.close({ as: 'mia', all: true }).catch(() => undefined);
  return ask(scene, 'mia', { amount: String(value) });
}

async function approve(scene: CrashScene, id: string): Promise<void> {
  await scene.slack.control.close({ as: 'ada', all: true }).catch(() => undefined);
  await openReview(scene, 'ada', id);
  await scene.slack.control.submit({ as: 'ada', values: reviewValues() });
}

async function isShownTooEarly(scene: CrashScene, id: string, value: number): Promise<boolean> {
  const told = (await directMessagesTo(scene, 'mia')).filter((text) => text.includes(id));
  const texts = [(await cardOf(scene, id)).text, ...told];
  return (
    texts.some((text) => /✅ \*([\d,.]+ set|Your limit is now)/.test(text)) && scene.platform.limits.get(MIA) !== value
  );
}

async function leftBehind(scene: CrashScene, id: string, value: number) {
  const { channels } = await scene.slack.control.state({ as: 'ada' });
  const cards = channels
    .flatMap(({ messages }) => messages)
    .filter(({ metadata }) => String(metadata?.event_payload['key']) === `limit-card:${id}:channel`);
  const entries = (await ledger(scene)).filter((entry) => entry.requestId === id);
  return {
    state: (await requestOf(scene, id)).state,
    isRightValue: scene.platform.limits.get(MIA) === value && entries.every((entry) => entry.value === value),
    cards: cards.length,
    messages: (await directMessagesTo(scene, 'mia')).filter((text) => text.includes(`\`${id}\``)).length,
    ledgerEntries: entries.length,
    isCardRight: cards.every(({ text }) => /✅ \*[\d,.]+ set\* .*confirmed by the platform/.test(text)),
  };
}
