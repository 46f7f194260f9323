import { describe, expect, test } from 'vitest';
import { readHistory } from '../../support/outbox/read-history.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { setScene } from '../../support/outbox/outbox-scene.ts';
import { markup } from '../../../src/core/base/text/markup.ts';

describe.each(availableEngines())('the outbox on %s', (engine) => {
  test('posts a delivery once, however often it is enqueued, and records its history', async () => {
    const scene = await setScene(engine);
    await scene.enqueue('a');
    await scene.enqueue('a');
    await scene.settled('a', 'sent');
    expect(scene.channel.posted.map((message) => message.key)).toEqual(['a']);
    const steps = (await readHistory(scene.store.db, 'a')).map((entry) => entry.step);
    expect(steps).toEqual(['planned', 'posting', 'sent']);
  });

  test('after an unknown outcome finds the message in the history and posts nothing more', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'unknown', reason: 'answer lost' }];
    await scene.enqueue('a');
    await scene.settled('a', 'unknown');
    scene.advance(10_000);
    expect(await scene.settled('a', 'sent')).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('after an unknown outcome posts again only if the history does not show the message', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'unknown', reason: 'connection cut before Slack read it' }];
    await scene.enqueue('a');
    await scene.settled('a', 'unknown');
    for (const ms of [10_000, 20_000]) {
      scene.advance(ms);
      await scene.settled('a', 'unknown');
      expect(scene.channel.posted).toHaveLength(0);
    }
    scene.advance(59_999);
    scene.advance(1);
    await scene.settled('a', 'sent');
    expect(scene.channel.searches).toEqual(['a', 'a', 'a']);
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('continues to read the history after an unknown outcome, even after a wait', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [
      { kind: 'unknown', reason: 'connection cut' },
      { kind: 'later', delayMs: 30_000, reason: 'Slack asked to wait' },
    ];
    await scene.enqueue('a');
    await scene.settled('a', 'unknown');
    scene.advance(90_000);
    await scene.settled('a', 'waiting');
    // The first post appears in the channel only now.
    await scene.channel.post('C1', 'a', { text: markup`shown late` });
    scene.advance(30_000);
    expect(await scene.settled('a', 'sent')).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('posts nothing while the history cannot be read, and the outcome stays unknown', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'unknown', reason: 'answer lost' }];
    scene.channel.isReadable = false;
    await scene.enqueue('a');
    await scene.settled('a', 'unknown');
    scene.advance(10_000);
    await scene.settled('a', 'unknown');
    scene.channel.isReadable = true;
    scene.advance(60 * 60_000);
    expect(await scene.settled('a', 'sent')).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('waits exactly as long as Slack asks', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'later', delayMs: 30_000, reason: 'Slack asked to wait' }];
    await scene.enqueue('a');
    await scene.settled('a', 'waiting');
    scene.advance(29_999);
    expect((await scene.state('a')).nextAttemptAt).toBe('2026-03-02T08:00:30.000Z');
    expect(scene.channel.posted).toHaveLength(0);
    scene.advance(1);
    await scene.settled('a', 'sent');
    expect(scene.channel.searches).toEqual([]);
  });

  test('ends a delivery that Slack refuses, with the reason, and continues with the others', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'refused', code: 'is_archived', reason: 'The channel is archived.' }];
    await scene.enqueue('a');
    await scene.settled('a', 'failed');
    await scene.enqueue('b', 'C2');
    await scene.settled('b', 'sent');
    expect(await scene.state('a')).toMatchObject({ state: 'failed', reason: 'The channel is archived.' });
  });

  test('posts concurrently in different channels, but one a second in the same', async () => {
    const scene = await setScene(engine, { replicas: engine === 'postgres' ? 2 : 1 });
    await Promise.all([scene.enqueue('a1', 'A'), scene.enqueue('a2', 'A'), scene.enqueue('b1', 'B')]);
    await scene.settled('b1', 'sent');
    const inTheSame = [scene.settled('a1', 'sent'), scene.settled('a2', 'sent')];
    await Promise.race(inTheSame);
    expect(scene.channel.posted.filter((message) => message.channel === 'A')).toHaveLength(1);
    scene.advance(1_000);
    await Promise.all(inTheSame);
    expect(scene.channel.posted.filter((message) => message.channel === 'A')).toHaveLength(2);
  });

  test('takes over the deliveries of a dead replica when its lease has ended, and reads the history first', async () => {
    const scene = await setScene(engine);
    const at = scene.clock.now().toISOString();
    await scene.store.db
      .insertInto('deliveries')
      .values({
        key: 'a',
        kind: 'test',
        channel: 'C1',
        payload: '{}',
        state: 'posting',
        leasedBy: 'dead',
        leasedUntil: new Date(scene.clock.now().getTime() + 60_000).toISOString(),
        firstPostingAt: at,
        attempts: 1,
        dueAt: at,
        nextAttemptAt: at,
        createdAt: at,
      })
      .execute();
    await scene.channel.post('C1', 'a', { text: markup`posted before the crash` });
    scene.advance(59_999);
    expect((await scene.state('a')).leasedBy).toBe('dead');
    scene.advance(1);
    expect(await scene.settled('a', 'sent')).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('polls a message that is not ready, and records the wait once', async () => {
    let asked = 0;
    const scene = await setScene(engine, {
      kind: {
        prepare: () => {
          asked += 1;
          if (asked > 2) return Promise.resolve({ kind: 'send', message: { text: markup`ready` } });
          const until = new Date(scene.clock.now().getTime() + 600_000);
          return Promise.resolve({ kind: 'wait', until, reason: 'not published' });
        },
      },
    });
    await scene.enqueue('a');
    await scene.settled('a', 'waiting');
    scene.advance(600_000);
    await scene.settled('a', 'waiting');
    scene.advance(600_000);
    await scene.settled('a', 'sent');
    const steps = (await readHistory(scene.store.db, 'a')).map((entry) => `${entry.step} ${entry.detail ?? ''}`.trim());
    expect(steps).toEqual(['planned due 2026-03-02T08:00:00.000Z', 'waiting not published', 'posting', 'sent C1 1']);
  });

  test('repeats a failed preparation with growing waits, and gives up after a day', async () => {
    const scene = await setScene(engine, { kind: { prepare: () => Promise.reject(new Error('broken')) } });
    await scene.enqueue('a');
    await scene.settled('a', 'waiting');
    scene.advance(5_000);
    await scene.settled('a', 'waiting');
    scene.advance(24 * 60 * 60_000);
    await scene.settled('a', 'failed');
    expect((await scene.state('a')).reason).toMatch(/^Given up after a day/);
    expect(scene.channel.posted).toHaveLength(0);
  });

  test('finishes its work when it is stopped, and accepts none after that', async () => {
    const scene = await setScene(engine);
    await scene.enqueue('a');
    await scene.settled('a', 'sent');
    await scene.outboxes[0]?.stop();
    await scene.enqueue('b');
    expect((await scene.state('b')).state).toBe('waiting');
  });
});
