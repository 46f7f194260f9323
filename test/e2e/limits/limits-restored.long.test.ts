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

test('a backup of the middle of sending a limit undoes nothing that was decided later: an admin is asked once, and leaves it', async () => {
  expect(await restoreAmidSending('sqlite', 'limits:before_put', 'limits_leave')).toEqual(LEFT);
}, 120_000);

test.each(whereThereIsPostgres())(
  'a limit that an admin has sent after a backup was restored is sent once, as it was approved',
  async (engine) => {
    expect(await restoreAmidSending(engine, 'limits:after_put', 'limits_send')).toEqual(SENT);
  },
  120_000,
);

test('what a requester was told is found in their direct messages by a restored store, and not told again', async () => {
  expect(await restoreBeforeTelling('sqlite')).toEqual({ state: 'applied', messages: 1 });
}, 120_000);

test('a raise whose end came while nobody was there, or a later copy of the store was, goes back when an admin says so', async () => {
  const scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage' } });
  const end = new Date('2026-03-05T12:00:00Z');
  const id = await ask(scene, 'morgan', { people: ['U0MIA'], amount: '700', until: end, back: '500' });
  await review(scene, 'ada', id, 'approve');
  await untilQuiet(scene);
  await scene.app.stop();
  scene.clock.moveTo(new Date('2026-03-05T13:00:00Z'));
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
