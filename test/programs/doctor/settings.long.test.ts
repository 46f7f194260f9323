import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SETTING_NAMES } from '../../../src/core/base/settings/config.ts';
import { readSecretFiles } from '../../../src/core/base/settings/environment.ts';
import { judgeSettings, readUsableSettings } from '../../../src/programs/doctor/settings.ts';
import { COMPILE_CACHE } from '../../support/processes/bot-processes.ts';

/** Typical contents of a .env: quotes, comments, whole pages as addresses, spaces, nothing. */
const someValue = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '"quoted"',
    "'https://platform.example/api' # ours",
    'https://platform.example/settings/api-keys?tab=1#new',
    'https://me:secret@platform.example',
    'http://[::1',
    'file:',
    'file:/',
    'postgres://',
    'postgres://%',
    '3000',
    '9464',
    '0',
    '#agent-usage',
    'C0123456789',
    '5m',
    'admin',
    'xoxb-1',
    'xapp-1',
    '/run/secrets/absent',
  ),
);
const someName = fc.constantFrom(...SETTING_NAMES, ...SETTING_NAMES.map((name) => `${name}_FILE`), 'SLACK_TOKEN');

describe('the doctor', () => {
  test('continues with any line in a .env, and names each fault', () => {
    fc.assert(
      fc.property(fc.dictionary(someName, someValue), (given) => {
        const { environment, faults } = readSecretFiles(given);
        const usable = readUsableSettings(environment, faults);
        const levels = judgeSettings(environment, usable).map(({ level }) => level);
        expect(levels.filter((level) => level === 'fault')).toHaveLength(usable.faults.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test('reads a .env with quotes, comments and addresses with paths, as the bot does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-doctor-'));
    writeFileSync(
      join(folder, '.env'),
      `# ours
SLACK_BOT_TOKEN="xoxb-1" # of the app
export SLACK_APP_TOKEN='xapp-1'
SLACK_API_URL=http://127.0.0.1:1/api/
PLATFORM_BASE_URL="http://127.0.0.1:1/some/path/"
PLATFORM_APP_URL=http://127.0.0.1:1/settings/api-keys   # pasted
PLATFORM_API_KEY='key with # in it'
ADMINS = "U012ABC, ada@acme.example"
PORT=0
METRICS_PORT=0
`,
    );
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
      const script = join(import.meta.dirname, '../../../src/programs/doctor/main.ts');
      const options = { cwd: folder, env: { NODE_COMPILE_CACHE: COMPILE_CACHE }, timeout: 60_000 };
      execFile(process.execPath, [script], options, (error, stdout, stderr) =>
        resolve({ code: error?.code, output: stdout + stderr }),
      );
    });
    rmSync(folder, { recursive: true });
    expect(code).toBe(1);
    expect(output).toMatch(/^fault +PLATFORM_API_KEY +holds a space/m);
    expect(output).toMatch(/\d+ faults?, \d+ warnings?, \d+ in order\.\n$/);
    expect(output).not.toMatch(/^\s+at /m);
  });
});
