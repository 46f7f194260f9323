import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './parsing/sources.ts';
import { spawnLimited } from '../support/processes/limited.ts';

test('a test that never gives back its thread is named and ended, and other processes go on', () => {
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'node_modules/.cache/unfinished-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, body: string) =>
    writeFileSync(join(folder, name), `import { test } from 'vitest';\n${body}\n`);
  write('endless.spec.ts', "test('that is endless', () => { for (;;); });");
  write('ordinary.spec.ts', "test('that is ordinary', () => {});");
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    "export default { test: { exclude: ['none'], isolate: false, maxWorkers: 2 } };\n",
  );
  const words = ['run', '--root', folder, '--reporter=tap-flat', `--reporter=${ROOT}/test/support/unfinished-tests.ts`];
  const { status, stdout } = spawnLimited(join(ROOT, 'node_modules/.bin/vitest'), words, {
    env: { ...process.env, SILENT_MINUTES: '0.05' },
  });
  expect(stdout).toMatch(/^UNFINISHED: endless\.spec\.ts: /m);
  expect(stdout).toMatch(/^ok .*that is ordinary/m);
  expect(status).toBe(1);
});
