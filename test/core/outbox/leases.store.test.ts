import { describe, expect, test } from 'vitest';
import { claimNext } from '../../../src/core/outbox/attempts/claim.ts';
import { settle } from '../../../src/core/outbox/deliveries.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { holdFirst, setScene, START } from '../../support/outbox/outbox-scene.ts';
import { markup } from '../../../src/core/base/text/markup.ts';

const SHORT = { leaseMs: 400, historyReadsAfterMs: [40, 80, 160] };

/** A process that is stopped when it is about to send `a`. */
async function stopInRequest(engine: 'sqlite' | 'postgres') {
  const scene = await setScene(engine, { times: SHORT, hasOwnTime: true });
  const { hold, entered, release } = holdFirst();
  scene.channel.onPost = hold;
  await scene.enqueue('a');
  await entered;
  return { scene, release };
}

describe.each(availableEngines())('a lease of the outbox on %s', (engine) => {
  test('is respected among replicas whose clocks are minutes apart', async () => {
    const clocks = [0, 120_000, -120_000].map((skewMs) => createMovableClock(new Date(START.getTime() + skewMs)));
    const scene = await setScene(engine, { replicas: 3, clocks, hasOwnTime: true });
    const { hold, entered, release } = holdFirst();
    scene.channel.onPost = hold;
    await scene.enqueue('a');
    await entered;
    // The others poll, each by its own clock.
    await scene.enqueue('b', 'C2');
    await scene.settled('b', 'sent');
    release();
    await scene.settled('a', 'sent');
    expect(scene.channel.posted.map(({ key }) => key).toSorted()).toEqual(['a', 'b']);
    for (const clock of clocks) clock.dispose();
  });

  test('that ended while a conversation was opened posts nothing', async () => {
    const scene = await setScene(engine);
    const { hold, entered, release } = holdFirst();
    scene.channel.onOpen = hold;
    await scene.enqueue('a');
    await entered;
    scene.advance(61_000);
    // The same process claims it a second time while its first attempt still sleeps.
    await scene.settled('a', 'sent');
    release();
    await scene.enqueue('b', 'C2');
    await scene.settled('b', 'sent');
    await scene.outboxes[0]?.stop();
    expect(scene.channel.posted.map(({ key }) => key)).toEqual(['a', 'b']);
    expect((await scene.state('a')).attempts).toBe(2);
  });

  test('that ends in the instant before the request is sent prevents it', async () => {
    const { scene, release } = await stopInRequest(engine);
    const patience = setInterval(() => scene.outboxes[0]?.poke(), 20);
    await scene.settled('a', 'sent');
    clearInterval(patience);
    release();
    await scene.outboxes[0]?.stop();
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('that ended before a wait was recorded leads to another attempt, since the wait was computed at an outdated time', async () => {
    const scene = await setScene(engine);
    await scene.outboxes[0]?.stop();
    await scene.enqueue('a');
    const delivery = await claimNext(scene.store.db, engine, 'slept', 60_000);
    if (!delivery) throw new Error('Nothing was claimed');
    scene.advance(61_000);
    const wait = { state: 'waiting', delayMs: 3_600_000, reason: 'not over' } as const;
    expect(await settle(scene.store.db, delivery, wait, scene.clock.now())).toBe(true);
    expect((await scene.state('a')).nextAttemptAt).toBe(scene.clock.now().toISOString());
  });

  test('that was lost after the request was sent leads to two messages, of which the one unknown to the store is deleted', async () => {
    const { scene, release } = await stopInRequest(engine);
    scene.channel.isSlow = true;
    const patience = setInterval(() => scene.outboxes[0]?.poke(), 20);
    await scene.settled('a', 'sent');
    clearInterval(patience);
    release();
    await scene.outboxes[0]?.stop();
    expect(scene.channel.posted).toHaveLength(2);
    expect((await scene.state('a')).messageTs).toBe('1');
    expect(scene.channel.removed).toEqual(['2']);
  });

  test('that ended between the check of a request and its arrival leads to two messages, of which the other is deleted', async () => {
    const { scene, release } = await stopInRequest(engine);
    scene.channel.isSlow = true;
    // An earlier attempt, which was stopped in the same instant, found no other message either.
    await scene.channel.post('C1', 'a', { text: markup`message of a` });
    await expect.poll(async () => ((await scene.state('a')).leasedUntil ?? '') < new Date().toISOString()).toBe(true);
    release();
    await scene.settled('a', 'sent');
    await scene.outboxes[0]?.stop();
    expect((await scene.state('a')).messageTs).toBe('2');
    expect(scene.channel.removed).toEqual(['1']);
  });
});
