import { type CommandText, splitWords, understoodText } from '../../../core/slack/commands/command-text.ts';
import { readableText } from '../answers/readable-text.ts';
import type { AskDeps } from '../ask-deps.ts';
import type { SlashCommand } from '../../../core/slack/interactions/interactions.ts';
import { isRefusedTo } from '../../../core/slack/interactions/verbs.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import type { CommandLine } from './reading.ts';

/** A command line that its command understands. */
export interface UnderstoodLine {
  command: string;
  text: CommandText;
  /** With names in place of Slack’s ids. */
  shown: string;
  isQuestion: boolean;
  opensForm: boolean;
  /** Whether this person would get a refusal. */
  isRefused: boolean;
}

export interface Reader {
  person: Person;
  channel: string;
}

export interface UnderstandingDeps extends Pick<AskDeps, 'clock' | 'people' | 'channels'> {
  /** By their names, such as `/usage`. */
  commands: ReadonlyMap<string, SlashCommand>;
}

/** Undefined if the command doesn’t understand the line, so that no message is read as something else. */
export async function understand(
  { commands, clock, people, channels }: UnderstandingDeps,
  { command: name, text: typed }: CommandLine,
  { person, channel }: Reader,
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
    isRefused: isRefusedTo(person, channel, { command, read }),
  };
}

/** The lines that a person may be offered: each is understood, allowed, shown differently, and changes nothing at once. */
export async function offeredLines(
  deps: UnderstandingDeps,
  lines: readonly CommandLine[],
  reader: Reader,
): Promise<UnderstoodLine[]> {
  const understood = await Promise.all(lines.map((line) => understand(deps, line, reader)));
  const mayOffer = (line: UnderstoodLine) => !line.isRefused && (line.isQuestion || line.opensForm);
  const allowed = understood.flatMap((line) => (line && mayOffer(line) ? [line] : []));
  return allowed.filter(({ shown }, at) => allowed.findIndex((other) => other.shown === shown) === at);
}
