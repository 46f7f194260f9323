import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fitManifest } from '../../../src/programs/manifest/manifest.ts';
import { readText } from '../../repository/parsing/sources.ts';
import { COMPILE_CACHE } from '../../support/processes/bot-processes.ts';

const text = readText('manifest.yml');

describe('the manifest program', () => {
  const run = (env: Record<string, string>, ...words: string[]) =>
    new Promise<{ code: number | string; output: string }>((resolve) => {
      const script = join(import.meta.dirname, '../../../src/programs/manifest/main.ts');
      const cwd = mkdtempSync(join(tmpdir(), 'quartermaster-manifest-'));
      const options = { cwd, env: { ...env, NODE_COMPILE_CACHE: COMPILE_CACHE }, timeout: 60_000 };
      execFile(process.execPath, [script, ...words], options, (error, stdout, stderr) => {
        rmSync(cwd, { recursive: true });
        resolve({ code: error?.code ?? 0, output: stdout + stderr });
      });
    });

  test('prints the manifest for the settings, after its notes', async () => {
    const fromSettings = await run({ COMMAND_PREFIX: 'qm-' });
    expect(fromSettings).toEqual({ code: 0, output: fitManifest(text, { commandPrefix: 'qm-' }) });
    const fromWords = await run({ COMMAND_PREFIX: 'qm-' }, '--prefix', 'ai-', '--http', 'https://bot.example.com/');
    const wanted = { commandPrefix: 'ai-', httpAddress: 'https://bot.example.com' };
    expect(fromWords).toEqual({ code: 0, output: fitManifest(text, wanted) });
  });

  test('reports a conflict of settings in one sentence', async () => {
    const said = await Promise.all([
      run({ COMMAND_PREFIX: 'QM ' }),
      run({ SLACK_SIGNING_SECRET: 'a' }),
      run({}, '--http', 'http://bot.example.com'),
      run({}, '--http', 'https://bot.example.com/slack'),
      run({}, '--what'),
    ]);
    expect(said.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    expect(said.map(({ output }) => output.split('\n')[0])).toEqual([
      expect.stringMatching(/^COMMAND_PREFIX is not a prefix of commands such as qm-/),
      expect.stringMatching(/over HTTP: add --http/),
      '--http is no address such as https://bot.example.com.',
      '--http is an address without a path: https://bot.example.com.',
      'Give at most these:',
    ]);
  });
});
