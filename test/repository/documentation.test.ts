import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { SETTING_NAMES } from '../../src/core/base/settings/config.ts';
import { codesIn, DOCUMENTS, exists, readText, ROOM_READMES, typeScriptFiles, botFiles } from './parsing/sources.ts';

const README = readText('README.md');
const MAX_README_LINES = 120;
const sources = typeScriptFiles('src');
const bot = botFiles();

/** The folders where a reader of the README may find a path: below the root, or below these. */
const FOLDERS = ['', 'src/', 'test/', 'docs/'];
/** A name without a folder, such as `index.ts`, may be that of any source file. */
const sourceNames = new Set([...sources, ...typeScriptFiles('test')].map(({ path }) => basename(path)));
const isThere = (path: string) =>
  sourceNames.has(path) || FOLDERS.some((folder) => exists(folder + path.replace(/^\.\//, '')));

/** The commands of npm itself; `npm test` and `npm start` are scripts. */
const NPM_COMMANDS = new Set(['ci', 'install', 'exec', 'audit', 'ls']);

/** Environment variables of the tests and of Compose, which are no settings of the bot. */
const OTHER_VARIABLES = ['CHROMIUM_PATH', 'COMPOSE_FILE', 'PROPERTY_SEED', 'TEST_POSTGRES_URL', 'WORST_TEXTS'];
const VARIABLES = new Set<string>([...SETTING_NAMES.flatMap((name) => [name, `${name}_FILE`]), ...OTHER_VARIABLES]);

/** A longer cell belongs in a paragraph or a list below its table. */
const MAX_WORDS_IN_CELL = 25;

/** The first groups of all matches. */
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group = '']) => group);

/** The anchors of a document's headings, as GitHub generates them. */
const anchorsOf = (text: string) =>
  matches(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

function missingPaths(text: string): string[] {
  const isPath = (code: string) =>
    /^[\w.-]+(\/[\w.-]+)*\/?$/.test(code) &&
    (/^(\.ci|\.\/|src\/|test\/|docs\/)/.test(code) || /\.(ts|md|yml|png|svg|json|example)$/.test(code));
  return codesIn(text).filter((code) => isPath(code) && !isThere(code));
}

function missingTargets(text: string, document: string): string[] {
  const targets = [...matches(text, /\]\(([^)\s]+)[^)]*\)/g), ...matches(text, /(?:src|href|srcset)="([^"]+)"/g)];
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const path = file === '' ? document : join(dirname(document), file);
    return !exists(path) || (anchor !== undefined && !anchorsOf(readText(path)).includes(anchor));
  });
}

const missingScripts = (text: string) =>
  [...text.matchAll(/\bnpm (run )?(?:-s )?([a-z][\w:-]*)/g)]
    .filter(([, isScript, name = '']) => (isScript || !NPM_COMMANDS.has(name)) && !(name in manifest.scripts))
    .map(([command]) => command);

function missingSettings(text: string, document: string): string[] {
  // The changelog also names former settings.
  if (document === 'CHANGELOG.md') return [];
  return codesIn(text)
    .flatMap((code) => matches(code, /^([A-Z]+(?:_[A-Z]+)+)(?:=|$)/g))
    .filter((name) => !VARIABLES.has(name));
}

function missingButtons(text: string, document: string): string[] {
  if (!/^docs\/(?:commands\/|how-do-i|policies)/.test(document)) return [];
  const buttons = matches(text, /(?<![*\w])\*([^*\n]+)\*(?![*\w])/g);
  return buttons.filter((button) => !bot.some((file) => file.text.includes(`'${button}'`)));
}

/** Code counts as one word. */
const longCells = (text: string) =>
  matches(text, /^(\|.*)$/gm)
    .flatMap((row) => row.replaceAll(/`[^`]*`/g, 'code').split('|'))
    .filter((cell) => cell.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length > MAX_WORDS_IN_CELL);

/** What each document must not contain, how to find it, and a text that contains one. */
const RULES: readonly [fault: string, find: (text: string, document: string) => string[], planted: string][] = [
  ['files or folders that do not exist', missingPaths, 'See `src/no-such-file.ts`.'],
  ['links to files, headings or images that do not exist', missingTargets, '[a](no.md) [b](#no) <img src="no.png">'],
  ['npm commands that do not exist', missingScripts, 'Run npm run no-such-script.'],
  ['settings that do not exist', missingSettings, 'Set `NO_SUCH_SETTING=1`.'],
  ['buttons that do not exist', missingButtons, 'Click *No such button*.'],
  ['cells that are too long', longCells, `| a | ${'word '.repeat(MAX_WORDS_IN_CELL + 1)} |`],
];

describe.each(RULES)('%s', (_, find, planted) => {
  test.each([...DOCUMENTS, 'SECURITY.md', ...ROOM_READMES])('are not in %s', (document) => {
    expect(find(readText(document), document)).toEqual([]);
  });

  test('are found', () => {
    expect(find(planted, 'docs/how-do-i.md')).toHaveLength(find === missingTargets ? 3 : 1);
  });
});

test(`README.md is a first page of at most ${MAX_README_LINES} lines that links every other document`, () => {
  expect(README.split('\n').length - 1).toBeLessThanOrEqual(MAX_README_LINES);
  expect(DOCUMENTS.slice(1).filter((document) => !README.includes(`(${document})`))).toEqual([]);
});

test('docs/contributing.md links the README of each room', () => {
  const page = readText('docs/contributing.md');
  expect(ROOM_READMES.filter((path) => !page.includes(`(../${path})`))).toEqual([]);
});

test.each(['app', 'core', 'features', 'programs', 'sandbox'])('src/%s has a README', (room) => {
  expect(ROOM_READMES).toContain(`src/${room}/README.md`);
});
