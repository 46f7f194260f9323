import { expect, test } from 'vitest';
import { nextAnswer } from '../../support/slack/conversation.ts';
import { whereThereIsPostgres } from '../../support/stores/databases.ts';
import { LEFT, restoreAmidSending, restoreBeforeTelling, SENT } from '../../support/limits/limit-restores.ts';
import {
  ask,
  clickCard,
  putsOf,
  review,
  directMessagesTo,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { startReplica, startTestApp } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

test('a backup from the middle of sending a limit undoes no later decision: an admin is asked once, and leaves it', async () => {
  expect(await restoreAmidSending('sqlite', 'limits:before_put', 'limits_leave')).toEqual(LEFT);
}, 120_000);

test.each(whereThereIsPostgres())(
  'a limit that an admin sends after a restored backup is sent once, as it was approved',
  async (engine) => {
    expect(await restoreAmidSending(engine, 'limits:after_put', 'limits_send')).toEqual(SENT);
  },
  120_000,
);

test('a restored store finds the requester’s notice in their direct messages, and does not repeat it', async () => {
  expect(await restoreBeforeTelling('sqlite')).toEqual({ state: 'applied', messages: 1 });
}, 120_000);

test('a raise that ended during downtime, or after the backup, goes back when an admin decides so', async () => {
  const scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage' } });
  const end = new Date('2026-03-05T12:00:00Z');
  const id = await ask(scene, 'morgan', { people: ['U0MIA'], amount: '700', until: end, back: '500' });
  await review(scene, 'ada', id, 'approve');
  await untilQuiet(scene);
  await scene.app.stop();
  await moveClock(scene, new Date('2026-03-05T13:00:00Z'));
  const later = await startReplica(scene);
  await untilState(scene, `${id}-back`, 'unsure');
  await untilQuiet(scene);
  expect(scene.platform.limits.get('mia.member@acme.example')).toBe(700);
  const since = scene.slack.mark();
  await clickCard(scene, 'ada', `${id}-back`, 'limits_send');
  expect((await nextAnswer(scene.slack, since)).text).toMatch(/✅ \*500 set\* .*confirmed by the platform/);
  expect(scene.platform.limits.get('mia.member@acme.example')).toBe(500);
  expect(putsOf(scene)).toBe(2);
  await untilQuiet(scene);
  expect((await directMessagesTo(scene, 'mia')).at(-1)).toContain(
    `Your temporary raise ended (request \`${id}\`): ✅ *500 set*`,
  );
  await later.stop();
  await scene.close();
});
