import { afterEach, expect, test } from 'vitest';
import { askForComputer, later, watches } from '../../support/computers.ts';
import { delivered, messagesIn, until } from '../../support/digests.ts';
import { whereThereIsPostgres } from '../../support/stores/databases.ts';
import { startReplica, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

const refuseEverything = () =>
  scene.slack.control.addFault({ method: 'chat.postMessage', kind: 'error', error: 'channel_not_found' });

/** Mia asks for a computer in a channel, while no card can be posted anywhere. */
async function askUnheard(): Promise<void> {
  await refuseEverything();
  await askForComputer(scene, { follow: ['follow'] }, 'mia', 'agent-usage');
  await delivered(scene, ':card', 'failed');
  await delivered(scene, ':card-direct', 'failed');
}

const cardsOf = async () =>
  (await messagesIn(scene, 'dm', 'mia')).posts.filter(({ metadata }) =>
    String(metadata?.event_payload['key']).includes(':card'),
  );

test('a computer whose cards were all refused gets a direct card minutes after Slack recovers, which is then updated', async () => {
  const { slack } = await start();
  await askUnheard();
  expect((await watches(scene)).map(({ state }) => state)).toEqual(['following']);
  await slack.control.clearFaults({});
  await later(scene, 180);
  await delivered(scene, ':card-direct:again-0');
  await delivered(scene, ':done:0:ready');
  expect(await cardsOf()).toHaveLength(1);
  expect((await messagesIn(scene, 'agent-usage')).posts).toEqual([]);
  expect((await watches(scene)).map(({ state }) => state)).toEqual(['ready']);
});

test.each(whereThereIsPostgres())('two replicas post one direct card for a computer', async (engine) => {
  const { slack } = await start({ engine });
  const second = await startReplica(scene);
  await askUnheard();
  await slack.control.clearFaults({});
  await later(scene, 180);
  await delivered(scene, ':card-direct:again-0');
  await delivered(scene, ':done:0:ready');
  expect(await cardsOf()).toHaveLength(1);
  await second.stop();
});

test('while Slack refuses, a computer gets at most one card in a round, and the admins are notified', async () => {
  const { slack } = await start();
  await askUnheard();
  await later(scene, 180);
  await delivered(scene, ':card-direct:again-0', 'failed');
  await slack.control.clearFaults({});
  await later(scene, 180);
  await until(scene, async () => ((await watches(scene)).some(({ state }) => state === 'ended') ? true : undefined));
  const report = await delivered(scene, 'delivery-failed:');
  expect(report.kind).toBe('delivery-failed-notice');
  expect((await messagesIn(scene, 'dm', 'ada')).posts.map(({ text }) => text)).toEqual([
    expect.stringContaining('The card of the computer night-build couldn’t be sent to <@U0MIA>.'),
  ]);
});
