import { afterEach, describe, expect, test } from 'vitest';
import { typeCommand } from '../../support/slack/conversation.ts';
import { allOf, change, cursorThat, nextPoll, noticesIn, startWatching } from '../../support/controls.ts';
import { readReadiness } from '../../support/slack/refreshes.ts';
import type { TestApp } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: TestApp;
afterEach(() => scene.close());

const user = { id: 'user_1', email: 'ada.admin@acme.example', name: 'Ada Okafor' };
const shown = (rest: object) => ({
  revision: 12,
  settings: { ...scene.platform.changesOf()[0]?.settings, cloudSessionSync: false },
  user,
  updatedAt: scene.clock.now().toISOString(),
  ...rest,
});

describe('a revision with one odd value', () => {
  test.each([
    ['no time', { updatedAt: null }],
    ['a time that is a number', { updatedAt: 1_767_225_600_000 }],
    ['a time that is no time', { updatedAt: 'soon' }],
    ['an author that is a text', { user: 'ada' }],
    ['an author whose parts are numbers', { user: { id: 7, email: 7, name: ['x'] } }],
    ['a number as a text', { revision: '12' }],
  ])('and %s is announced, and so is the next one', async (_what, rest) => {
    scene = await startWatching();
    scene.platform.showInstead(12, shown(rest));
    await change(scene, {});
    await change(scene, { sandbox: { enabled: false } }, 'morgan.manager@acme.example');
    const [, first, second] = await noticesIn(scene, 3);
    expect(first?.text).toContain('Revision 12');
    expect(first?.text).toContain('cloudSessionSync');
    expect(second?.text).toContain('weakens security');
  });

  test.each([
    ['settings that are null', { settings: null }],
    ['settings that are a text', { settings: 'MARKER' }],
    ['settings that are a list', { settings: ['MARKER'] }],
    ['nothing but its number', { settings: undefined, user: undefined, updatedAt: undefined }],
  ])('and %s is named, and all others are announced', async (_what, rest) => {
    scene = await startWatching();
    scene.platform.showInstead(12, shown(rest));
    await change(scene, {});
    const [, unreadable] = await noticesIn(scene, 2);
    expect(unreadable?.text).toContain('Revision 12 of the enterprise controls can’t be read');
    await change(scene, { sandbox: { enabled: false } });
    const [, , next] = await noticesIn(scene, 3);
    expect(next?.text).toContain('weakens security');
    // Both are known, so there is no gap.
    expect(next?.text).not.toContain('gap');
    const history = await typeCommand(scene.slack, 'morgan', '/controls', 'history');
    expect(history.text).toContain('Revision 12 can’t be read');
    expect(history.text).toContain('13');
    expect((await typeCommand(scene.slack, 'morgan', '/controls', 'show 12')).text).toContain('without settings');

    // It is announced once, also if it is read again and again; and with its changes when it can be read.
    await nextPoll(scene);
    await nextPoll(scene);
    scene.platform.showInstead(12, shown({}));
    await nextPoll(scene);
    const notices = await noticesIn(scene, 4);
    await nextPoll(scene);
    expect(notices).toHaveLength(4);
    expect(notices[3]?.text).toContain('Revision 12');
    expect(notices[3]?.text).toContain('cloudSessionSync');
    expect(allOf(notices)).not.toContain('MARKER');
    expect((await typeCommand(scene.slack, 'morgan', '/controls', 'history')).text).not.toContain('can’t be read');
  });

  test.each([
    ['a text', 'revision 12: MARKER'],
    ['a number', 12],
    ['a list', []],
    ['no number', { settings: {}, user }],
  ])('and %s in place of everything costs only itself', async (_what, value) => {
    scene = await startWatching();
    scene.platform.showInstead(12, value);
    await change(scene, {});
    await change(scene, { sandbox: { enabled: false } });
    const notices = await noticesIn(scene, 2);
    expect(notices.at(-1)?.text).toContain('weakens security');
    expect(allOf(notices)).not.toContain('MARKER');
  });
});

test('a history that can’t be read for an hour is reported to each admin once, and once more when it works', async () => {
  scene = await startWatching();
  const told = async () => {
    const { channels } = await scene.slack.control.state({ as: 'ada' });
    const messages = channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
    return messages.map(({ text }) => text).filter((text) => text.includes('history of the enterprise controls'));
  };
  const ready = async () => (await readReadiness(scene.app.port))['controls'];
  const health = async () => {
    const { text } = await typeCommand(scene.slack, 'ada', '/quartermaster', '');
    return /⚠️ Enterprise controls: (.*)/.exec(text)?.[1];
  };
  const pass = (minutes: number) => moveClock(scene, new Date(scene.clock.now().getTime() + minutes * 60_000));
  const failing = () => cursorThat(scene, ({ failures }) => failures > 0);
  const clear = scene.platform.faults.add({ kind: 'status', status: 404, match: { path: /enterprise-controls/ } });
  await nextPoll(scene);
  await failing();
  await pass(30);
  await failing();
  expect(await told()).toEqual([]);
  expect([await health(), await ready()]).toEqual([undefined, undefined]);
  await pass(31);
  await expect.poll(told).toEqual([expect.stringContaining('hasn’t been read since')]);
  // The two places where operators look say the same.
  await expect.poll(ready).toMatch(/^not read since 2026-\d\d-\d\dT\d\d:\d\dZ$/);
  expect(await health()).toBe(await ready());
  await pass(61);
  await failing();
  clear();
  await nextPoll(scene);
  await cursorThat(scene, ({ failures }) => failures === 0);
  await pass(1);
  await expect.poll(told).toEqual([expect.anything(), expect.stringContaining('is read again')]);
  await expect.poll(ready).toBeUndefined();
  expect(await health()).toBeUndefined();
});
