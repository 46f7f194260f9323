import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestPlatform } from './test-platform.ts';

const MAIN = fileURLToPath(new URL('../../../src/sandbox/platform/main.ts', import.meta.url));

const GALLERY = fileURLToPath(new URL('../../../src/sandbox/gallery/main.ts', import.meta.url));

const failing = (...flags: string[]) => failingProgram(MAIN, ...flags);

/** Runs the program until it ends by itself. */
async function failingProgram(...argv: string[]): Promise<{ code: unknown; stderr: string }> {
  const ended = promisify(execFile)(process.execPath, argv);
  return ended.then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: unknown; stderr: string }) => ({ code: error.code, stderr: error.stderr }),
  );
}

describe('npm run platform', () => {
  test('prints its addresses, its key and a request that works', async () => {
    const child = spawn(process.execPath, [MAIN, '--people', '6', '--port', '0', '--at', '2026-03-05T09:00:00Z']);
    onTestFinished(async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    });
    const text = String(await once(child.stdout, 'data'));
    const address = /PLATFORM_BASE_URL=(\S+)/.exec(text)?.[1];
    const key = /PLATFORM_API_KEY=(\S+)/.exec(text)?.[1];
    const url = /'(http\S+endDate=2026-03-04)'/.exec(text)?.[1] ?? '';
    expect(url).toContain(address);
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect(await response.json()).toMatchObject({ data: [{ date: '2026-03-04' }] });
  });

  test('reports in one sentence that its port is in use', async () => {
    const { baseUrl } = await startTestPlatform();
    const { port } = new URL(baseUrl);
    const { code, stderr } = await failing('--port', port);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${port} is in use: stop the program that listens there, or choose another one with --port.\n`,
    });
  });

  test.each([['--people', 'many'], ['--unknown'], ['--at', 'noon']])(
    'explains its flags after %s %s',
    async (...flags) => {
      const { code, stderr } = await failing(...flags.filter((flag) => flag !== undefined));
      expect(code).toBe(1);
      expect(stderr).toContain('Usage: npm run platform');
    },
  );
});

describe('npm run gallery', () => {
  test('reports in one sentence that its port is in use, before it plays any scene', async () => {
    const { baseUrl } = await startTestPlatform();
    const { port } = new URL(baseUrl);
    const { code, stderr } = await failingProgram(GALLERY, '--port', port);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${port} is in use: stop the program that listens there, or choose another one with --port.\n`,
    });
  });
});
