import { execFileSync } from 'node:child_process';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { exists, pathsOf, readText, ROOT } from './parsing/sources.ts';

const workflows = pathsOf('.github/workflows/*').map(readText).join('\n');
const inWorkflows = (pattern: RegExp) => [...workflows.matchAll(pattern)].map(([, found = '']) => found);
const inRoot = (program: string, words: readonly string[]) =>
  execFileSync(program, words, { cwd: ROOT, encoding: 'utf8' });

test('every action of a workflow is pinned to a commit, with its version beside it', () => {
  const uses = inWorkflows(/uses: (.*)/g);
  expect(uses.length).toBeGreaterThan(0);
  for (const use of uses) expect(use).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('every script that a workflow runs exists', () => {
  const files = inWorkflows(/(\.ci\/[\w-]+)/g);
  expect(files).toContain('.ci/run');
  expect(files.filter((file) => !exists(file))).toEqual([]);
  expect(inWorkflows(/\bnpm run ([\w:]+)/g).filter((name) => !(name in manifest.scripts))).toEqual([]);
});

test.each(pathsOf('.ci/*'))('%s is valid Bash', (path) => {
  expect(inRoot('bash', ['-n', path])).toBe('');
});

test('the notes of a release are its section of the changelog', () => {
  const notes = inRoot('bash', ['.ci/release-notes']);
  expect(readText('CHANGELOG.md')).toContain(notes.trim());
  expect(notes).not.toMatch(/^## /m);
});

test('Slack’s command line gets the manifest as JSON', () => {
  const { hooks }: { hooks: Record<'get-manifest' | 'start', string> } = JSON.parse(readText('.slack/hooks.json'));
  expect(JSON.parse(inRoot('bash', ['-c', hooks['get-manifest']]))).toEqual(parse(readText('manifest.yml')));
  expect(hooks.start).toBe('npm start');
});
