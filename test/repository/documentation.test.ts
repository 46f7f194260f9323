import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ALERT_WORDS } from '../../src/alerts/index.ts';
import { parseBudget } from '../../src/alerts/budgets/budget-command.ts';
import { SETTING_NAMES } from '../../src/base/settings/config.ts';
import { parseComputers } from '../../src/computers/computers-command.ts';
import { parseControls } from '../../src/controls/controls-command.ts';
import { parseDigest } from '../../src/digests/digest-command.ts';
import { parseLimits } from '../../src/limits/limits-command.ts';
import { parseReadiness } from '../../src/readiness/readiness-command.ts';
import { parseSession } from '../../src/sessions/session-command.ts';
import { parseNotify } from '../../src/sessions/hooks/commands/parse.ts';
import { readReference, splitWords } from '../../src/slack/commands/command-words.ts';
import { misunderstood, run } from '../../src/slack/commands/subcommands.ts';
import { isComparison, parseComparison } from '../../src/usage/compare/comparison-words.ts';
import { parseUsage } from '../../src/usage/usage-command.ts';
import { exists, readText, ROOT, typeScriptFiles } from './parsing/sources.ts';

const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});
const manifest = packageSchema.parse(JSON.parse(readText('package.json')));
const DOCUMENTS = ['README.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
const readme = readText('README.md');
const MAX_README_LINES = 120;

/** The folders where a reader of the README may find a path: below the root, or below these. */
const FOLDERS = ['', 'src/', 'test/', 'docs/'];
const isThere = (path: string) => FOLDERS.some((folder) => exists(folder + path.replace(/^\.\//, ''))) || isName(path);

/** A name without a folder, such as `index.ts`, may be that of any source file. */
const sourceNames = new Set([...typeScriptFiles('src'), ...typeScriptFiles('test')].map(({ path }) => basename(path)));
const isName = (path: string) => sourceNames.has(path);

/** The commands of npm itself; `npm test` and `npm start` are scripts. */
const NPM_COMMANDS = new Set(['ci', 'install', 'exec', 'audit', 'ls']);

/** Environment variables of the tests and of Compose, which are no settings of the bot. */
const OTHER_VARIABLES = new Set(['CHROMIUM_PATH', 'COMPOSE_FILE', 'PROPERTY_SEED', 'TEST_POSTGRES_URL', 'WORST_TEXTS']);

const inBackticks = (document: string) =>
  [...readText(document).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');

/** A longer cell belongs in a paragraph or a list below its table. */
const MAX_WORDS_IN_CELL = 25;

/** Code counts as one word. */
const countWords = (cell: string) => cell.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const longCellsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.replaceAll(/`[^`]*`/g, 'code').split('|'))
    .filter((cell) => countWords(cell) > MAX_WORDS_IN_CELL);

const NOW = new Date('2026-11-20T12:00:00Z');
const sources = typeScriptFiles('src');
const adminWords = sources.flatMap(({ text }) =>
  [...text.matchAll(/adminCommands: \{ (\w+):/g)].map(([, word = '']) => word),
);
const isPlace = (word: string) => word === 'me' || ['channel', 'group'].includes(readReference(word)?.kind ?? '');
const readUsage = (words: readonly string[]) =>
  isComparison(words) ? parseComparison(words, NOW) : parseUsage(words, NOW);
const isAlert = (word: string) => ALERT_WORDS.some((one) => one === word);
const runIf = (isKnown: boolean) => (isKnown ? run({}) : misunderstood('Unknown word.'));

/** Reads the words after each command as the bot does. */
const READERS: Readonly<Record<string, (words: readonly string[]) => { kind: string }>> = {
  '/budget': parseBudget,
  '/computers': parseComputers,
  '/controls': (words) => parseControls(words, NOW),
  '/digest': (words) => parseDigest(words, NOW),
  '/limits': (words) => parseLimits(words, NOW),
  '/quartermaster': ([word = '', ...rest]) => {
    if (word === 'token') return runIf(['', 'off'].includes(rest.join(' ')));
    return runIf(rest.length === 0 && ['', 'here', 'tokens', ...adminWords].includes(word));
  },
  '/readiness': parseReadiness,
  '/session': ([word = '', ...rest]) => {
    if (word === 'notify') return parseNotify(rest);
    return ['', 'mine'].includes(word) ? runIf(rest.length === 0) : parseSession([word, ...rest]);
  },
  '/usage': ([word = '', ...rest]) =>
    isAlert(word) ? runIf(rest.every(isPlace)) : readUsage(word === '' ? [] : [word, ...rest]),
};

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
function isUnderstood(typed: string): boolean {
  return ENDINGS.some((ending) => {
    const [command = '', ...words] = splitWords(asSent(typed.replace(/^\/qm-/, '/') + ending));
    const kind = READERS[command]?.(words).kind;
    return kind === 'run' || kind === 'help';
  });
}

const commandsIn = (document: string) =>
  inBackticks(document).filter((text) => {
    const [command = ''] = text.split(' ');
    return /^\/[a-z-]+$/.test(command) && !NOT_COMMANDS.has(command);
  });

/** The anchors of a document's headings, as GitHub generates them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

/** The first cells of a document's table rows. */
const firstCellsOf = (document: string) =>
  readText(document)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|')[1] ?? '')
    .join('\n');

describe('README.md', () => {
  test(`is a first page of at most ${MAX_README_LINES} lines that links every other document`, () => {
    expect(readme.split('\n').length - 1).toBeLessThanOrEqual(MAX_README_LINES);
    expect(DOCUMENTS.filter((document) => document !== 'README.md' && !readme.includes(`(${document})`))).toEqual([]);
  });
});

describe('the documents', () => {
  test.each(DOCUMENTS)('of which %s is one, name only files and folders that exist', (document) => {
    const paths = inBackticks(document).filter(
      (text) =>
        /^[\w.-]+(\/[\w.-]+)*\/?$/.test(text) &&
        (/^(\.ci|\.\/|src\/|test\/|docs\/)/.test(text) || /\.(ts|md|yml|png|svg|json|example)$/.test(text)),
    );
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  test.each(DOCUMENTS)('of which %s is one, show only images and links that exist', (document) => {
    const text = readText(document);
    const markdown = [...text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map((match) => match[1] ?? '');
    const html = [...text.matchAll(/(?:src|href|srcset)="([^"]+)"/g)].map((match) => match[1] ?? '');
    const local = [...markdown, ...html].filter((target) => !/^([a-z]+:|#)/.test(target));
    const folder = dirname(document);
    expect(local.filter((target) => !exists(join(folder, target.split('#')[0] ?? '')))).toEqual([]);
  });

  test.each(DOCUMENTS)('of which %s is one, link only to headings that exist', (document) => {
    const links = [...readText(document).matchAll(/\]\(([\w./-]*)#([\w-]+)\)/g)];
    const missing = links.filter(([, file = '', anchor = '']) => {
      const target = file === '' ? document : join(dirname(document), file);
      return !anchorsOf(readText(target)).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  test.each(DOCUMENTS)('of which %s is one, name only npm commands that exist', (document) => {
    const commands = [...readText(document).matchAll(/\bnpm (run )?(?:-s )?([a-z][\w:-]*)/g)]
      .filter((match) => match[1] !== undefined || !NPM_COMMANDS.has(match[2] ?? ''))
      .map((match) => match[2] ?? '');
    expect(commands.filter((command) => !(command in manifest.scripts))).toEqual([]);
  });

  test.each(DOCUMENTS)('of which %s is one, name only Slack commands that the bot understands', (document) => {
    expect(commandsIn(document).filter((typed) => !isUnderstood(typed))).toEqual([]);
    expect(isUnderstood('/digest preveiw k7m2')).toBe(false);
  });

  // The changelog also names former settings.
  const current = DOCUMENTS.filter((document) => document !== 'CHANGELOG.md');
  test.each(current)('of which %s is one, name only settings that exist', (document) => {
    const names = inBackticks(document).flatMap((text) => /^([A-Z]+(?:_[A-Z]+)+)(?:=|$)/.exec(text)?.[1] ?? []);
    const known = new Set<string>([...SETTING_NAMES, ...SETTING_NAMES.map((name) => `${name}_FILE`)]);
    expect(names.filter((name) => !known.has(name) && !OTHER_VARIABLES.has(name))).toEqual([]);
  });

  test.each([...globSync('docs/commands/*.md', { cwd: ROOT }), 'docs/how-do-i.md'])(
    'of which %s is one, name only buttons that exist',
    (document) => {
      const buttons = [...readText(document).matchAll(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g)].map(
        ([, text = '']) => text,
      );
      const isInSources = (text: string) => sources.some((file) => file.text.includes(`'${text}'`));
      expect(buttons.filter((text) => !isInSources(text))).toEqual([]);
    },
  );

  test.each(DOCUMENTS)(`of which %s is one, have no table cell of more than ${MAX_WORDS_IN_CELL} words`, (document) => {
    expect(longCellsOf(readText(document))).toEqual([]);
    expect(longCellsOf(`| \`a b\` | ${'word '.repeat(MAX_WORDS_IN_CELL + 1)} |`)).toHaveLength(1);
  });

  test('list every dependency in a table', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const listed = new Set(
      [...firstCellsOf('docs/contributing.md').matchAll(/[@\w][\w@/.-]*/g)].map((match) => match[0]),
    );
    expect(names.filter((name) => !listed.has(name))).toEqual([]);
  });

  test('list every setting in a table', () => {
    const listed = new Set([...firstCellsOf('docs/settings.md').matchAll(/[A-Z][A-Z_]+/g)].map((match) => match[0]));
    expect(SETTING_NAMES.filter((name) => !listed.has(name))).toEqual([]);
  });
});
