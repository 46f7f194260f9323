import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { startInstallation, type Installation } from './installation.ts';
import { COMPILE_CACHE } from '../../support/processes/bot-processes.ts';

let installation: Installation;
beforeEach(async () => {
  installation = await startInstallation(systemClock);
});
afterEach(() => installation.close());

const run = (settings: Record<string, string>) =>
  new Promise<{ code: number | string; output: string }>((resolve) => {
    const script = join(import.meta.dirname, '../../../src/programs/doctor/main.ts');
    const env = { ...settings, NODE_COMPILE_CACHE: COMPILE_CACHE };
    const options = { cwd: installation.folder, env, timeout: 60_000 };
    execFile(process.execPath, [script], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

test('the program prints a line for each check and ends with status 0', async () => {
  const { code, output } = await run(installation.environment);
  expect(output).toContain('0 faults, 0 warnings, 17 in order.');
  expect(code).toBe(0);
});

test('the program ends with status 1 after a fault, and never prints a secret', async () => {
  const secrets = {
    SLACK_BOT_TOKEN: 'not-a-token-but-secret',
    SLACK_APP_TOKEN: 'xapp-wrong-secret',
    SLACK_SIGNING_SECRET: 'signing-secret-1',
    PLATFORM_API_KEY: 'platform secret with spaces',
    DATABASE_URL: 'mysql://me:secret-password@host/db',
  };
  const { code, output } = await run({ ...installation.environment, ...secrets });
  expect(code).toBe(1);
  for (const secret of [...Object.values(secrets), 'secret-password']) expect(output).not.toContain(secret);
});
