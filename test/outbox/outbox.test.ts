import { afterEach, describe, expect, test } from 'vitest';
import { createMovableClock, type MovableClock } from '../../src/sandbox/clock.ts';
import { createLogger } from '../../src/log.ts';
import type { DeliveryKind } from '../../src/outbox/attempt.ts';
import { enqueue, readHistory, type Settlement } from '../../src/outbox/deliveries.ts';
import type { Delivery } from '../../src/outbox/delivery-table.ts';
import type { MessagePlace, OutgoingMessage, Poster, PostOutcome, SearchOutcome } from '../../src/outbox/poster.ts';
import { createOutbox, type Outbox } from '../../src/outbox/worker.ts';
import { openStore, type Store } from '../../src/store/database.ts';
import { availableEngines, createDatabase } from '../support/databases.ts';
import { markup, mrkdwnOf } from '../../src/slack/text.ts';

const START = new Date('2026-03-02T08:00:00Z');

/** A channel that a test can make misbehave; it keeps what was posted. */
class FakeChannel implements Poster {
  readonly posted: { channel: string; key: string; text: string; atMs: number }[] = [];
  readonly searches: string[] = [];
  answers: (PostOutcome | 'accept')[] = [];
  readonly edited: { channel: string; ts: string; text: string }[] = [];
  edits: (Awaited<ReturnType<Poster['edit']>> | 'accept')[] = [];
  isReadable = true;
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  post(channel: string, key: string, message: OutgoingMessage): Promise<PostOutcome> {
    const answer = this.answers.shift() ?? 'accept';
    const isAccepted = answer === 'accept' || (answer.kind === 'unknown' && answer.reason === 'answer lost');
    if (isAccepted) this.posted.push({ channel, key, text: mrkdwnOf(message.text), atMs: this.#now().getTime() });
    return Promise.resolve(answer === 'accept' ? { kind: 'posted', channel, ts: String(this.posted.length) } : answer);
  }

  find({ channel, thread }: Parameters<Poster['find']>[0], key: string): Promise<SearchOutcome> {
    this.searches.push(thread ? `${key} in ${thread.ts}` : key);
    if (!this.isReadable) return Promise.resolve({ kind: 'unreadable', reason: 'missing scope' });
    const index = this.posted.findIndex((message) => message.key === key);
    return Promise.resolve(index < 0 ? { kind: 'absent' } : { kind: 'found', channel, ts: String(index + 1) });
  }

  edit(place: MessagePlace, message: OutgoingMessage): ReturnType<Poster['edit']> {
    const answer = this.edits.shift() ?? 'accept';
    if (answer !== 'accept') return Promise.resolve(answer);
    this.edited.push({ ...place, text: mrkdwnOf(message.text) });
    return Promise.resolve({ kind: 'posted', ...place });
  }
}

interface Scene {
  store: Store;
  clock: MovableClock;
  channel: FakeChannel;
  outboxes: Outbox[];
  wish: (key: string, channel?: string) => Promise<void>;
  /** Waits until a delivery has been settled into a state. */
  settled: (key: string, state: Settlement['state']) => Promise<Settlement>;
  advance: (ms: number) => void;
  state: (key: string) => Promise<Delivery>;
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function setScene(
  engine: 'sqlite' | 'postgres',
  { kind, replicas = 1 }: { kind?: DeliveryKind; replicas?: number } = {},
): Promise<Scene> {
  const database = await createDatabase(engine);
  cleanUps.push(() => database.drop());
  const store = await openStore(database.url);
  cleanUps.push(() => store.close());
  const clock = createMovableClock(START, { frozen: true });
  const channel = new FakeChannel(() => clock.now());
  const seen: { key: string; settlement: Settlement }[] = [];
  const waiters = new Set<() => void>();
  const sending: DeliveryKind = {
    prepare: (delivery) => Promise.resolve({ kind: 'send', message: { text: markup`message of ${delivery.key}` } }),
  };
  const outboxes = Array.from({ length: replicas }, (_, index) =>
    createOutbox({
      db: store.db,
      engine,
      clock,
      poster: channel,
      kinds: { test: kind ?? sending },
      log: createLogger('fatal', []),
      replica: `replica-${index}`,
      observe: (step, delivery, settlement) => {
        if (step !== 'settled' || !delivery || !settlement) return;
        seen.push({ key: delivery.key, settlement });
        for (const wake of waiters) wake();
      },
    }),
  );
  for (const outbox of outboxes) {
    outbox.start();
    cleanUps.push(() => outbox.stop());
  }
  return {
    store,
    clock,
    channel,
    outboxes,
    wish: async (key, to = 'C1') => {
      const wish = { key, kind: 'test', channel: to, payload: {}, dueAt: clock.now() };
      await store.db.transaction().execute((trx) => enqueue(trx, wish, clock.now()));
      for (const outbox of outboxes) outbox.poke();
    },
    settled: (key, state) =>
      new Promise((resolve) => {
        const look = () => {
          const index = seen.findIndex((entry) => entry.key === key && entry.settlement.state === state);
          if (index < 0) return;
          waiters.delete(look);
          const [found] = seen.splice(index, 1);
          if (found) resolve(found.settlement);
        };
        waiters.add(look);
        look();
      }),
    advance: (ms) => {
      clock.moveTo(new Date(clock.now().getTime() + ms));
      for (const outbox of outboxes) outbox.poke();
    },
    state: (key) => store.db.selectFrom('deliveries').selectAll().where('key', '=', key).executeTakeFirstOrThrow(),
  };
}

describe.each(availableEngines())('the outbox on %s', (engine) => {
  test('posts a delivery once, however often it is enqueued, and tells its history', async () => {
    const scene = await setScene(engine);
    await scene.wish('a');
    await scene.wish('a');
    await scene.settled('a', 'sent');
    expect(scene.channel.posted.map((message) => message.key)).toEqual(['a']);
    const steps = (await readHistory(scene.store.db, 'a')).map((entry) => entry.step);
    expect(steps).toEqual(['planned', 'posting', 'sent']);
  });

  test('after an unknown outcome it finds the message in the history and posts nothing more', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'unknown', reason: 'answer lost' }];
    await scene.wish('a');
    await scene.settled('a', 'unknown');
    scene.advance(10_000);
    expect(await scene.settled('a', 'sent')).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('after an unknown outcome it posts again only when the history does not show the message', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'unknown', reason: 'connection cut before Slack read it' }];
    await scene.wish('a');
    await scene.settled('a', 'unknown');
    expect(scene.channel.posted).toHaveLength(0);
    scene.advance(10_000);
    await scene.settled('a', 'sent');
    expect(scene.channel.searches).toEqual(['a']);
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('goes on reading the history after an unknown outcome, also when it had to wait meanwhile', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [
      { kind: 'unknown', reason: 'connection cut' },
      { kind: 'later', delayMs: 30_000, reason: 'Slack asked to wait' },
    ];
    await scene.wish('a');
    await scene.settled('a', 'unknown');
    scene.advance(10_000);
    await scene.settled('a', 'waiting');
    // The first post shows up in the channel only now.
    await scene.channel.post('C1', 'a', { text: markup`shown late` });
    scene.advance(30_000);
    expect(await scene.settled('a', 'sent')).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('while the history cannot be read, an unknown outcome stays unknown and nothing is posted', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'unknown', reason: 'answer lost' }];
    scene.channel.isReadable = false;
    await scene.wish('a');
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
    await scene.wish('a');
    await scene.settled('a', 'waiting');
    scene.advance(29_999);
    expect((await scene.state('a')).next_attempt_at).toBe('2026-03-02T08:00:30.000Z');
    expect(scene.channel.posted).toHaveLength(0);
    scene.advance(1);
    await scene.settled('a', 'sent');
    expect(scene.channel.searches).toEqual([]);
  });

  test('ends a delivery that Slack refuses, with the reason, and goes on with the others', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [{ kind: 'refused', code: 'is_archived', reason: 'The channel is archived.' }];
    await scene.wish('a');
    await scene.settled('a', 'failed');
    await scene.wish('b', 'C2');
    await scene.settled('b', 'sent');
    expect(await scene.state('a')).toMatchObject({ state: 'failed', reason: 'The channel is archived.' });
  });

  test('posts side by side in different channels, but one a second in the same', async () => {
    const scene = await setScene(engine, { replicas: engine === 'postgres' ? 2 : 1 });
    await Promise.all([scene.wish('a1', 'A'), scene.wish('a2', 'A'), scene.wish('b1', 'B')]);
    await scene.settled('b1', 'sent');
    const inTheSame = [scene.settled('a1', 'sent'), scene.settled('a2', 'sent')];
    await Promise.race(inTheSame);
    expect(scene.channel.posted.filter((message) => message.channel === 'A')).toHaveLength(1);
    scene.advance(1_000);
    await Promise.all(inTheSame);
    expect(scene.channel.posted.filter((message) => message.channel === 'A')).toHaveLength(2);
  });

  test('takes over what a dead replica held when its lease has ended, and reads the history first', async () => {
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
        leased_by: 'dead',
        leased_until: new Date(scene.clock.now().getTime() + 60_000).toISOString(),
        first_posting_at: at,
        attempts: 1,
        due_at: at,
        next_attempt_at: at,
        created_at: at,
      })
      .execute();
    await scene.channel.post('C1', 'a', { text: markup`posted before the crash` });
    scene.advance(59_999);
    expect((await scene.state('a')).leased_by).toBe('dead');
    scene.advance(1);
    expect(await scene.settled('a', 'sent')).toMatchObject({ found: true });
    expect(scene.channel.posted).toHaveLength(1);
  });

  test('asks again later when its message is not ready, and records the wait once', async () => {
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
    await scene.wish('a');
    await scene.settled('a', 'waiting');
    scene.advance(600_000);
    await scene.settled('a', 'waiting');
    scene.advance(600_000);
    await scene.settled('a', 'sent');
    const steps = (await readHistory(scene.store.db, 'a')).map((entry) => `${entry.step} ${entry.detail ?? ''}`.trim());
    expect(steps).toEqual(['planned due 2026-03-02T08:00:00.000Z', 'waiting not published', 'posting', 'sent C1 1']);
  });

  test('tries a message that cannot be prepared again with growing waits, and gives up after a day', async () => {
    const scene = await setScene(engine, { kind: { prepare: () => Promise.reject(new Error('broken')) } });
    await scene.wish('a');
    await scene.settled('a', 'waiting');
    scene.advance(5_000);
    await scene.settled('a', 'waiting');
    scene.advance(24 * 60 * 60_000);
    await scene.settled('a', 'failed');
    expect((await scene.state('a')).reason).toMatch(/^Given up after a day/);
    expect(scene.channel.posted).toHaveLength(0);
  });

  test('finishes what is under way when it is stopped, and takes no more', async () => {
    const scene = await setScene(engine);
    await scene.wish('a');
    await scene.settled('a', 'sent');
    await scene.outboxes[0]?.stop();
    await scene.wish('b');
    expect((await scene.state('b')).state).toBe('waiting');
  });
});
