import { describe, expect, test } from 'vitest';
import { findDelivery, sendAgain } from '../../../src/core/outbox/past-deliveries.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { setScene, START } from '../../support/outbox/outbox-scene.ts';
import { markup } from '../../../src/core/base/text/markup.ts';

const MINUTE_MS = 60_000;

describe.each(availableEngines())('after a post whose answer was lost, on %s,', (engine) => {
  test.each([1, 12, 45, 80])('a message that Slack shows %i s late appears once', async (seconds) => {
    const scene = await setScene(engine);
    scene.channel.shownAfterMs = seconds * 1_000;
    scene.channel.answers = [{ kind: 'unknown', reason: 'answer lost' }];
    await scene.enqueue('a');
    await scene.settled('a', 'unknown');
    const sent = scene.settled('a', 'sent');
    for (const ms of [10_000, 20_000, 60_000, 60_000]) {
      const looked = Promise.race([sent, scene.settled('a', 'unknown')]);
      scene.advance(ms);
      await looked;
    }
    expect(await sent).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('a history that was read before the message appeared counts from then, however late its answer is read', async () => {
    const scene = await setScene(engine);
    scene.channel.shownAfterMs = 50_000;
    scene.channel.answers = [{ kind: 'unknown', reason: 'answer lost' }];
    await scene.enqueue('a');
    await scene.settled('a', 'unknown');
    scene.advance(10_000);
    await scene.settled('a', 'unknown');
    scene.channel.onSearched = () => {
      scene.channel.onSearched = () => {};
      scene.advance(46_000);
    };
    const sent = scene.settled('a', 'sent');
    scene.advance(35_000);
    expect(await Promise.race([scene.settled('a', 'unknown'), sent])).toMatchObject({ state: 'unknown' });
    scene.advance(45_000);
    expect(await sent).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('two messages that are found become one: the older stays', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'unknown', reason: 'answer lost' }];
    await scene.enqueue('a');
    await scene.settled('a', 'unknown');
    await scene.channel.post('C1', 'a', { text: markup`message of a` });
    scene.advance(10_000);
    expect(await scene.settled('a', 'sent')).toMatchObject({ found: true, ts: '1' });
    await scene.outboxes[0]?.stop();
    expect(scene.channel.removed).toEqual(['2']);
  });

  test('an unreadable history is retried for half an hour, and then a person decides', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'unknown', reason: 'answer lost' }];
    scene.channel.isReadable = false;
    await scene.enqueue('a');
    await scene.settled('a', 'unknown');
    scene.advance(10_000);
    await scene.settled('a', 'unknown');
    scene.advance(29 * MINUTE_MS);
    await scene.settled('a', 'unknown');
    scene.advance(2 * MINUTE_MS);
    expect(await scene.settled('a', 'failed')).toMatchObject({
      code: 'outcome_unknown',
      reason: expect.stringContaining('It is not known whether the message was posted'),
    });
    expect(scene.channel.posted).toHaveLength(1);
    // A person who sends it again has checked the channel: that history is not awaited again.
    await scene.store.db.transaction().execute((trx) => sendAgain(trx, 'a', scene.clock.now(), 'Morgan'));
    scene.advance(0);
    await scene.settled('a', 'sent');
    expect(scene.channel.posted).toHaveLength(2);
    expect((await findDelivery(scene.store.db, 'a'))?.unreadableSince).toBeNull();
  });

  test('an outage of Slack of five hours is survived, and then the message is posted once', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'unknown', reason: 'the connection broke' }];
    scene.channel.isAway = true;
    await scene.enqueue('a');
    await scene.settled('a', 'unknown');
    for (let minutes = 0; minutes < 5 * 60; minutes += 30) {
      const looked = scene.settled('a', 'unknown');
      scene.advance(30 * MINUTE_MS);
      await looked;
    }
    scene.channel.isAway = false;
    const sent = scene.settled('a', 'sent');
    scene.advance(30 * MINUTE_MS);
    await sent;
    expect(scene.channel.posted).toHaveLength(1);
  });
});

test.each(availableEngines())(
  'a post that Slack refuses leaves no trace: sent again, it is searched for nowhere and appears once (%s)',
  async (engine) => {
    const scene = await setScene(engine);
    const refused = {
      kind: 'refused',
      code: 'channel_not_found',
      reason: 'The channel is gone.',
    } as const;
    scene.channel.answers = [refused];
    await scene.enqueue('a');
    expect(await scene.settled('a', 'failed')).toMatchObject({ code: 'channel_not_found' });
    expect(await scene.state('a')).toMatchObject({
      firstPostingAt: null,
      lastPostingAt: null,
      messageTs: null,
      leasedBy: null,
    });
    await scene.store.db.transaction().execute((trx) => sendAgain(trx, 'a', scene.clock.now(), 'Morgan'));
    scene.advance(0);
    await scene.settled('a', 'sent');
    expect(scene.channel.searches).toEqual([]);
    expect(scene.channel.posted).toHaveLength(1);
  },
);

describe.each(availableEngines())('a store that was set back, on %s:', (engine) => {
  test('a message that was due before the start is found in its channel, and not posted again', async () => {
    const scene = await setScene(engine);
    await scene.channel.post('C1', 'digest', { text: markup`posted before the backup was restored` });
    await scene.enqueueDue('digest', new Date(START.getTime() - MINUTE_MS));
    expect(await scene.settled('digest', 'sent')).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('a message that is more than two minutes late, or was due before the store was away, is searched for too', async () => {
    const scene = await setScene(engine);
    await scene.channel.post('C1', 'late', { text: markup`posted` });
    await scene.channel.post('C1', 'lost', { text: markup`posted` });
    scene.advance(10 * MINUTE_MS);
    await scene.enqueueDue('late', new Date(scene.clock.now().getTime() - 2 * MINUTE_MS - 1));
    expect(await scene.settled('late', 'sent')).toMatchObject({ found: true });
    scene.outboxes[0]?.recordStoreFault();
    scene.advance(1_000);
    await scene.enqueueDue('lost', new Date(scene.clock.now().getTime() - MINUTE_MS));
    expect(await scene.settled('lost', 'sent')).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(2);
  });

  test('a message that is due on time is not searched for', async () => {
    const scene = await setScene(engine);
    scene.advance(MINUTE_MS);
    await scene.enqueue('a');
    await scene.settled('a', 'sent');
    expect(scene.channel.searches).toEqual([]);
  });
});
