import { nameKey } from '../../../core/base/text/email.ts';
import { joinWords } from '../../../core/slack/commands/command-text.ts';
import { REFUSAL_SENTENCES, type Person } from '../../../core/slack/people/people.ts';
import { captureAnswer, type CapturedMessage } from '../answers/captured-answer.ts';
import { readableText } from '../answers/readable-text.ts';
import { structuredAnswer, type StructuredAnswer } from '../answers/structured-answer.ts';
import type { ToolDeps } from '../ask-deps.ts';
import { countQuestion } from '../question-limits.ts';
import { readSubjectWords, type SubjectWords } from '../subject-words.ts';
import type { Tool, ToolArguments } from './tools.ts';

export interface ToolCaller {
  slackId: string;
  /** Who reads the answer for the person. */
  client: 'slackbot' | 'token';
}

export type ToolAnswer =
  | { kind: 'answer'; text: string; structured: StructuredAnswer; messages: readonly CapturedMessage[] }
  | { kind: 'fault'; text: string };

/** Runs the command of a tool for a person, with the rights of that person at this moment. */
export async function callTool(
  deps: ToolDeps,
  tool: Tool,
  given: Partial<ToolArguments>,
  { slackId, client }: ToolCaller,
): Promise<ToolAnswer> {
  const admission = await countQuestion(deps, 'tool', slackId);
  if (admission.kind === 'too_many')
    return fault(`These are too many questions in one minute. Ask again in ${admission.waitSeconds} seconds.`);
  const identification = await deps.people.identify(slackId);
  if (identification.kind === 'refused') return fault(REFUSAL_SENTENCES[identification.reason]);
  const elsewhere = tool.answeredInSlack?.(given);
  if (elsewhere !== undefined) return fault(elsewhere);
  const showsPeople = deps.config.tools?.showsPeople === true;
  const namesPeople = showsPeople && identification.person.seesPeople;
  const subject = given.subject === undefined ? undefined : await readSubject(deps, tool, given.subject, namesPeople);
  if (subject?.kind === 'unclear') return fault(withCorrections(subject.sentence, subject.meant));
  const words = tool.words({ ...given, subject: subject?.word });
  const typed = words.flatMap((word) => (word ? word.split(/\s+/) : []));
  const text = joinWords(typed.filter((word) => word !== ''));
  const { reply, messages } = captureAnswer(deps.inWorkspaceNames);
  let isRestricted = false;
  const restrict = (person: Person): Person => {
    isRestricted = person.seesPeople;
    const role = tool.listsPeople?.(words) === true ? 'member' : person.role;
    return { ...person, role, seesPeople: false, isReadByModel: true };
  };
  const outcome = await deps.ask({
    slackId,
    channel: '',
    command: tool.command,
    name: `${client}:${tool.name}`,
    text,
    reply,
    disclosedAs: client,
    about: { tool: tool.name, client },
    ...(showsPeople ? {} : { restrict }),
  });
  const command = await readableText(`${tool.command} ${text}`.trim(), deps);
  // Only Slack knew the e-mail of a name. A refusal repeats the name that was given, so that the model learns none.
  const asGiven = (refusal: string) =>
    subject === undefined || namesPeople || !subject.word.includes('@')
      ? refusal
      : refusal.replaceAll(subject.word, given.subject?.trim() ?? '');
  if (outcome === 'lacks_role' && isRestricted) return fault(hiddenPeople(asGiven(command)));
  const lines = await Promise.all(messages.map((message) => readableText(message.text, deps)));
  const answered = lines.join('\n\n');
  if (outcome !== 'answered')
    return fault(answered === '' ? 'This could not be answered. Try again in a minute.' : asGiven(answered));
  return { kind: 'answer', text: answered, structured: structuredAnswer(command, answered, messages), messages };
}

async function readSubject(
  { people }: ToolDeps,
  { subjects = {} }: Tool,
  text: string,
  namesPeople: boolean,
): Promise<SubjectWords> {
  const word = Object.entries(subjects).find(([subject]) => subject === nameKey(text))?.[1];
  return word === undefined ? readSubjectWords(text, people, { namesPeople }) : { kind: 'word', word };
}

/** `MCP_PEOPLE` is off. */
const hiddenPeople = (command: string) =>
  `Figures of other people aren’t shown here, because a model reads this answer. To see them, type ${command} in Slack.`;

const fault = (text: string): ToolAnswer => ({ kind: 'fault', text });

const withCorrections = (sentence: string, meant: readonly string[]) =>
  meant.length === 0 ? sentence : `${sentence} Did you mean ${meant.join(' or ')}?`;
