import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SETTING_NAMES } from '../../src/base/settings/config.ts';
import { exists, readText, ROOT, typeScriptFiles } from './parsing/sources.ts';

const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});
const manifest = packageSchema.parse(JSON.parse(readText('package.json')));
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const readme = readText('README.md');
const MAX_README_LINES = 120;

/** Where somebody who reads the README may find a path: below the root, or below these. */
const FOLDERS = ['', 'src/', 'test/', 'docs/'];
const isThere = (path: string) => FOLDERS.some((folder) => exists(folder + path.replace(/^\.\//, ''))) || isName(path);

/** A name without a folder, such as `index.ts`, may be that of any source file. */
const sourceNames = new Set([...typeScriptFiles('src'), ...typeScriptFiles('test')].map(({ path }) => basename(path)));
const isName = (path: string) => sourceNames.has(path);

/** The commands of npm itself; `npm test` and `npm start` are scripts. */
const NPM_COMMANDS = new Set(['ci', 'install', 'exec', 'audit', 'ls']);

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
    const inBackticks = [...readText(document).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
    const paths = inBackticks.filter(
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

  test.each(DOCUMENTS)('of which %s is one, name only npm commands that exist', (document) => {
    const commands = [...readText(document).matchAll(/\bnpm (run )?(?:-s )?([a-z][\w:-]*)/g)]
      .filter((match) => match[1] !== undefined || !NPM_COMMANDS.has(match[2] ?? ''))
      .map((match) => match[2] ?? '');
    expect(commands.filter((command) => !(command in manifest.scripts))).toEqual([]);
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
