import { type CommandText, splitWords, understoodText } from '../../../core/slack/commands/command-text.ts';
import { readableText } from '../answers/readable-text.ts';
import type { AskDeps } from '../ask-deps.ts';
import type { SlashCommand } from '../../../core/slack/interactions/interactions.ts';
import type { CommandLine } from './reading.ts';

/** A command line that its command understands. */
export interface UnderstoodLine {
  command: string;
  text: CommandText;
  /** With names in place of Slack’s ids. */
  shown: string;
  isQuestion: boolean;
  opensForm: boolean;
}

export interface UnderstandingDeps extends Pick<AskDeps, 'clock' | 'people' | 'channels'> {
  /** By their names, such as `/usage`. */
  commands: ReadonlyMap<string, SlashCommand>;
}

/** Undefined if the command doesn’t understand the line, so that no message is read as something else. */
export async function understand(
  { commands, clock, people, channels }: UnderstandingDeps,
  { command: name, text: typed }: CommandLine,
): Promise<UnderstoodLine | undefined> {
  const command = commands.get(name);
  if (!command) return undefined;
  const readAgain = (words: readonly string[]) => command.read(words, clock.now());
  const text = understoodText(typed, readAgain);
  if (!text) return undefined;
  const read = readAgain(splitWords(typed));
  return {
    command: name,
    text,
    shown: await readableText(`${name} ${typed}`.trim(), { people, channels }),
    isQuestion: read.kind === 'run' && read.isQuestion === true,
    opensForm: read.kind === 'modal',
  };
}

export async function understandAll(deps: UnderstandingDeps, lines: readonly CommandLine[]): Promise<UnderstoodLine[]> {
  return (await Promise.all(lines.map((line) => understand(deps, line)))).filter((line) => line !== undefined);
}
