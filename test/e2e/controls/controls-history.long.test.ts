import { afterEach, expect, test } from 'vitest';
import { tablesIn } from '../../../src/features/controls/core/revisions.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { allOf, change, cursorThat, nextPoll, noticesIn, repliesIn, startWatching } from '../../support/controls.ts';
import { until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const HISTORY = 'enterprise-controls/history';
const calls = () => scene.platform.requests.filter(({ path }) => path.includes(HISTORY)).length;

test('the first reading of a history of 10,000 revisions takes at most two calls, and older revisions are read on request', async () => {
  scene = await startTestApp({ settings: { CONTROLS_POLL_SECONDS: '3600' }, platform: { revisions: 10_000 } });
  const { revision } = await cursorThat(scene, ({ startedAt: at }) => at !== null);
  expect(revision).toBe(10_000);
  expect(calls()).toBeLessThanOrEqual(2);
  const older = await typeCommand(scene.slack, 'morgan', '/controls', 'show 9900');
  expect(everythingIn(older)).toContain('Settings at revision 9900');
});

test('more than twenty revisions at once are one message, whatever the size of a page, and its thread names each', async () => {
  scene = await startWatching();
  for (let step = 1; step <= 60; step += 1) {
    scene.platform.addRevision({ settings: { rolloutRing: `ring ${step}` }, email: `person${step}@acme.example` });
  }
  await change(scene, { sessionDefaultSettings: { model: 'the last' } });
  const [, notice] = await noticesIn(scene, 2);
  expect(notice?.text).toContain('61 revisions of the enterprise controls by 61 people');
  const [thread] = await repliesIn(scene, 1);
  for (let revision = 12; revision <= 72; revision += 1) expect(thread?.text).toContain(`*${revision}*`);
  await change(scene, { sessionDefaultSettings: { model: 'one more' } });
  expect((await noticesIn(scene, 3))[2]?.text).toContain('`one more`');
});

test('a history that went back is believed after five minutes, reported, and followed from there', async () => {
  scene = await startWatching();
  await change(scene, { sessionDefaultSettings: { model: 'soon gone' } });
  await noticesIn(scene, 2);
  scene.platform.changesOf().shift();
  await nextPoll(scene);
  const { readAt: first } = await cursorThat(scene, ({ wentBackTo: to }) => to === 11);
  // A fresh start, or the next reading, may meet the same copy that lags behind.
  await nextPoll(scene);
  await cursorThat(scene, ({ readAt: at }) => at !== first);
  expect(await noticesIn(scene, 2)).toHaveLength(2);
  await moveClock(scene, new Date(scene.clock.now().getTime() + 5 * 60_000));
  expect((await noticesIn(scene, 3))[2]?.text).toContain('It ended at revision 12 and now ends at 11.');
  await change(scene, { sessionDefaultSettings: { model: 'another twelve' } });
  expect((await noticesIn(scene, 4))[3]?.text).toContain('`another twelve`');
});

test('a history that went back is not believed because the process slept for five minutes after its second reading', async () => {
  let sleep = () => {};
  scene = await startWatching({
    checkpoint: (name) => {
      if (name === 'controls:after_page') sleep();
    },
  });
  await change(scene, { sessionDefaultSettings: { model: 'soon gone' } });
  await noticesIn(scene, 2);
  scene.platform.changesOf().shift();
  await nextPoll(scene);
  const { readAt: first } = await cursorThat(scene, ({ wentBackTo: to }) => to === 11);
  sleep = () => {
    sleep = () => {};
    scene.clock.moveTo(new Date(scene.clock.now().getTime() + 5 * 60_000));
  };
  await nextPoll(scene);
  expect(await cursorThat(scene, ({ readAt: at }) => at !== first)).toMatchObject({ revision: 12, wentBackTo: 11 });
  await nextPoll(scene);
  await cursorThat(scene, ({ revision }) => revision === 11);
  expect(await noticesIn(scene, 3)).toHaveLength(3);
});

test('revisions that were reported before the history went back are not reported again when it returns', async () => {
  scene = await startWatching();
  await change(scene, { sessionDefaultSettings: { model: 'soon gone' } });
  await noticesIn(scene, 2);
  const gone = scene.platform.changesOf().shift();
  await nextPoll(scene);
  await cursorThat(scene, ({ wentBackTo: to }) => to === 11);
  await moveClock(scene, new Date(scene.clock.now().getTime() + 5 * 60_000 + 6_000));
  await noticesIn(scene, 3);
  if (gone) scene.platform.changesOf().unshift(gone);
  await nextPoll(scene);
  expect((await noticesIn(scene, 4))[3]?.text).toContain('is complete again');
  await change(scene, { sessionDefaultSettings: { model: 'new' } });
  const notices = await noticesIn(scene, 5);
  expect(notices[4]?.text).toContain('`new`');
  expect(notices).toHaveLength(5);
});

test('a revision whose content was replaced is reported as such', async () => {
  scene = await startWatching();
  const [latest] = scene.platform.changesOf();
  if (latest) latest.settings = { ...latest.settings, enableAgentShield: false };
  await nextPoll(scene);
  const [, notice] = await noticesIn(scene, 2);
  expect(notice?.text).toContain('Revision 11 was rewritten:');
  expect(notice?.text).toContain('`enableAgentShield` was switched *off*');
  await nextPoll(scene);
  await change(scene, { sessionDefaultSettings: { model: 'later' } });
  expect(await noticesIn(scene, 3)).toHaveLength(3);
});

test('a failing platform is polled half as often, and at the usual interval when it recovers', async () => {
  scene = await startWatching();
  const removeFault = scene.platform.faults.add({
    kind: 'status',
    status: 403,
    match: { path: '/api/v0/organization/enterprise-controls' },
  });
  await nextPoll(scene);
  const failed = await cursorThat(scene, ({ failures }) => failures === 1);
  expect(failed.lastError).not.toBeNull();
  await moveClock(scene, new Date(scene.clock.now().getTime() + 60_000));
  const again = await cursorThat(scene, ({ failures }) => failures >= 2);
  expect(Date.parse(again.nextPollAt) - scene.clock.now().getTime()).toBeGreaterThan(5_500);
  removeFault();
  scene.platform.addRevision({ settings: { sessionDefaultSettings: { model: 'through' } } });
  await moveClock(scene, new Date(scene.clock.now().getTime() + 10 * 60_000));
  expect(allOf(await noticesIn(scene, 2))).toContain('`through`');
  expect((await cursorThat(scene, ({ failures }) => failures === 0)).lastError).toBeNull();
});

test('settings of a megabyte, deeply nested and with strange names, are reported up to the limit of a message', async () => {
  scene = await startWatching();
  const deep = JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`);
  const large = Object.fromEntries(
    Array.from({ length: 9_000 }, (_, index) => [`member ${index}`, 'many words '.repeat(10)]),
  );
  const added = scene.platform.addRevision({ settings: { deep, large, notes: 'words '.repeat(5_000) } });
  // Spread and JSON keep it a member like any other; an assignment would not.
  added.settings = { ...added.settings, ...JSON.parse('{"__proto__": {"ring": "strange"}}') };
  await nextPoll(scene);
  const [, notice] = await noticesIn(scene, 2);
  expect(notice?.text).toContain('4 changes');
  expect(notice?.text).toContain('`__proto__`');
  expect(everythingIn(await typeCommand(scene.slack, 'morgan', '/controls', 'show 12'))).toContain('page 1 of');
  const kept = await until(scene, (db) =>
    tablesIn(db).selectFrom('revisions').select('settings').where('revision', '=', 12).executeTakeFirst(),
  );
  expect(kept.settings).toContain('cut here: more than 50 levels deep');
  expect(kept.settings).toContain('cut here: a text of 30000 characters');
});
