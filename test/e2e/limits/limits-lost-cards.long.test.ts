import { afterEach, describe, expect, test } from 'vitest';
import { delivered, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import {
  ask,
  askValues,
  cardOf,
  clickCard,
  directMessagesTo,
  requestOf,
  review,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { takeBackup } from '../../support/stores/backups.ts';
import { availableEngines, whereThereIsPostgres } from '../../support/stores/databases.ts';
import { startReplica, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({
    ...options,
    settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA', ...options.settings },
  }));
afterEach(() => scene.close());

const MINUTE_MS = 60_000;
const later = (minutes: number) => moveClock(scene, new Date(scene.clock.now().getTime() + minutes * MINUTE_MS));

/** Slack refuses every post for good, in channels and to people. */
async function refuseEverything(): Promise<void> {
  await scene.slack.control.addFault({ method: 'chat.postMessage', kind: 'error', error: 'channel_not_found' });
}

/** Makes a request while no post is accepted, and returns its id. */
async function askUnheard(): Promise<string> {
  await openByCommand(scene.slack, 'mia', '/limits', 'request');
  const first = await submitForm(scene.slack, 'mia', askValues({ amount: '700' }));
  const sent = textOfView(first).includes('Check before you send') ? await submitForm(scene.slack, 'mia') : first;
  return /Your request is `(\w+)`/.exec(textOfView(sent))?.[1] ?? '';
}

const untilCopiesFailed = async (id: string) => {
  for (const admin of ['U0ADA', 'U0NORA']) await delivered(scene, `limit-card:${id}:${admin}`, 'failed');
  await untilQuiet(scene);
};

/** The cards of a request that are visible in Slack, each with its key. */
async function cardsOf(id: string): Promise<string[]> {
  const seen = await Promise.all(['ada', 'nora'].map((as) => scene.slack.control.state({ as })));
  const messages = seen.flatMap(({ channels }) => channels.flatMap((channel) => channel.messages));
  const keys = new Map(messages.map(({ ts, metadata }) => [ts, String(metadata?.event_payload['key'])]));
  return [...keys.values()].filter((key) => key.startsWith(`limit-card:${id}:`) && !key.includes(':reminder:'));
}

describe.each(availableEngines())('a request whose card and copies were all refused, on %s', (engine) => {
  test('gets one card minutes after Slack recovers, and can be approved from it', async () => {
    await start({ engine });
    await refuseEverything();
    const id = await askUnheard();
    await untilCopiesFailed(id);
    expect(await cardsOf(id)).toEqual([]);
    await scene.slack.control.clearFaults({});
    await later(3);
    await delivered(scene, `limit-card:${id}:r1:channel`);
    for (let tick = 0; tick < 5; tick += 1) await later(5);
    await untilQuiet(scene);
    expect(await cardsOf(id)).toEqual([`limit-card:${id}:r1:channel`]);
    await review(scene, 'ada', id, 'approve');
    await untilState(scene, id, 'applied');
    await untilQuiet(scene);
    expect((await cardOf(scene, id)).text).toContain('✅ *700 set*');
  });
});

test('gets cards less and less often while Slack refuses', async () => {
  await start();
  await refuseEverything();
  const id = await askUnheard();
  await untilCopiesFailed(id);
  for (const [round, pause] of [2, 4, 8].entries()) {
    await later(pause - 1);
    await untilQuiet(scene);
    await later(2);
    await delivered(scene, `limit-card:${id}:r${round + 1}:channel`, 'failed');
    for (const admin of ['U0ADA', 'U0NORA'])
      await delivered(scene, `limit-card:${id}:r${round + 1}:${admin}`, 'failed');
  }
  const cards = await until(scene, (db) =>
    db.selectFrom('deliveries').select('key').where('key', 'like', `limit-card:${id}:%channel`).execute(),
  );
  expect(cards).toHaveLength(4);
});

test.each(whereThereIsPostgres())('two replicas post one card for a request', async (engine) => {
  await start({ engine });
  const second = await startReplica(scene);
  await refuseEverything();
  const id = await askUnheard();
  await untilCopiesFailed(id);
  await scene.slack.control.clearFaults({});
  for (let tick = 0; tick < 5; tick += 1) await later(3);
  await delivered(scene, `limit-card:${id}:r1:channel`);
  await untilQuiet(scene);
  expect(await cardsOf(id)).toEqual([`limit-card:${id}:r1:channel`]);
  await second.stop();
});

test('a restored store finds the new card in the channel, and does not post it again', async () => {
  await start();
  await refuseEverything();
  const id = await askUnheard();
  await untilCopiesFailed(id);
  await scene.app.stop();
  const backup = await takeBackup(scene.databaseUrl);
  await scene.slack.control.clearFaults({});
  await later(3);
  const first = await startReplica(scene);
  await delivered(scene, `limit-card:${id}:r1:channel`);
  await untilQuiet(scene);
  await first.stop();
  await backup.restore();
  await backup.drop();
  await later(30);
  const restored = await startReplica(scene);
  await delivered(scene, `limit-card:${id}:r1:channel`);
  await untilQuiet(scene);
  expect(await cardsOf(id)).toEqual([`limit-card:${id}:r1:channel`]);
  await restored.stop();
});

test('a request without a card is reminded of by direct message', async () => {
  await start();
  await scene.slack.control.addFault({ method: 'chat.postMessage', kind: 'error', error: 'channel_not_found' });
  const id = await askUnheard();
  await untilCopiesFailed(id);
  await scene.app.stop();
  await scene.slack.control.clearFaults({});
  await later(5 * 60);
  // Its channel stays unavailable: the new card goes to the admins, and so does the reminder.
  const next = await startReplica(scene);
  await delivered(scene, `limit-reminder:${id}:4:admins:U0ADA`);
  await untilQuiet(scene);
  const { channels } = await scene.slack.control.state({ as: 'nora' });
  const texts = channels
    .filter(({ kind }) => kind === 'dm')
    .flatMap(({ messages }) => messages.map(({ text }) => text));
  expect(texts.filter((text) => text.includes(`Request \`${id}\` still waits for a decision`))).toHaveLength(1);
  await next.stop();
});

test('a card that was deleted in the channel is replaced when its reminder detects it', async () => {
  await start();
  const id = await ask(scene, 'mia', { amount: '700' });
  const { ts } = await cardOf(scene, id);
  await scene.slack.control.deleteMessage({ as: 'ada', channel: 'agent-usage', ts });
  await later(5 * 60);
  await delivered(scene, `limit-card:${id}:channel:reminder:4`, 'failed');
  await delivered(scene, `limit-card:${id}:r1:channel`);
  for (let tick = 0; tick < 3; tick += 1) await later(5);
  await untilQuiet(scene);
  expect(await cardsOf(id)).toEqual([`limit-card:${id}:r1:channel`]);
  await review(scene, 'ada', id, 'approve');
  await untilState(scene, id, 'applied');
  await untilQuiet(scene);
  expect((await cardOf(scene, id)).text).toContain('✅ *700 set*');
});

test('a copy that one admin cannot get is reported to the admins who have theirs', async () => {
  await start({ settings: { LIMITS_CHANNEL: '' } });
  await scene.slack.control.addFault({
    method: 'chat.postMessage',
    kind: 'error',
    error: 'channel_not_found',
    times: 1,
  });
  const id = await askUnheard();
  await delivered(scene, 'delivery-failed:');
  await untilQuiet(scene);
  const { channels } = await scene.slack.control.state({ as: 'ada' });
  const texts = channels.flatMap(({ messages }) => messages.map(({ text }) => text));
  expect(texts.filter((text) => text.includes(`The card of request ${id} couldn’t be sent to`))).toHaveLength(1);
});

describe('a question that does not reach the requester', () => {
  test('is reported to the admin who asked it, and sent once more', async () => {
    await start();
    await openByCommand(scene.slack, 'mia', '/limits', 'request');
    const sent = await submitForm(scene.slack, 'mia', askValues({ amount: '700' }));
    const shown = textOfView(sent).includes('Check before you send') ? await submitForm(scene.slack, 'mia') : sent;
    const id = /Your request is `(\w+)`/.exec(textOfView(shown))?.[1] ?? '';
    await delivered(scene, `limit-card:${id}:channel`);
    await scene.slack.control.addFault({
      method: 'chat.postMessage',
      kind: 'error',
      error: 'channel_not_found',
      times: 1,
    });
    const since = scene.slack.mark();
    await clickCard(scene, 'ada', id, 'limits_question');
    await nextView(scene.slack, since);
    await submitForm(scene.slack, 'ada', { text: { text: 'For which project?' } });
    await delivered(scene, 'limit-question:', 'failed');
    await delivered(scene, 'delivery-failed:');
    await later(6);
    await delivered(scene, ':again');
    for (let tick = 0; tick < 3; tick += 1) await later(6);
    await untilQuiet(scene);
    const dms = async (as: string) => {
      const { channels } = await scene.slack.control.state({ as });
      return channels.filter(({ kind }) => kind === 'dm').flatMap(({ messages }) => messages.map(({ text }) => text));
    };
    expect(
      (await dms('ada')).filter((text) => text.includes(`The question about request ${id} couldn’t be sent`)),
    ).toHaveLength(1);
    expect((await dms('mia')).filter((text) => text.includes('For which project?'))).toHaveLength(1);
    expect((await requestOf(scene, id)).state).toBe('pending');
    expect(await directMessagesTo(scene, 'mia')).toEqual([]);
  });
});
