import { afterEach, expect, test } from 'vitest';
import { delivered, formValues, setUpDigest, subscriptions, whileTimePasses } from '../../support/digests.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

const here = (as: string, channel: string) => typeCommand(scene.slack, as, '/quartermaster', 'here', channel);

/** A digest, a budget and watches in one channel. */
async function fillChannel(): Promise<string> {
  const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
  await openByCommand(scene.slack, 'morgan', '/budget', 'new');
  await submitForm(scene.slack, 'morgan', formValues({ credits: '900m' }));
  await typeCommand(scene.slack, 'ada', '/controls', 'watch #agent-usage', 'agent-usage');
  await typeCommand(scene.slack, 'morgan', '/usage', 'watch #agent-usage', 'agent-usage');
  await typeCommand(scene.slack, 'morgan', '/readiness', 'watch #agent-usage', 'agent-usage');
  return id;
}

test('lists everything that comes to a channel, whose it is and when it comes next', async () => {
  await start();
  const id = await fillChannel();
  const { text } = await here('ada', 'agent-usage');
  expect(text).toContain(`*Daily digest to <#C0USAGE>*  \`${id}\``);
  expect(text).toMatch(/set up by <@U0MORGAN>/);
  expect(text).toMatch(/Next .* none sent yet/);
  expect(text).toContain('*Monthly budget of the organization*');
  expect(text).toContain('every change to the enterprise controls');
  expect(text).toContain('unusual');
  expect(text).toContain('readiness');
  expect((await here('ada', 'general')).text).toBe('Nothing comes to <#C0GENERAL> by itself.');
});

test('says of each what it waits for, and how its last message ended', async () => {
  await start({ at: new Date('2026-03-11T12:00:00Z') });
  await fillChannel();
  const { text } = await here('ada', 'agent-usage');
  for (const next of ['a threshold is reached', 'a revision changes them', 'a day is unusual', 'a score changes'])
    expect(text).toContain(`Next when ${next} · none sent yet`);
  scene.platform.reviseDay('2026-03-11', 1_000);
  scene.clock.moveTo(new Date('2026-03-12T07:00:00Z'));
  await whileTimePasses(scene, delivered(scene, 'budget:'));
  expect((await here('ada', 'agent-usage')).text).toMatch(
    /Next when a threshold is reached · ✅ last sent .*2026-03-12/,
  );
});

test('a row has the buttons that the reader may press', async () => {
  await start();
  await fillChannel();
  const adas = everythingIn(await here('ada', 'agent-usage'));
  for (const action of ['digest_pause', 'digest_preview', 'budget_remove', 'controls_unwatch'])
    expect(adas).toContain(action);
  const morgans = everythingIn(await here('morgan', 'agent-usage'));
  expect(morgans).toContain('digest_pause');
  expect(morgans).not.toContain('controls_unwatch');
});

test('its buttons work there: a digest is paused, and its test comes to the asker only', async () => {
  await start();
  await fillChannel();
  const list = await here('morgan', 'agent-usage');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'morgan', list, 'Preview', 'agent-usage');
  expect((await nextAnswer(scene.slack, since)).isEphemeral).toBe(true);
  const sincePause = scene.slack.mark();
  await clickButton(scene.slack, 'morgan', list, 'Pause', 'agent-usage');
  await nextAnswer(scene.slack, sincePause);
  const [digest] = await subscriptions(scene);
  expect(digest?.state).toBe('paused');
});

test('in a direct message it shows what comes to the person, and members may ask there', async () => {
  await start();
  await openByCommand(scene.slack, 'mia', '/usage', 'notify');
  await submitForm(scene.slack, 'mia', formValues({ amount: '6m' }));
  expect((await here('mia', 'dm')).text).toMatch(
    /What comes to you by itself[\s\S]*Your credit warning[\s\S]*Next when your use reaches it · none sent yet/,
  );
  expect((await here('max', 'dm')).text).toBe('Nothing comes to you by itself.');
  expect((await here('mia', 'agent-usage')).text).toContain(
    onlyFor('manager', '/quartermaster here in a channel', 'is'),
  );
});
