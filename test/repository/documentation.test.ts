import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SETTING_NAMES } from '../../src/config.ts';
import { exists, readText, typeScriptFiles } from './sources.ts';

const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});
const manifest = packageSchema.parse(JSON.parse(readText('package.json')));
const readme = exists('README.md') ? readText('README.md') : '';

/** Where somebody who reads the README may find a path: below the root, or below these. */
const FOLDERS = ['', 'src/', 'test/', 'docs/'];
const isThere = (path: string) => FOLDERS.some((folder) => exists(folder + path.replace(/^\.\//, ''))) || isName(path);

/** A name without a folder, such as `index.ts`, may be that of any source file. */
const sourceNames = new Set([...typeScriptFiles('src'), ...typeScriptFiles('test')].map(({ path }) => basename(path)));
const isName = (path: string) => sourceNames.has(path);

/** The commands of npm itself; `npm test` and `npm start` are scripts. */
const NPM_COMMANDS = new Set(['ci', 'install', 'exec', 'audit', 'ls']);

/** The first cells of the table rows. */
const firstCells = readme
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|')[1] ?? '')
  .join('\n');

describe('README.md', () => {
  test('exists', () => {
    expect(readme).not.toBe('');
  });

  test.each(['README.md', 'docs/reliability.md'])('and %s name only files and folders that exist', (document) => {
    const inBackticks = [...readText(document).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
    const paths = inBackticks.filter(
      (text) =>
        /^[\w.-]+(\/[\w.-]+)*\/?$/.test(text) &&
        (/^(\.ci|\.\/|src\/|test\/|docs\/)/.test(text) || /\.(ts|md|yml|png|svg|json|example)$/.test(text)),
    );
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  test('shows only images and links that exist', () => {
    const markdown = [...readme.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map((match) => match[1] ?? '');
    const html = [...readme.matchAll(/(?:src|href|srcset)="([^"]+)"/g)].map((match) => match[1] ?? '');
    const local = [...markdown, ...html].filter((target) => !/^([a-z]+:|#)/.test(target));
    expect(local.filter((target) => !exists(target.split('#')[0] ?? ''))).toEqual([]);
  });

  test.each(['README.md', 'docs/reliability.md'])('and %s name only npm commands that exist', (document) => {
    const commands = [...readText(document).matchAll(/\bnpm (run )?(?:-s )?([a-z][\w:-]*)/g)]
      .filter((match) => match[1] !== undefined || !NPM_COMMANDS.has(match[2] ?? ''))
      .map((match) => match[2] ?? '');
    expect(commands.filter((command) => !(command in manifest.scripts))).toEqual([]);
  });

  test('lists every dependency in a table', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const listed = new Set([...firstCells.matchAll(/[@\w][\w@/.-]*/g)].map((match) => match[0]));
    expect(names.filter((name) => !listed.has(name))).toEqual([]);
  });

  test('lists every setting in a table', () => {
    const listed = new Set([...firstCells.matchAll(/[A-Z][A-Z_]+/g)].map((match) => match[0]));
    expect(SETTING_NAMES.filter((name) => !listed.has(name))).toEqual([]);
  });
});
