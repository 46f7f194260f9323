import { afterEach, expect, test } from 'vitest';
import { ask, cardOf, clickCard, requestOf, untilQuiet } from '../../support/limits/limits.ts';
import { nextView, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (admins = 'U0ADA,U0NORA') =>
  (scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: admins } }));
afterEach(() => scene.close());

const nameOf = async (as: string) => (await scene.slack.control.state({ as })).viewer.name;

test('the card of a request names the admins who can decide it, without notifying them', async () => {
  await start();
  const [ada, nora] = [await nameOf('ada'), await nameOf('nora')];
  const everybody = await cardOf(scene, await ask(scene, 'mia', { amount: '700' }));
  expect(everybody.text).toContain(`Can decide: ${ada}, ${nora}`);
  expect(everybody.text).not.toContain('<@U0ADA>');
  const other = await cardOf(scene, await ask(scene, 'ada', { people: ['U0MAX'], amount: '700' }));
  expect(other.text).toContain(`Can decide: ${nora}\n`);
});

test('*Deny* on the card asks for the reason', async () => {
  await start();
  const id = await ask(scene, 'mia', { amount: '700' });
  expect(JSON.stringify((await cardOf(scene, id)).blocks)).toContain('limits_deny');
  const since = scene.slack.mark();
  await clickCard(scene, 'ada', id, 'limits_deny');
  expect(textOfView(await nextView(scene.slack, since))).toContain('Say why you deny it.');
  await submitForm(scene.slack, 'ada', { comment: { comment: 'Not now' } });
  await untilQuiet(scene);
  expect(await requestOf(scene, id)).toMatchObject({ state: 'denied', comment: 'Not now' });
  const card = await cardOf(scene, id);
  expect(card.text).not.toContain('Can decide');
  expect(JSON.stringify(card.blocks)).not.toContain('limits_deny');
});
