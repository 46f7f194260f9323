import { noCheckpoint } from '../../../src/core/base/checkpoint.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import type { DeliveryKind } from '../../../src/core/outbox/attempts/delivery-outcomes.ts';
import { enqueue } from '../../support/outbox/enqueue.ts';
import type { Settlement } from '../../../src/core/outbox/deliveries.ts';
import { findDelivery, replaceMemo, sendAgain } from '../../../src/core/outbox/past-deliveries.ts';
import type { OutgoingMessage, Poster, PostOutcome } from '../../../src/core/outbox/poster.ts';
import { createOutbox } from '../../../src/core/outbox/attempts/worker.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';
import { markup, mrkdwnOf } from '../../../src/core/base/text/markup.ts';

const START = new Date('2026-03-02T08:00:00Z');
const THREAD = { channel: 'D1', ts: '7.7' };

/** A Slack with scripted answers that records its requests. */
class ScriptedPoster implements Poster {
  readonly calls: string[] = [];
  posts: PostOutcome[] = [];
  edits: Awaited<ReturnType<Poster['edit']>>[] = [];

  open(channel: string): ReturnType<Poster['open']> {
    return Promise.resolve({ kind: 'open', channel });
  }

  remove(): Promise<boolean> {
    return Promise.resolve(true);
  }

  post(channel: string, key: string, message: OutgoingMessage): Promise<PostOutcome> {
    this.calls.push(`post ${key} to ${message.replyTo?.ts ?? channel}`);
    return Promise.resolve(this.posts.shift() ?? { kind: 'posted', channel, ts: '1' });
  }

  find(where: Parameters<Poster['find']>[0], key: string): ReturnType<Poster['find']> {
    this.calls.push(`find ${key} in ${where.thread ? `${where.thread.channel} ${where.thread.ts}` : where.channel}`);
    return Promise.resolve({ kind: 'found', channel: 'D1', ts: '8.8', others: [] });
  }

  edit(place: { ts: string }, message: OutgoingMessage): ReturnType<Poster['edit']> {
    this.calls.push(`edit ${place.ts}: ${mrkdwnOf(message.text)}`);
    return Promise.resolve(this.edits.shift() ?? { kind: 'posted', channel: 'C1', ts: place.ts });
  }
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function setScene(engine: 'sqlite' | 'postgres', kind: DeliveryKind) {
  const database = await createDatabase(engine);
  cleanUps.push(() => database.drop());
  const clock = createMovableClock(START, { frozen: true });
  const store = await openStore(database.url, undefined, () => clock.now());
  const { db } = store;
  cleanUps.push(() => store.close());
  const poster = new ScriptedPoster();
  const settled: Settlement[] = [];
  const waiters = new Set<() => void>();
  const outbox = createOutbox({
    db,
    engine,
    commits: store.commits,
    clock,
    poster,
    kinds: { test: kind },
    log: createLogger('fatal', []),
    replica: 'one',
    checkpoint: noCheckpoint,
    onSettled: (_delivery, settlement) => {
      settled.push(settlement);
      for (const wake of waiters) wake();
    },
  });
  outbox.start();
  cleanUps.push(() => outbox.stop());
  return {
    db,
    clock,
    poster,
    settled,
    enqueueOne: (key: string) =>
      db
        .transaction()
        .execute((trx) => enqueue(trx, { key, kind: 'test', channel: 'C1', payload: {}, dueAt: START }, START)),
    settledInto: (state: Settlement['state']) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (settled.at(-1)?.state !== state) return;
          waiters.delete(look);
          resolve();
        };
        waiters.add(look);
        look();
        outbox.poke();
      }),
    advance: (ms: number) => {
      clock.moveTo(new Date(clock.now().getTime() + ms));
      outbox.poke();
    },
  };
}

describe.each(availableEngines())('the outbox on %s', (engine) => {
  test('searches the thread for a reply after an unknown outcome', async () => {
    const { poster, enqueueOne, settledInto, advance } = await setScene(engine, {
      prepare: () => Promise.resolve({ kind: 'send', message: { text: markup`more`, replyTo: THREAD } }),
    });
    poster.posts = [{ kind: 'unknown', reason: 'answer lost' }];
    await enqueueOne('a');
    await settledInto('unknown');
    advance(10_000);
    await settledInto('sent');
    expect(poster.calls).toEqual(['post a to 7.7', 'find a in D1 7.7']);
  });

  test('repeats an edit until it is done, without searching', async () => {
    const { poster, enqueueOne, settledInto, advance } = await setScene(engine, {
      prepare: () => Promise.resolve({ kind: 'edit', place: THREAD, message: { text: markup`corrected` } }),
    });
    poster.edits = [{ kind: 'later', delayMs: 30_000, reason: 'The connection broke' }];
    await enqueueOne('a');
    await settledInto('waiting');
    advance(30_000);
    await settledInto('sent');
    expect(poster.calls).toEqual(['edit 7.7: corrected', 'edit 7.7: corrected']);
  });

  test('stores the content before the request is sent, and passes it to the follow-up', async () => {
    const told: (string | null)[] = [];
    const { db, poster, enqueueOne, settledInto, advance } = await setScene(engine, {
      prepare: () => Promise.resolve({ kind: 'send', message: { text: markup`figures` }, memo: '{"credits":1}' }),
      onSettled: (_trx, { memo }, { state }) => {
        told.push(`${state} ${memo}`);
        return Promise.resolve();
      },
    });
    poster.posts = [{ kind: 'unknown', reason: 'answer lost' }];
    await enqueueOne('a');
    await settledInto('unknown');
    expect((await findDelivery(db, 'a'))?.memo).toBe('{"credits":1}');
    advance(10_000);
    await settledInto('sent');
    expect(told).toEqual(['unknown {"credits":1}', 'sent {"credits":1}']);
  });

  test('runs the follow-up of a delivery in the transaction that records its end, or neither', async () => {
    let isBroken = true;
    let broken = 0;
    const scene = await setScene(engine, {
      prepare: () => Promise.resolve({ kind: 'send', message: { text: markup`digest` } }),
      onSettled: async (trx, delivery, _settlement, now) => {
        if (delivery.key !== 'a') return;
        await enqueue(trx, { key: 'a:detail', kind: 'test', channel: 'C2', payload: {}, dueAt: now }, now);
        if (!isBroken) return;
        broken += 1;
        throw new Error('half-way');
      },
    });
    await scene.enqueueOne('a');
    scene.advance(0);
    await expect.poll(() => scene.poster.calls, { timeout: 10_000 }).toEqual(['post a to C1']);
    await expect.poll(async () => (await findDelivery(scene.db, 'a'))?.state, { timeout: 10_000 }).toBe('posting');
    expect(await findDelivery(scene.db, 'a:detail')).toBeUndefined();
    await expect.poll(() => broken, { timeout: 10_000 }).toBe(1);
    isBroken = false;
    // The lease of the attempt that broke ends; its message is found, and not posted again.
    scene.advance(61_000);
    await expect.poll(async () => (await findDelivery(scene.db, 'a:detail'))?.state, { timeout: 10_000 }).toBe('sent');
    expect(scene.poster.calls).toEqual(['post a to C1', 'find a in C1', 'post a:detail to C2']);
  });

  test('passes Slack’s reason of a refusal to the follow-up, and sends a failed message again once', async () => {
    const codes: (string | undefined)[] = [];
    const { db, clock, poster, enqueueOne, settledInto } = await setScene(engine, {
      prepare: () => Promise.resolve({ kind: 'send', message: { text: markup`digest` } }),
      onSettled: (_trx, _delivery, settlement) => {
        if (settlement.state === 'failed') codes.push(settlement.code);
        return Promise.resolve();
      },
    });
    poster.posts = [{ kind: 'refused', code: 'is_archived', reason: 'The channel is archived.' }];
    await enqueueOne('a');
    await settledInto('failed');
    expect(codes).toEqual(['is_archived']);
    const again = () => db.transaction().execute((trx) => sendAgain(trx, 'a', clock.now(), 'Morgan had it sent again'));
    expect((await Promise.all([again(), again()])).toSorted()).toEqual([false, true]);
    await settledInto('sent');
  });

  test('lets one of two concurrent writers replace a memo', async () => {
    const { db, enqueueOne, settledInto } = await setScene(engine, {
      prepare: () => Promise.resolve({ kind: 'send', message: { text: markup`figures` }, memo: 'one' }),
    });
    await enqueueOne('a');
    await settledInto('sent');
    const replace = (memo: string) =>
      db.transaction().execute((trx) => replaceMemo(trx, { key: 'a', memo: 'one' }, memo));
    const results = await Promise.all([replace('two'), replace('three')]);
    expect(results.filter(Boolean)).toHaveLength(1);
  });
});
