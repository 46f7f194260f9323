import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { setCrashScene, type CrashScene } from '../processes/crash-scene.ts';
import { nextView } from '../slack/modals.ts';
import { AFTER_THE_LEASES_MS, FIRST_MORNING, untilNothingIsResumed } from './limit-kills.ts';
import { ask, clickCard, untilQuiet } from './limits.ts';

interface QuestionDeath {
  at: CheckpointName;
  /** A call of Slack whose answer is lost before. */
  lost?: 'chat.postMessage';
}

/** Every step between the form of a question, or of its answer, and the resulting message. */
export const QUESTION_DEATHS: readonly QuestionDeath[] = [
  { at: 'outbox:before_claim' },
  { at: 'outbox:after_claim' },
  { at: 'outbox:before_post' },
  { at: 'outbox:after_post' },
  { at: 'outbox:after_post', lost: 'chat.postMessage' },
  { at: 'outbox:before_settle' },
];

/** The results of two kills: one after the question was sent, one after its answer was. */
interface QuestionRound {
  at: CheckpointName;
  endings: readonly string[];
  questions: number;
  answers: number;
}

/** Each question reaches the requester once, and each answer reaches the thread once. */
export const questionsAsPromised = (deaths: readonly QuestionDeath[]): QuestionRound[] =>
  deaths.map(({ at }) => ({ at, endings: ['died', 'died'], questions: 1, answers: 1 }));

/**
 * Kills the bot at a step on the way of each question, and again on the way of its answer; the next bot finishes it.
 */
export async function killBetweenQuestionAndThread(
  engine: Engine,
  deaths: readonly QuestionDeath[],
): Promise<QuestionRound[]> {
  const scene = await setCrashScene(engine, FIRST_MORNING, { LIMITS_CHANNEL: '#agent-usage' });
  const rounds: QuestionRound[] = [];
  try {
    let bot = await scene.startBot();
    for (const [round, death] of deaths.entries()) {
      const id = await ask(scene, 'mia', { amount: String(100 + round) });
      const endings: string[] = [];
      for (const open of [() => openQuestion(scene, id), () => openAnswer(scene, id)]) {
        await untilQuiet(scene);
        const as = await open();
        if (death.lost) await scene.slack.control.addFault({ method: death.lost, kind: 'lost_answer', times: 1 });
        bot.dieAt(death.at);
        const values = { text: { text: `Words of ${id}` } };
        await scene.slack.control.submit({ as, values }).catch(() => undefined);
        endings.push(await bot.ended);
        await scene.slack.control.close({ as, all: true }).catch(() => undefined);
        scene.moveTo(new Date(scene.clock.now().getTime() + AFTER_THE_LEASES_MS));
        bot = await scene.startBot();
        await untilNothingIsResumed(scene);
      }
      await untilQuiet(scene);
      const questions = await messagesWith(scene, 'mia', 'limit-question:', id);
      const answers = await messagesWith(scene, 'ada', 'limit-answer:', id);
      rounds.push({ at: death.at, endings, questions: questions.length, answers: answers.length });
      await scene.slack.control.close({ as: 'mia', all: true }).catch(() => undefined);
    }
    return rounds;
  } finally {
    await scene.close();
  }
}

async function openQuestion(scene: CrashScene, id: string): Promise<string> {
  const since = scene.slack.mark();
  await clickCard(scene, 'ada', id, 'limits_question');
  await nextView(scene.slack, since, /Your question/);
  return 'ada';
}

async function openAnswer(scene: CrashScene, id: string): Promise<string> {
  await scene.slack.control.close({ as: 'mia', all: true }).catch(() => undefined);
  const [question] = await messagesWith(scene, 'mia', 'limit-question:', id);
  const since = scene.slack.mark();
  const source = { in: 'message' as const, channel: 'dm', ts: question?.ts ?? '' };
  await scene.slack.control.click({ as: 'mia', source, actionId: 'limits_answer' });
  await nextView(scene.slack, since, /Your answer/);
  return 'mia';
}

/** The messages of a kind about a request. */
async function messagesWith(scene: CrashScene, as: string, kind: string, id: string): Promise<MessageView[]> {
  const { channels } = await scene.slack.control.state({ as });
  return channels
    .flatMap(({ messages }) => messages)
    .filter(
      ({ metadata, text }) =>
        String(metadata?.event_payload['key']).startsWith(kind) && text.includes(`Words of ${id}`),
    );
}
