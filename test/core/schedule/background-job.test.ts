import { expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { createBackgroundJob } from '../../../src/core/schedule/background-job.ts';

const PLAN = { name: 'export-days', cron: '* * * * *', purpose: 'writes files' };

function open(work: (signal: AbortSignal) => Promise<void>) {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', [], (line) => void lines.push(JSON.parse(line)));
  return { lines, background: createBackgroundJob(PLAN, log, work) };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left off'))));

test('a background job blocks no other job, and does not start again while it runs', async () => {
  let begun = 0;
  const { background, lines } = open((signal) => {
    begun += 1;
    return untilAborted(signal);
  });
  await background.job.run();
  await background.job.run();
  expect(begun).toBe(1);
  await background.stop();
  await background.job.run();
  expect(begun).toBe(1);
  expect(lines).toEqual([]);
});

test('a background job that fails logs it, and starts again', async () => {
  let begun = 0;
  const { background, lines } = open(() => {
    begun += 1;
    return Promise.reject(new Error('out of order'));
  });
  await background.job.run();
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatchObject({ job: 'export-days', msg: 'A job failed; it runs again at its next time' });
  await background.job.run();
  await expect.poll(() => begun).toBe(2);
  await background.stop();
});
