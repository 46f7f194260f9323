import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BUDGET_WORDS } from '../../src/features/alerts/budgets/budget-command.ts';
import { ALERT_WORDS } from '../../src/features/alerts/index.ts';
import { systemClock } from '../../src/core/base/time/clock.ts';
import { COMPUTERS_WORDS } from '../../src/features/computers/computers-command.ts';
import { CONTROLS_WORDS } from '../../src/features/controls/controls-command.ts';
import { digestWords } from '../../src/features/digests/digest-command.ts';
import { LIMITS_WORDS } from '../../src/features/limits/limits-command.ts';
import { READINESS_WORDS } from '../../src/features/readiness/readiness-command.ts';
import { NOTIFY_WORDS } from '../../src/features/sessions/hooks/commands/parse.ts';
import { type CommandHelp, splitWords } from '../../src/core/slack/commands/command-text.ts';
import type { WordList } from '../../src/core/slack/commands/subcommands.ts';
import { VIEWS } from '../../src/features/usage/usage-command.ts';
import { readableCommands } from '../support/ask/commands.ts';
import { codesIn, DOCUMENTS, pathsOf, readText, ROOM_READMES, tableRows } from './parsing/sources.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const COMMANDS = readableCommands({ ...systemClock, now: () => NOW });
const wordsOf = <Request>({ initial, subcommands }: WordList<Request>) =>
  Object.keys(subcommands).filter((word) => word !== initial);

/** The words that can be typed after each command, without the default of the command alone. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  '/usage': [...VIEWS.filter((view) => view !== 'summary'), ...ALERT_WORDS],
  '/budget': wordsOf(BUDGET_WORDS),
  '/readiness': wordsOf(READINESS_WORDS),
  '/session': ['notify', 'mine', ...wordsOf(NOTIFY_WORDS).map((word) => `notify ${word}`)],
  '/controls': wordsOf(CONTROLS_WORDS),
  '/limits': wordsOf(LIMITS_WORDS),
  '/computers': wordsOf(COMPUTERS_WORDS),
  '/digest': wordsOf(digestWords([], '2026-11-20')),
  '/quartermaster': ['here', 'token', 'jobs'],
};

const begins = (text: string, words: string) => `${text} `.startsWith(`${words} `);

/** An example begins with it, or its meaning mentions it: `a view: also models, tools`. */
const isExplained = ({ examples }: CommandHelp, words: string) =>
  examples.some(({ text, meaning }) => {
    const [, also = ''] = meaning.split(/\balso\b/);
    return (
      begins(text, words) || also.split(/[,;]| and | or | for managers /).some((phrase) => phrase.trim() === words)
    );
  });

/** The words in the cells about a command: `/budget edit`, `remove`. */
const typed = (command: string) =>
  pathsOf('docs/commands/*.md')
    .flatMap(tableRows)
    .map(([cell = '']) => codesIn(cell))
    .filter(([first = '']) => begins(first, command))
    .flatMap((codes) => {
      const phrases = codes.map((code) => code.replace(`${command} `, ''));
      // A row about `/session notify` continues with the words after that.
      return phrases.flatMap((phrase) => [phrase, `${phrases[0]?.split(' ')[0]} ${phrase}`]);
    });

describe.each(COMMANDS)('$help.command', ({ help }) => {
  const words = WORDS[help.command] ?? [];

  test('explains in its help each word that can follow it', () => {
    expect(words.filter((word) => !isExplained(help, word))).toEqual([]);
  });

  test('has each word that can follow it on a page of docs/commands', () => {
    const phrases = typed(help.command);
    expect(words.filter((word) => !phrases.some((phrase) => begins(phrase, word)))).toEqual([]);
  });
});

test('each command of the manifest is among these', () => {
  const commands: { command: string }[] = parse(readText('manifest.yml')).features.slash_commands;
  expect(commands.map(({ command }) => command).toSorted()).toEqual(Object.keys(WORDS).toSorted());
});

/** Slack's replacements for names. */
const asSent = (words: string) =>
  words
    .replaceAll('@team', '<!subteam^S0123>')
    .replaceAll('#channel', '<#C0123>')
    .replaceAll(/(?<=^| )@\w+/g, '<@U0123>');

/** Slack's own commands, addresses that the bot serves, and the folder of its image. */
const NOT_COMMANDS = new Set(['/data', '/healthz', '/invite', '/mcp', '/metrics', '/readyz']);

/** A text may name a subcommand without the id or the amount that it needs. */
const ENDINGS = ['', ' k7m2', ' @team 5000'];

/** Whether it can be typed, perhaps with an id. `qm-` is the prefix in examples of `COMMAND_PREFIX`. */
const isUnderstood = (text: string): boolean =>
  ENDINGS.some((ending) => {
    const [command = '', ...words] = splitWords(asSent(text.replace(/^\/qm-/, '/') + ending));
    const kind = COMMANDS.find(({ help }) => help.command === command)?.read(words, NOW).kind;
    return kind !== undefined && kind !== 'misunderstood';
  });

test.each([...DOCUMENTS, ...ROOM_READMES])('%s names only commands that the bot understands', (document) => {
  const commands = codesIn(readText(document)).filter((code) => {
    const [command = ''] = code.split(' ');
    return /^\/[a-z-]+$/.test(command) && !NOT_COMMANDS.has(command);
  });
  expect(commands.filter((command) => !isUnderstood(command))).toEqual([]);
  expect(isUnderstood('/digest preveiw k7m2')).toBe(false);
});
