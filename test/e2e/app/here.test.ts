import { afterEach, expect, test } from 'vitest';
import { delivered, formValues, setUpDigest, subscriptions } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
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
  await moveClock(scene, new Date('2026-03-12T07:00:00Z'));
  await whileTimePasses(scene, delivered(scene, 'budget:'));
  expect((await here('ada', 'agent-usage')).text).toMatch(
    /Next when a threshold is reached · ✅ last sent .*2026-03-12/,
  );
});

test('a row has the buttons that the reader may press', async () => {
  await start();
  await fillChannel();
  const adas = everythingIn(await here('ada', 'agent-usage'));
  for (const action of ['digest_pause', 'digest_preview', 'budget_remove', 'budget_pause', 'controls_unwatch'])
    expect(adas).toContain(action);
  for (const kind of ['controls', 'usage', 'readiness']) expect(adas).toContain(`${kind}_pause`);
  const morgans = everythingIn(await here('morgan', 'agent-usage'));
  expect(morgans).toContain('digest_pause');
  expect(morgans).not.toContain('controls_unwatch');
  expect(morgans).not.toContain('controls_pause');
});

test('its buttons work there: a digest is paused, and its test comes to the asker only', async () => {
  await start();
  await fillChannel();
  const list = await here('morgan', 'agent-usage');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'morgan', list, 'Preview', 'agent-usage');
  expect((await nextAnswer(scene.slack, since)).isEphemeral).toBe(true);
  const sincePause = scene.slack.mark();
  const source = { in: 'message' as const, channel: 'agent-usage', ts: list.ts };
  await scene.slack.control.click({ as: 'morgan', source, actionId: 'digest_pause' });
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

/** Presses each *Send a test* of a list and returns the tests. */
async function testsOf(as: string, channel: string) {
  const list = await here(as, channel);
  const actionIds = everythingIn(list).match(/"action_id":"[a-z_]+_test(?:\.\d+)?"/g) ?? [];
  const tests: { text: string; isEphemeral: boolean; everything: string }[] = [];
  for (const found of actionIds) {
    const actionId = found.slice('"action_id":"'.length, -1);
    const since = scene.slack.mark();
    await scene.slack.control.click({ as, source: { in: 'message', channel, ts: list.ts }, actionId });
    const message = await nextAnswer(scene.slack, since);
    tests.push({ text: message.text, isEphemeral: message.isEphemeral, everything: everythingIn(message) });
  }
  return tests;
}

test('*Send a test* shows an example of each message to the asker alone, and changes nothing', async () => {
  await start();
  await fillChannel();
  const before = (await here('ada', 'agent-usage')).text;
  const tests = await testsOf('ada', 'agent-usage');
  expect(tests).toHaveLength(4);
  for (const { text, isEphemeral, everything } of tests) {
    expect(isEphemeral).toBe(true);
    expect(text).toContain('*Test, only you see it.* A message to <#C0USAGE> looks like this');
    expect(everything).not.toContain('"type":"actions"');
  }
  const all = tests.map(({ text }) => text).join('\n');
  expect(all).toContain('*Monthly budget of the organization: 50% used*');
  expect(all).toContain('450 M of 900 M credits used');
  expect(all).toMatch(/was unusually high for the organization\.\*/);
  expect(all).toContain('acme/web is less ready than before');
  expect(all).toMatch(/changed the enterprise controls:\*/);
  expect((await here('ada', 'agent-usage')).text).toBe(before);
  expect(await testsOf('morgan', 'agent-usage')).toHaveLength(3);
});

test('*Send a test* of a personal warning shows it to the person', async () => {
  await start();
  await openByCommand(scene.slack, 'mia', '/usage', 'notify');
  await submitForm(scene.slack, 'mia', formValues({ amount: '6m' }));
  const [warning] = await testsOf('mia', 'dm');
  expect(warning?.text).toContain('A message to you looks like this');
  expect(warning?.text).toContain('3 M of 6 M credits used');
});
