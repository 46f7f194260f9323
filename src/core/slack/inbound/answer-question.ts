import type { RecordDisclosure } from '../../base/privacy/disclosure.ts';
import { own, markup } from '../../base/text/markup.ts';
import { plainMessage } from '../blocks/messages.ts';
import { splitWords } from '../commands/command-text.ts';
import type { SlashCommand } from '../interactions/interactions.ts';
import type { People, Person } from '../people/people.ts';
import type { HandlersByName } from './handlers-by-name.ts';
import { type InteractionDeps, type Plan, type PlanningDeps, beginInteraction, planCommand } from './interaction.ts';
import type { Question } from '../interactions/question.ts';

/** Answers as the slash command would, with its checks and records. Commands that change something are not carried out. */
export function answerQuestion(
  deps: InteractionDeps,
  handlers: HandlersByName,
  { slackId, channel, command, text, reply, takesFiles = false, restrict, disclosedAs, about }: Question,
): Promise<string> {
  const people = restrict ? restricted(deps.people, restrict) : deps.people;
  const recordDisclosure: RecordDisclosure = ({ names, ...to }) =>
    deps.recordDisclosure({ ...to, names: disclosedAs ? { ...names, what: disclosedAs } : names });
  return beginInteraction(
    { ...deps, people, recordDisclosure },
    planQuestion(deps, handlers.commands, { command, text, takesFiles }),
    {
      slackId,
      triggerId: undefined,
      channel,
      origin: { kind: 'question', reply },
      about: { ...about, command, user: slackId },
    },
  )();
}

function planQuestion(
  deps: PlanningDeps,
  commands: ReadonlyMap<string, SlashCommand>,
  typed: { command: string; text: string; takesFiles: boolean },
): Plan {
  const plan = planCommand(deps, commands, typed);
  const read = commands.get(typed.command)?.read(splitWords(typed.text), deps.clock.now());
  const changes =
    read?.kind === 'modal' ||
    (read?.kind === 'run' && (read.isQuestion !== true || (read.isFile === true && !typed.takesFiles)));
  if (!changes) return plan;
  const sentence = markup`Questions change nothing and send no files. Type \`${own(`${typed.command} ${typed.text}`.trim())}\` in Slack.`;
  return {
    role: 'member',
    what: 'This',
    outcome: 'refused',
    act: ({ reply }) => reply.show(plainMessage(sentence)),
  };
}

function restricted(people: People, restrict: (person: Person) => Person): People {
  return {
    ...people,
    identify: async (slackId) => {
      const identification = await people.identify(slackId);
      return identification.kind === 'known'
        ? { kind: 'known', person: restrict(identification.person) }
        : identification;
    },
    // No question needs a role that was just read, and a restricted person must not get one.
    identifyAfresh: () => Promise.resolve({ kind: 'refused', reason: 'unknown' }),
  };
}
