import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { exists, pathsOf, readText, ROOT } from './parsing/sources.ts';
import { runLimited } from '../support/processes/limited.ts';

const workflows = pathsOf('.github/workflows/*').map(readText).join('\n');
const inWorkflows = (pattern: RegExp) => [...workflows.matchAll(pattern)].map(([, found = '']) => found);
const inRoot = (program: string, words: readonly string[]) => runLimited(program, words, { cwd: ROOT });

test('every action of a workflow is pinned to a commit, with its version beside it', () => {
  const uses = inWorkflows(/uses: (.*)/g);
  expect(uses.length).toBeGreaterThan(0);
  // A workflow of this repository is of the same commit.
  for (const use of uses.filter((one) => !one.startsWith('./.github/workflows/')))
    expect(use).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

const workflowSchema = z.looseObject({
  jobs: z.record(
    z.string(),
    z.looseObject({
      needs: z.string().optional(),
      uses: z.string().optional(),
      steps: z.array(z.looseObject({ run: z.string().default(''), uses: z.string().default('') })).default([]),
    }),
  ),
});

describe('a release', () => {
  const { jobs } = workflowSchema.parse(parse(readText('.github/workflows/release.yml')));
  const commands = (jobs['release']?.steps ?? []).map(({ run }) => run);
  const build = readText('.ci/release');

  test('is only published after the checks of the same commit', () => {
    expect(jobs[jobs['release']?.needs ?? '']?.uses).toBe('./.github/workflows/ci.yml');
    expect(parse(readText('.github/workflows/ci.yml'))).toMatchObject({ on: { workflow_call: null } });
  });

  test('prepares its tools before it logs in to the registry', () => {
    const login = commands.findIndex((command) => command.includes('docker login'));
    const last = commands.findLastIndex((command) => /apt-get|buildx create/.test(command));
    expect(last).toBeGreaterThanOrEqual(0);
    expect(login).toBeGreaterThan(last);
  });

  test('runs no image of others with privileges, and pins those that it runs', () => {
    const text = [...commands, build].join('\n');
    expect(text).not.toContain('--privileged');
    expect(text).not.toMatch(/docker run|--sbom=true/);
    const images = [...text.matchAll(/(?:driver-opt image|generator)=(\S+)/g)].map(([, image = '']) => image);
    expect(images.length).toBeGreaterThanOrEqual(2);
    for (const image of images) expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });
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
  expect(hooks.start).toBe('npm run build && npm start');
});
