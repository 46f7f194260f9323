import type { Interaction, ReadCommand, RunsInModal, SlashCommand } from '../interactions/interactions.ts';
import type { OpenModal } from '../blocks/views.ts';
import { correctionOf, joinWords } from '../commands/command-text.ts';
import { splitWords } from '../commands/command-words.ts';
import { planOf, type InteractionDeps, type Plan } from './interaction.ts';
import { chosenHandles, isUnknownName, meantTeam } from '../commands/team-names.ts';
import { helpMessage, plainMessage } from '../blocks/messages.ts';
import { MAX_COMMAND_TEXT_LENGTH } from './payload.ts';
import type { Person } from '../people/people.ts';
import { formatNumber } from '../../base/text/numbers.ts';

/** The plan for a slash command, or for a button that runs one. */
export function planCommand(
  { clock, offeredTeams }: Pick<InteractionDeps, 'clock' | 'offeredTeams'>,
  commands: ReadonlyMap<string, SlashCommand>,
  typed: { command: string; text: string },
): Plan {
  return planOf(typed.command, () => {
    const command = commands.get(typed.command);
    if (!command) return sentencePlan(`This version of Quartermaster does not know ${typed.command}.`);
    const base = { role: command.role, what: typed.command };
    if (typed.text.length > MAX_COMMAND_TEXT_LENGTH) {
      const sentence = `That is too long for ${typed.command}: use at most ${formatNumber(MAX_COMMAND_TEXT_LENGTH)} characters.`;
      return {
        ...base,
        outcome: 'misunderstood',
        act: ({ reply }) => reply.show(helpMessage(command.help, { sentence })),
      };
    }
    const readAgain = (words: readonly string[]) => command.read(words, clock.now());
    const read = readAgain(splitWords(typed.text));
    const retry = () => ({ command: command.help.command, text: sameWords(typed.text, readAgain) });
    switch (read.kind) {
      case 'run': {
        const answered = { ...base, ...read.onlyFor, outcome: 'answered', retry: retry() };
        return read.isRoleFresh ? { ...answered, isRoleFresh: true, act: read.run } : { ...answered, act: read.run };
      }
      case 'modal':
        return {
          ...base,
          ...read.onlyFor,
          outcome: 'answered',
          retry: retry(),
          modalTitle: read.title,
          ...inModal(read),
        };
      case 'help':
        // Help is public: users without the role learn there which people to ask.
        return {
          ...base,
          role: 'member',
          outcome: read.kind,
          act: async ({ reply }) => {
            const teams = command.help.takesTeams ? await offeredTeams() : [];
            await reply.show(helpMessage(command.help, { role: command.role, teams: chosenHandles(teams) }));
          },
        };
      case 'misunderstood':
        return {
          ...base,
          outcome: read.kind,
          act: async ({ reply }) => {
            const fault = faultOf(read, readAgain);
            const words = splitWords(typed.text);
            const isAboutTeam = command.help.takesTeams && words.some(isUnknownName);
            const teamFault = isAboutTeam ? meantTeam(words, await offeredTeams(), readAgain) : undefined;
            await reply.show(helpMessage(command.help, teamFault ?? fault));
          },
        };
      default:
        return read satisfies never;
    }
  });
}

const sameWords = (text: string, readAgain: (words: readonly string[]) => ReadCommand) =>
  correctionOf({ kind: 'misunderstood', corrected: joinWords(splitWords(text)) }, readAgain);

function faultOf(
  read: Extract<ReadCommand, { kind: 'misunderstood' }>,
  readAgain: (words: readonly string[]) => ReadCommand,
) {
  return { sentence: read.sentence, corrected: correctionOf(read, readAgain) };
}

export function sentencePlan(sentence: string): Plan {
  return {
    role: 'member',
    what: 'This',
    outcome: 'unknown',
    act: ({ reply }) => reply.show(plainMessage(sentence)),
  };
}

const whenOpen =
  <Who extends Person>(run: (interaction: Interaction<Who>, modal: OpenModal) => Promise<void>) =>
  async (interaction: Interaction<Who>, modal: OpenModal | undefined) =>
    modal && run(interaction, modal);

export function inModal(inside: RunsInModal) {
  return inside.isRoleFresh
    ? ({ isRoleFresh: true, act: whenOpen(inside.run) } as const)
    : ({ act: whenOpen(inside.run) } as const);
}
