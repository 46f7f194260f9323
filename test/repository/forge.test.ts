import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { expect, test } from 'vitest';
import { exists, readText, ROOT } from './parsing/sources.ts';

const workflows = readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`);
const stepsSchema = z.object({
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })) }),
  ),
});
const steps = workflows.flatMap((path) =>
  Object.values(stepsSchema.parse(parse(readText(path))).jobs).flatMap((job) => job.steps),
);
const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});
const { scripts } = packageSchema.parse(JSON.parse(readText('package.json')));
const inRoot = (program: string, words: readonly string[]) =>
  execFileSync(program, words, { cwd: ROOT, encoding: 'utf8' });

test('every action of a workflow is pinned to a commit, with its version beside it', () => {
  const uses = workflows.flatMap((path) => [...readText(path).matchAll(/uses: (.*)/g)].map(([, use]) => use));
  expect(uses.length).toBeGreaterThan(0);
  for (const use of uses) expect(use).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('every script that a workflow runs exists', () => {
  const commands = steps.flatMap(({ run = '' }) => run.split(/&&|\||\n/)).map((command) => command.trim());
  const files = commands.flatMap((command) => command.match(/\.ci\/[\w-]+/g) ?? []);
  expect(files).toContain('.ci/run');
  expect(files.filter((file) => !exists(file))).toEqual([]);
  const named = commands.flatMap((command) => /^npm run ([\w:]+)/.exec(command)?.[1] ?? []);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test.each(readdirSync(join(ROOT, '.ci')))('.ci/%s is valid Bash', (name) => {
  expect(inRoot('bash', ['-n', `.ci/${name}`])).toBe('');
});

test('the notes of a release are its section of the changelog', () => {
  const notes = inRoot('bash', ['.ci/release-notes']);
  expect(readText('CHANGELOG.md')).toContain(notes.trim());
  expect(notes).not.toMatch(/^## /m);
});

test('Slack’s command line gets the manifest as JSON', () => {
  const hooksSchema = z.object({ hooks: z.object({ 'get-manifest': z.string(), start: z.string() }) });
  const { hooks } = hooksSchema.parse(JSON.parse(readText('.slack/hooks.json')));
  expect(JSON.parse(inRoot('bash', ['-c', hooks['get-manifest']]))).toEqual(parse(readText('manifest.yml')));
  expect(hooks.start).toBe('npm start');
});
