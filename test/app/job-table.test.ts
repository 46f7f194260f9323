import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JobPlan } from '../../src/core/schedule/job.ts';
import { readText } from '../repository/parsing/sources.ts';
import { startTestApp } from '../support/test-app.ts';

const HEAD = '| job | starts at | purpose |\n|---|---|---|\n';

/** Every job of an app with every part that an operator can turn on. */
async function allJobs(): Promise<readonly JobPlan[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-test-'));
  const scene = await startTestApp({ settings: { EXPORT_DIR: folder } });
  onTestFinished(async () => {
    await scene.close();
    rmSync(folder, { recursive: true });
  });
  return scene.app.jobs;
}

// After a change of a job, `npm test -- test/app/job-table.test.ts -u` writes the table.
test('docs/operating.md lists each job with its times, in the order of their runs', async () => {
  const jobs = await allJobs();
  const rows = jobs.map(({ name, cron, purpose }) => `| \`${name}\` | \`${cron}\` | ${purpose} |\n`).join('');
  const document = readText('docs/operating.md');
  expect(document).toContain(HEAD);
  const [before = '', after = ''] = document.split(HEAD);
  await expect(`${before}${HEAD}${rows}${after.replace(/^(?:\|.*\n)*/, '')}`).toMatchFileSnapshot(
    '../../docs/operating.md',
  );
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length);
  // With a field for seconds, an expression could never be true at the start of a minute.
  expect(jobs.filter(({ cron }) => cron.split(' ').length !== 5)).toEqual([]);
});
