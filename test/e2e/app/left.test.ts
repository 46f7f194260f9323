import { afterEach, beforeEach, expect, test } from 'vitest';
import { formValues, setUpDigest } from '../../support/digests.ts';
import { ask } from '../../support/limits/limits.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA' } });
});
afterEach(() => scene.close());

const left = (words: string, as = 'ada') => typeCommand(scene.slack, as, '/quartermaster', `left ${words}`);

test('an admin sees what belongs to somebody whose account is deactivated, and ends it there', async () => {
  const { id } = await setUpDigest(scene, { channel: 'C0USAGE' });
  await openByCommand(scene.slack, 'morgan', '/budget', 'new');
  await submitForm(scene.slack, 'morgan', formValues({ credits: '9m', actual: '80', forecast: '' }));
  await typeCommand(scene.slack, 'morgan', '/usage', 'watch #agent-usage');
  await setLimit(scene, { email: 'morgan.manager@acme.example', value: 900, at: '2026-02-20T10:00:00.000Z' });
  const request = await ask(scene, 'morgan', { people: ['U0MORGAN'], amount: '2000' });
  const person = scene.slack.workspace.findPerson('morgan');
  if (!person) throw new Error('There is no Morgan');
  person.isDeactivated = true;
  const page = await left('U0MORGAN');
  expect(page.text).toContain('Their Slack account is deactivated');
  for (const words of [id, 'budget', 'unusual days', 'Credit limit: *900*', request])
    expect(page.text).toContain(words);
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'ada', page, 'Delete');
  expect((await nextAnswer(scene.slack, since)).text).toMatch(/deleted/i);
  const after = (await left('U0MORGAN')).text;
  expect(after).not.toMatch(/budget/i);
  expect(after).toContain(id);
});

test('of an active person it says so, and a person with nothing has nothing', async () => {
  const page = await left('@max');
  expect(page.text).toContain('Their Slack account is still active.');
  expect(page.text).toContain('Nothing in Quartermaster is theirs.');
  expect((await left('nobody')).text).toContain('Who left?');
});

test('it is for admins only', async () => {
  for (const as of ['mia', 'morgan'])
    expect((await left('@max', as)).text).toContain(onlyFor('admin', '/quartermaster left'));
});
