import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BUDGET_HELP, BUDGET_WORDS, parseBudget } from '../../src/alerts/budgets/budget-command.ts';
import { ALERT_WORDS } from '../../src/alerts/index.ts';
import { COMPUTERS_HELP, COMPUTERS_WORDS, parseComputers } from '../../src/computers/computers-command.ts';
import { CONTROLS_HELP, CONTROLS_WORDS, parseControls } from '../../src/controls/controls-command.ts';
import { DIGEST_HELP, DIGEST_WORDS, parseDigest } from '../../src/digests/digest-command.ts';
import { LIMITS_HELP, LIMITS_WORDS, parseLimits } from '../../src/limits/limits-command.ts';
import { parseReadiness, READINESS_HELP, READINESS_WORDS } from '../../src/readiness/readiness-command.ts';
import { NOTIFY_WORDS, parseNotify } from '../../src/sessions/hooks/commands/parse.ts';
import { parseSession, sessionHelp } from '../../src/sessions/session-command.ts';
import { readReference, splitWords, type CommandHelp } from '../../src/slack/commands/command-words.ts';
import { misunderstood, run, type WordList } from '../../src/slack/commands/subcommands.ts';
import { isComparison, parseComparison } from '../../src/usage/compare/comparison-words.ts';
import { parseUsage, USAGE_HELP, VIEWS } from '../../src/usage/usage-command.ts';
import { codesIn, DOCUMENTS, tableRows } from './parsing/documents.ts';
import { pathsOf, readText, typeScriptFiles } from './parsing/sources.ts';

interface Command {
  help: CommandHelp;
  /** The words that can be typed after it, without the default of the command alone. */
  words: readonly string[];
  /** Reads the words after it as the bot does. */
  read: (words: readonly string[]) => { kind: string };
}

const NOW = new Date('2026-11-20T12:00:00Z');
const wordsOf = <Request>({ initial, subcommands }: WordList<Request>) =>
  Object.keys(subcommands).filter((word) => word !== initial);
const isAlert = (word: string) => ALERT_WORDS.some((one) => one === word);
const isPlace = (word: string) => word === 'me' || ['channel', 'group'].includes(readReference(word)?.kind ?? '');
const runIf = (isKnown: boolean) => (isKnown ? run({}) : misunderstood('Unknown word.'));

function readUsage(words: readonly string[]): { kind: string } {
  const [word = '', ...rest] = words;
  if (isAlert(word)) return runIf(rest.every(isPlace));
  return isComparison(words) ? parseComparison(words, NOW) : parseUsage(words, NOW);
}

function readSession([word = '', ...rest]: readonly string[]): { kind: string } {
  if (word === 'notify') return parseNotify(rest);
  return ['', 'mine'].includes(word) ? runIf(rest.length === 0) : parseSession([word, ...rest]);
}

const notifyWords = wordsOf(NOTIFY_WORDS).map((word) => `notify ${word}`);
const COMMANDS: readonly Command[] = [
  { help: USAGE_HELP, words: [...VIEWS.filter((view) => view !== 'summary'), ...ALERT_WORDS], read: readUsage },
  { help: BUDGET_HELP, words: wordsOf(BUDGET_WORDS), read: parseBudget },
  { help: READINESS_HELP, words: wordsOf(READINESS_WORDS), read: parseReadiness },
  { help: sessionHelp('nobody'), words: ['notify', 'mine', ...notifyWords], read: readSession },
  { help: CONTROLS_HELP, words: wordsOf(CONTROLS_WORDS), read: (words) => parseControls(words, NOW) },
  { help: LIMITS_HELP, words: wordsOf(LIMITS_WORDS), read: (words) => parseLimits(words, NOW) },
  { help: COMPUTERS_HELP, words: wordsOf(COMPUTERS_WORDS), read: parseComputers },
  { help: DIGEST_HELP, words: wordsOf(DIGEST_WORDS), read: (words) => parseDigest(words, NOW) },
];

/** Its words are those that other features offer to admins. */
const GENERAL = '/quartermaster';
const adminWords = typeScriptFiles('src').flatMap(({ text }) =>
  [...text.matchAll(/adminCommands: \{ (\w+):/g)].map(([, word = '']) => word),
);
const GENERAL_WORDS = new Set(['', 'here', 'tokens', 'token', 'token off', ...adminWords]);

const READERS = new Map(COMMANDS.map(({ help, read }) => [help.command, read])).set(GENERAL, (words) =>
  runIf(GENERAL_WORDS.has(words.join(' '))),
);

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

describe.each(COMMANDS)('$help.command', ({ help, words }) => {
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
  expect(commands.map(({ command }) => command).toSorted()).toEqual([...READERS.keys()].toSorted());
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
    return ['run', 'help'].includes(READERS.get(command)?.(words).kind ?? '');
  });

test.each(DOCUMENTS)('%s names only commands that the bot understands', (document) => {
  const commands = codesIn(readText(document)).filter((code) => {
    const [command = ''] = code.split(' ');
    return /^\/[a-z-]+$/.test(command) && !NOT_COMMANDS.has(command);
  });
  expect(commands.filter((command) => !isUnderstood(command))).toEqual([]);
  expect(isUnderstood('/digest preveiw k7m2')).toBe(false);
});
