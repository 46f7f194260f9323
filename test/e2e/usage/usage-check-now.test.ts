import { afterEach, expect, test } from 'vitest';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const MINUTE_MS = 60_000;
const tokenCalls = () => scene.platform.requests.filter(({ path }) => path.endsWith('/tokens')).length;

async function pressAfter(as: string, words: string, label: string) {
  const answer = await typeCommand(scene.slack, as, '/usage', words, 'agent-usage');
  const since = scene.slack.mark();
  await clickButton(scene.slack, as, answer, label, 'agent-usage');
  return nextAnswer(scene.slack, since);
}

async function check(as: string, words: string): Promise<string> {
  const details = await pressAfter(as, words, 'Details');
  const since = scene.slack.mark();
  await clickButton(scene.slack, as, details, 'Check now', 'agent-usage');
  return (await nextAnswer(scene.slack, since)).text;
}

test('Check now reads settled days again, says that they hold, and shares the check for ten minutes', async () => {
  scene = await startTestApp();
  const week = '2026-02-09..2026-02-15';
  await typeCommand(scene.slack, 'mia', '/usage', week, 'agent-usage');
  const before = tokenCalls();
  expect(await check('mia', week)).toMatch(/✅ \*Unchanged: .* credits\* on 9–15 Feb, read from the platform again/);
  const calls = tokenCalls();
  expect(calls).toBeGreaterThan(before);
  await check('morgan', week);
  expect(tokenCalls()).toBe(calls);
  scene.clock.moveTo(new Date(scene.clock.now().getTime() + 11 * MINUTE_MS));
  await check('morgan', week);
  expect(tokenCalls()).toBeGreaterThan(calls);
});

test('it names each day that was restated, and the next answer has the new figures', async () => {
  scene = await startTestApp();
  const week = '2026-02-09..2026-02-15';
  const { text: old } = await typeCommand(scene.slack, 'mia', '/usage', week, 'agent-usage');
  scene.platform.reviseDay('2026-02-11', 3);
  const answer = await check('mia', week);
  expect(answer).toMatch(/✏️ \*Changed: .* credits\* \(was .*\) on 9–15 Feb/);
  expect(answer).toMatch(/•\s+Wed 11 Feb: .* → /);
  expect(answer.match(/•/g)).toHaveLength(1);
  const { text: after } = await typeCommand(scene.slack, 'mia', '/usage', week, 'agent-usage');
  expect(after.split('\n')[1]).not.toBe(old.split('\n')[1]);
});

test('a platform that is out is one sentence, and a later check works', async () => {
  scene = await startTestApp();
  const week = '2026-02-09..2026-02-15';
  await typeCommand(scene.slack, 'mia', '/usage', week, 'agent-usage');
  const details = await pressAfter('mia', week, 'Details');
  const end = scene.platform.faults.add({ kind: 'status', status: 403 });
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'mia', details, 'Check now', 'agent-usage');
  expect((await nextAnswer(scene.slack, since)).text).not.toContain('Unchanged');
  end();
  expect(await check('mia', week)).toContain('Unchanged');
});

test('there is no such button for other views, people or long periods', async () => {
  scene = await startTestApp();
  for (const words of ['tools 7d', 'me 7d', '2026-01-14..2026-02-28']) {
    const details = await pressAfter('mia', words, 'Details');
    expect(JSON.stringify(details.blocks)).not.toContain('Check now');
  }
});
