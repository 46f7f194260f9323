import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { COMPUTERS_HELP, COMPUTERS_WORDS } from '../../src/computers/computers-command.ts';
import { CONTROLS_HELP, CONTROLS_WORDS } from '../../src/controls/controls-command.ts';
import { DIGEST_HELP, DIGEST_WORDS } from '../../src/digests/digest-command.ts';
import { LIMITS_HELP, LIMITS_WORDS } from '../../src/limits/limits-command.ts';
import { READINESS_HELP, READINESS_WORDS } from '../../src/readiness/readiness-command.ts';
import { NOTIFY_WORDS } from '../../src/sessions/hooks/commands/parse.ts';
import { sessionHelp } from '../../src/sessions/session-command.ts';
import type { CommandHelp } from '../../src/slack/commands/command-words.ts';
import type { WordList } from '../../src/slack/commands/subcommands.ts';
import { BUDGET_HELP, BUDGET_WORDS } from '../../src/alerts/budgets/budget-command.ts';
import { USAGE_HELP, VIEWS } from '../../src/usage/usage-command.ts';
import { ALERT_WORDS } from '../../src/alerts/index.ts';
import { readText, ROOT } from './parsing/sources.ts';

const manifestSchema = z.object({ features: z.object({ slash_commands: z.array(z.object({ command: z.string() })) }) });

interface Command {
  help: CommandHelp;
  /** The words that can be typed after it, without the default of the command alone. */
  words: readonly string[];
}

const wordsOf = <Request>({ initial, subcommands }: WordList<Request>) =>
  Object.keys(subcommands).filter((word) => word !== initial);

const COMMANDS: readonly Command[] = [
  { help: USAGE_HELP, words: [...VIEWS.filter((view) => view !== 'summary'), ...ALERT_WORDS] },
  { help: BUDGET_HELP, words: wordsOf(BUDGET_WORDS) },
  { help: READINESS_HELP, words: wordsOf(READINESS_WORDS) },
  { help: sessionHelp('nobody'), words: ['notify', 'mine', ...wordsOf(NOTIFY_WORDS).map((word) => `notify ${word}`)] },
  { help: CONTROLS_HELP, words: wordsOf(CONTROLS_WORDS) },
  { help: LIMITS_HELP, words: wordsOf(LIMITS_WORDS) },
  { help: COMPUTERS_HELP, words: wordsOf(COMPUTERS_WORDS) },
  { help: DIGEST_HELP, words: wordsOf(DIGEST_WORDS) },
];
/** Its words are those that other features offer to admins. */
const OF_OTHERS = ['/quartermaster'];

const begins = (text: string, words: string) => `${text} `.startsWith(`${words} `);

/** An example begins with it, or its meaning mentions it: `a view: also models, tools`. */
const isExplained = ({ examples }: CommandHelp, words: string) =>
  examples.some(({ text, meaning }) => {
    const [, also = ''] = meaning.split(/\balso\b/);
    return (
      begins(text, words) || also.split(/[,;]| and | or | for managers /).some((phrase) => phrase.trim() === words)
    );
  });

const PAGES = globSync('docs/commands/*.md', { cwd: ROOT });

/** The cells about a command that contain typable words: `/budget edit`, `remove`. */
const typed = (command: string) =>
  PAGES.flatMap((page) => [...readText(page).matchAll(/^\| (`\/[^|]+) \|/gm)])
    .map(([, cell = '']) => cell)
    .filter((cell) => begins(cell.slice(1).replaceAll('`', ' '), command))
    .flatMap((cell) => {
      const phrases = [...cell.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase.replace(`${command} `, ''));
      // A row about `/session notify` continues with the words after that.
      const [first = ''] = phrases;
      return phrases.flatMap((phrase) => [phrase, `${first.split(' ')[0]} ${phrase}`]);
    });

describe.each(COMMANDS.map((one) => ({ ...one, command: one.help.command })))(
  '$command',
  ({ help, command, words }) => {
    test('explains in its help each word that can follow it', () => {
      expect(words.filter((word) => !isExplained(help, word))).toEqual([]);
    });

    test('has each word that can follow it on a page of docs/commands', () => {
      const phrases = typed(command);
      expect(words.filter((word) => !phrases.some((phrase) => begins(phrase, word)))).toEqual([]);
    });
  },
);

test('each command of the manifest is among these', () => {
  const { features } = manifestSchema.parse(parse(readText('manifest.yml')));
  const known = [...COMMANDS.map(({ help }) => help.command), ...OF_OTHERS];
  expect(features.slash_commands.map(({ command }) => command).toSorted()).toEqual(known.toSorted());
});
