import type { Engine } from '../../../src/core/store/store.ts';
import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import { restoreBackup, takeBackup as takeBackupByProgram } from '../../../src/programs/backup/backup.ts';
import { takeBackup } from '../stores/backups.ts';
import type { TestDatabase } from '../stores/databases.ts';
import { setCrashScene, type CrashScene } from '../processes/crash-scene.ts';
import {
  ask,
  clickCard,
  openReview,
  putsOf,
  requestOf,
  reviewValues,
  directMessagesTo,
  untilQuiet,
  untilState,
} from './limits.ts';
import { nextAnswer } from '../slack/conversation.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const MIA = 'mia.member@acme.example';
const AFTER_THE_LEASES_MS = 95_000;
const HALF_AN_HOUR_MS = 30 * 60_000;

/** The result of a store that was set back into the middle of sending a limit. */
interface RestoreRound {
  /** A short restart resumes by itself: the first limit, then the one that was decided later. */
  valueBefore: number | undefined;
  /** After the copy was restored twice. */
  state: string;
  putsUnasked: number;
  questions: number;
  /** Whether the admin who clicked first sees the choice, and the second one too. */
  isChoiceShown: boolean;
  isLaterClickerAnswered: boolean;
  value: number | undefined;
  stateAfter: string;
  cardsWithButtons: number;
}

const ASKED_ONCE = {
  valueBefore: 800,
  state: 'unsure',
  putsUnasked: 0,
  questions: 1,
  isChoiceShown: true,
  isLaterClickerAnswered: true,
  cardsWithButtons: 0,
};
export const LEFT: RestoreRound = { ...ASKED_ONCE, value: 800, stateAfter: 'left' };
export const SENT: RestoreRound = { ...ASKED_ONCE, value: 700, stateAfter: 'applied' };

const WORDS = {
  limits_leave: ['*Left as it is by <@U0ADA>*', 'already left the request'],
  limits_send: ['confirmed by the platform', 'already sent the request'],
} as const;

/**
 * Kills a bot while it sends a limit, keeps a copy of the store as it is then, lets the next bot continue and set a
 * limit that was decided later, and puts the copy back, twice.
 */
export async function restoreAmidSending(
  engine: Engine,
  at: CheckpointName,
  choice: keyof typeof WORDS,
): Promise<RestoreRound> {
  const scene = await setCrashScene(engine, FIRST_MORNING, { LIMITS_CHANNEL: '#agent-usage' });
  try {
    await scene.slack.control.addPerson({ handle: 'ann', name: 'Ann', email: 'ann@acme.example', isAdmin: true });
    await scene.slack.control.join({ as: 'ann', channel: 'agent-usage' });
    const bot = await scene.startBot();
    const id = await ask(scene, 'mia', { amount: '700' });
    await untilQuiet(scene);
    bot.dieAt(at);
    await approve(scene, id).catch(() => undefined);
    await bot.ended;
    const backup = await takeBackup(scene.databaseUrl);
    const next = await startLater(scene, AFTER_THE_LEASES_MS);
    await untilState(scene, id, 'applied');
    const later = await askAgain(scene, '800');
    await approve(scene, later);
    await untilState(scene, later, 'applied');
    await untilQuiet(scene);
    await next.stop();
    const valueBefore = scene.platform.limits.get(MIA);
    const putsBefore = putsOf(scene);
    await backup.restore();
    const restored = await startLater(scene, HALF_AN_HOUR_MS);
    await untilState(scene, id, 'unsure');
    await untilQuiet(scene);
    await restored.stop();
    await backup.restore();
    await backup.drop();
    await startLater(scene, HALF_AN_HOUR_MS);
    await untilState(scene, id, 'unsure');
    await untilQuiet(scene);
    const { state } = await requestOf(scene, id);
    const putsUnasked = putsOf(scene) - putsBefore;
    const questions = (await questionsOf(scene, id)).length;
    const chosen = await choose(scene, 'ada', id, choice);
    await untilState(scene, id, choice === 'limits_send' ? 'applied' : 'left');
    const told = await choose(scene, 'ann', id, 'limits_leave');
    await untilQuiet(scene);
    const value = scene.platform.limits.get(MIA);
    const stateAfter = (await requestOf(scene, id)).state;
    const cards = await questionsOf(scene, id);
    const cardsWithButtons = cards.filter(({ blocks }) => JSON.stringify(blocks).includes('limits_leave')).length;
    const [shown, answeredLater] = WORDS[choice];
    return {
      valueBefore,
      state,
      putsUnasked,
      questions,
      isChoiceShown: chosen.includes(shown),
      isLaterClickerAnswered: told.includes('<@U0ADA> already') && told.includes(answeredLater),
      value,
      stateAfter,
      cardsWithButtons,
    };
  } finally {
    await scene.close();
  }
}

/** Starts a bot after some time of the sandbox, during which no bot ran. */
async function startLater(scene: CrashScene, passedMs: number) {
  scene.moveTo(new Date(scene.clock.now().getTime() + passedMs));
  return scene.startBot();
}

async function askAgain(scene: CrashScene, amount: string): Promise<string> {
  await scene.slack.control.close({ as: 'mia', all: true }).catch(() => undefined);
  return ask(scene, 'mia', { amount });
}

async function approve(scene: CrashScene, id: string): Promise<void> {
  await scene.slack.control.close({ as: 'ada', all: true }).catch(() => undefined);
  await openReview(scene, 'ada', id);
  await scene.slack.control.submit({ as: 'ada', values: reviewValues() });
}

async function choose(scene: CrashScene, as: string, id: string, actionId: string): Promise<string> {
  const since = scene.slack.mark();
  await clickCard(scene, as, id, actionId);
  return (await nextAnswer(scene.slack, since)).text;
}

/** The messages that ask an admin to decide about a request of unknown outcome. */
async function questionsOf(scene: CrashScene, id: string) {
  const { channels } = await scene.slack.control.state({ as: 'ada' });
  return channels
    .flatMap(({ messages }) => messages)
    .filter(({ metadata }) => String(metadata?.event_payload['key']).startsWith(`limit-card:${id}:unsure`));
}

/**
 * Kills a bot when a limit is set and its requester not notified yet, lets the next bot notify them, and puts a copy of
 * the store from in between back.
 */
export async function restoreBeforeTelling(engine: Engine): Promise<{ state: string; messages: number }> {
  const scene = await setCrashScene(engine, FIRST_MORNING, { LIMITS_CHANNEL: '#agent-usage' });
  const told = async (id: string) => (await directMessagesTo(scene, 'mia')).filter((text) => text.includes(id)).length;
  try {
    const bot = await scene.startBot();
    const id = await ask(scene, 'mia', { amount: '700' });
    await untilQuiet(scene);
    bot.dieAt('limits:finished');
    await approve(scene, id).catch(() => undefined);
    await bot.ended;
    const backup = await takeBackup(scene.databaseUrl);
    const next = await startLater(scene, AFTER_THE_LEASES_MS);
    await untilQuiet(scene);
    if ((await told(id)) !== 1) throw new Error('Mia was not notified');
    await next.stop();
    await backup.restore();
    await backup.drop();
    await startLater(scene, HALF_AN_HOUR_MS);
    await untilQuiet(scene);
    return { state: (await requestOf(scene, id)).state, messages: await told(id) };
  } finally {
    await scene.close();
  }
}

/**
 * Kills a bot before it sends a limit, backs its store up with the backup program, lets the next bot send the limit,
 * and restores the backup into an empty store within two minutes.
 * @param file the path of the backup
 */
export async function restoreByProgram(
  from: Engine,
  to: TestDatabase,
  file: string,
): Promise<{ state: string; putsUnasked: number }> {
  const scene = await setCrashScene(from, FIRST_MORNING, { LIMITS_CHANNEL: '#agent-usage' });
  try {
    const bot = await scene.startBot();
    const id = await ask(scene, 'mia', { amount: '700' });
    await untilQuiet(scene);
    bot.dieAt('limits:before_put');
    await approve(scene, id).catch(() => undefined);
    await bot.ended;
    await takeBackupByProgram(scene.databaseUrl, file);
    const next = await startLater(scene, AFTER_THE_LEASES_MS);
    await untilState(scene, id, 'applied');
    await next.stop();
    const putsBefore = putsOf(scene);
    await restoreBackup(file, to.url, scene.clock.now());
    scene.useDatabase(to.url);
    await startLater(scene, 1_000);
    await untilState(scene, id, 'unsure');
    await untilQuiet(scene);
    return { state: (await requestOf(scene, id)).state, putsUnasked: putsOf(scene) - putsBefore };
  } finally {
    await scene.close();
  }
}
