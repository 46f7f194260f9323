import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { splitWords } from '../../../core/slack/commands/command-text.ts';
import type { DirectedMessage } from '../../../core/slack/interactions/directed-messages.ts';
import type { AskQuestion } from '../../../core/slack/interactions/question.ts';
import type { Meanings, OfferMeanings, SlashCommand } from '../../../core/slack/interactions/interactions.ts';
import type { Reply } from '../../../core/slack/outbound/reply.ts';
import { isFirstTime } from '../../../core/slack/inbound/seen-events.ts';
import { REFUSAL_SENTENCES, type Person } from '../../../core/slack/people/people.ts';
import type { AskDeps } from '../ask-deps.ts';
import { countQuestion } from '../question-limits.ts';
import {
  actionMessage,
  buttonsFor,
  helloMessage,
  unclearMessage,
  unknownMessage,
  withReading,
} from './message-views.ts';
import type { Reading, ReadMessage, CommandLine } from './reading.ts';
import { offeredLines, understand, type UnderstandingDeps } from './understood-line.ts';
import { hasRole } from '../../../core/base/roles.ts';

const MAX_LENGTH = 300;
const MAX_NEAR = 2;
const MAX_MEANINGS = 3;

interface Answering {
  reply: Reply;
  answer: AskQuestion;
  commands: ReadonlyMap<string, SlashCommand>;
}

/** Answers with the command that a message means. Its text is not stored or logged, so a crash loses it. */
export async function answerMessage(
  deps: AskDeps,
  readMessage: ReadMessage,
  message: DirectedMessage,
  { reply, answer, commands }: Answering,
): Promise<string> {
  if (!deps.config.words) return 'ignored';
  const { slackId, channel, ts, text } = message;
  // Slack repeats an event until it is acknowledged; each copy names the same message.
  if (!(await isFirstTime(deps.db, `message:${channel}:${ts}`, deps.clock.now()))) return 'duplicate';
  const identification = await deps.people.identify(slackId);
  if (identification.kind === 'refused') {
    const hour = deps.clock.now().toISOString().slice(0, 13);
    if (await isFirstTime(deps.db, `refused:${slackId}:${hour}`, deps.clock.now()))
      await reply.show(plainMessage(REFUSAL_SENTENCES[identification.reason]));
    return 'refused';
  }
  const { person } = identification;
  const admission = await countQuestion(deps, 'message', slackId);
  if (admission.kind === 'too_many') {
    const sentence = `These are too many questions in one minute. Ask again in ${admission.waitSeconds} seconds.`;
    if (admission.isFirst) await reply.show(plainMessage(sentence));
    return 'refused';
  }
  if (text.length > MAX_LENGTH) {
    const examples = await offeredLines({ ...deps, commands }, examplesFor(person), { person, channel });
    await reply.show(unknownMessage(examples, 'That is too long for me.'));
    return 'unknown';
  }
  const reading = await readMessage(text, deps.clock.now());
  return answerReading({ ...deps, commands }, reading, person, message, { reply, answer });
}

async function answerReading(
  deps: UnderstandingDeps,
  reading: Reading,
  person: Person,
  { slackId, channel, isDirect }: DirectedMessage,
  { reply, answer }: Omit<Answering, 'commands'>,
): Promise<string> {
  const offered = (lines: readonly CommandLine[]) => offeredLines(deps, lines, { person, channel });
  if (reading.kind === 'ambiguous') {
    await reply.show(plainMessage(reading.sentence));
    return 'unclear';
  }
  if (reading.kind === 'hello') {
    await reply.show(helloMessage(await offered([...examplesFor(person).slice(0, 2), line('/quartermaster', '')])));
    return 'hello';
  }
  const near = await offered(reading.near);
  const understood = reading.kind === 'answer' ? await understand(deps, reading.line, { person, channel }) : undefined;
  if (!understood) {
    const sentence = reading.kind === 'unclear' ? reading.sentence : undefined;
    const isUnknown = near.length === 0;
    if (isUnknown) await reply.show(unknownMessage(await offered(examplesFor(person)), sentence));
    else await reply.show(unclearMessage(near.slice(0, MAX_MEANINGS), sentence));
    return isUnknown ? 'unknown' : 'unclear';
  }
  if (!understood.isQuestion) {
    await reply.show(actionMessage(understood));
    return 'action';
  }
  let isFirst = true;
  const show: Reply['show'] = async (answered) => {
    await reply.show(isFirst ? withReading(answered, understood, near.slice(0, MAX_NEAR)) : answered);
    isFirst = false;
  };
  return answer({
    slackId,
    channel,
    command: understood.command,
    text: understood.text.text,
    takesFiles: true,
    reply: { ...reply, show, add: show },
    about: { way: isDirect ? 'direct_message' : 'mention' },
  });
}

/** One unknown word says too little, and two say enough only if they are clear: the sentence about the word says more. */
const LEAST_WORDS = { clear: 2, unclear: 3 };
const NO_MEANINGS: Meanings = { buttons: [], isClear: false };

/** For words that their command does not understand. What they may mean is shown, and never carried out. */
export async function offerMeanings(
  deps: AskDeps,
  readMessage: ReadMessage,
  ...[{ command, text }, reader, commands]: Parameters<OfferMeanings>
): Promise<Meanings> {
  const count = splitWords(text).length;
  if (!deps.config.words || text.length > MAX_LENGTH || count < LEAST_WORDS.clear) return NO_MEANINGS;
  try {
    const reading = await readMessage(text, deps.clock.now());
    const offered = await offeredLines({ ...deps, commands }, linesFor(reading, command, count), reader);
    return { buttons: buttonsFor(offered.slice(0, MAX_MEANINGS)), isClear: reading.kind === 'answer' };
  } catch (error) {
    // The sentence about the unknown word is an answer, too.
    deps.log.warn({ err: error }, 'What a command does not understand could not be read as a message');
    return NO_MEANINGS;
  }
}

/** What is not clear may at least be for the command that was typed. */
function linesFor(reading: Reading, typed: string, count: number): readonly CommandLine[] {
  if (reading.kind === 'answer') return [reading.line, ...reading.near];
  const isSentence = reading.kind === 'unclear' && count >= LEAST_WORDS.unclear;
  return isSentence ? reading.near.filter(({ command }) => command === typed) : [];
}

const line = (command: string, text: string): CommandLine => ({ command, text });

/** Three commands for a first question. */
function examplesFor({ role }: Pick<Person, 'role'>): readonly CommandLine[] {
  if (!hasRole(role, 'manager')) return [line('/usage', 'last week me'), line('/limits', ''), line('/readiness', '')];
  return [line('/usage', 'last week'), line('/usage', 'moved last month'), line('/budget', '')];
}
