import { noCheckpoint } from '../../../src/core/base/checkpoint.ts';
import type { KyselyPlugin } from 'kysely';
import { onTestFinished } from 'vitest';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import type { Deadline } from '../../../src/core/base/time/deadline.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import type { DeliveryKind, OutboxTimes } from '../../../src/core/outbox/attempts/delivery-outcomes.ts';
import { enqueue } from './enqueue.ts';
import type { Settlement } from '../../../src/core/outbox/deliveries.ts';
import type { Delivery } from '../../../src/core/outbox/delivery-table.ts';
import type {
  MessagePlace,
  OutgoingMessage,
  Poster,
  PostOutcome,
  SearchOutcome,
} from '../../../src/core/outbox/poster.ts';
import { createOutbox, type Outbox } from '../../../src/core/outbox/attempts/worker.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { createDatabase } from '../stores/databases.ts';
import { markup, mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { inTime } from '../waiting.ts';
import { deliveriesThere } from '../digests.ts';

export const START = new Date('2026-03-02T08:00:00Z');

/** Resolves the first time that it is called. */
export function holdFirst() {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let calls = 0;
  return {
    entered: entered.promise,
    release: release.resolve,
    hold: async () => {
      calls += 1;
      if (calls > 1) return;
      entered.resolve();
      await release.promise;
    },
  };
}

/** A channel that a test can make misbehave; it records its posts. */
export class FakeChannel implements Poster {
  readonly posted: { channel: string; key: string; text: string; atMs: number }[] = [];
  readonly searches: string[] = [];
  answers: (PostOutcome | 'accept')[] = [];
  /** Called while a post, or a call before it, is on its way. */
  onOpen: () => Promise<void> = () => Promise.resolve();
  onPost: (key: string) => Promise<void> = () => Promise.resolve();
  /** Called with each search, whose answer was written before and arrives after it. */
  onSearched: () => void = () => {};
  /** The request arrives although the sender has lost its lease in the meantime. */
  isSlow = false;
  /** How long after its post a message appears in the history. */
  shownAfterMs = 0;
  readonly edited: { channel: string; ts: string; text: string }[] = [];
  edits: (Awaited<ReturnType<Poster['edit']>> | 'accept')[] = [];
  isReadable = true;
  /** It does not answer requests for its history. */
  isAway = false;
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  readonly removed: string[] = [];

  async open(channel: string): ReturnType<Poster['open']> {
    await this.onOpen();
    return { kind: 'open', channel };
  }

  remove({ ts }: MessagePlace): Promise<boolean> {
    this.removed.push(ts);
    return Promise.resolve(true);
  }

  async post(channel: string, key: string, message: OutgoingMessage, deadline?: Deadline): Promise<PostOutcome> {
    await this.onPost(key);
    if (deadline?.hasPassed() && !this.isSlow) return { kind: 'later', delayMs: 15_000, reason: 'woke too late' };
    const answer = this.answers.shift() ?? 'accept';
    const isAccepted = answer === 'accept' || (answer.kind === 'unknown' && answer.reason === 'answer lost');
    if (isAccepted) this.posted.push({ channel, key, text: mrkdwnOf(message.text), atMs: this.#now().getTime() });
    return answer === 'accept' ? { kind: 'posted', channel, ts: String(this.posted.length) } : answer;
  }

  find({ channel, thread }: Parameters<Poster['find']>[0], key: string): Promise<SearchOutcome> {
    this.searches.push(thread ? `${key} in ${thread.ts}` : key);
    if (this.isAway) return Promise.resolve({ kind: 'unreadable', reason: 'status 503', isAway: true });
    if (!this.isReadable) return Promise.resolve({ kind: 'unreadable', reason: 'missing scope' });
    const [ts, ...others] = this.posted
      .flatMap((message, index) =>
        message.key === key && this.#now().getTime() - message.atMs >= this.shownAfterMs ? [String(index + 1)] : [],
      )
      .toReversed();
    this.onSearched();
    return Promise.resolve(ts === undefined ? { kind: 'absent' } : { kind: 'found', channel, ts, others });
  }

  edit(place: MessagePlace, message: OutgoingMessage): ReturnType<Poster['edit']> {
    const answer = this.edits.shift() ?? 'accept';
    if (answer !== 'accept') return Promise.resolve(answer);
    this.edited.push({ ...place, text: mrkdwnOf(message.text) });
    return Promise.resolve({ kind: 'posted', ...place });
  }
}

export interface OutboxScene {
  store: Store;
  clock: MovableClock;
  channel: FakeChannel;
  outboxes: Outbox[];
  databaseUrl: string;
  enqueue: (key: string, channel?: string) => Promise<void>;
  /** Inserts a delivery that was due at another time. */
  enqueueDue: (key: string, dueAt: Date) => Promise<void>;
  /** Waits until a delivery has been settled into a state. */
  settled: (key: string, state: Settlement['state']) => Promise<Settlement>;
  advance: (ms: number) => void;
  state: (key: string) => Promise<Delivery>;
}

interface SceneOptions {
  kind?: DeliveryKind;
  replicas?: number;
  times?: Partial<OutboxTimes>;
  /** The clocks of the replicas, in their order; if missing, all show the same time. */
  clocks?: readonly MovableClock[];
  onTurn?: (turn: 'began' | 'ended') => void;
  onLogged?: (line: string) => void;
  /** Of the outbox’s own handle of the store. */
  plugins?: readonly KyselyPlugin[];
  /** The store follows its own time, not the clock of the test. */
  hasOwnTime?: boolean;
}

/** An outbox with a channel that a test can make misbehave; its clock is stopped unless the test moves it. */
export async function setScene(
  engine: 'sqlite' | 'postgres',
  { kind, replicas = 1, times, clocks, hasOwnTime = false, onTurn, onLogged, plugins = [] }: SceneOptions = {},
): Promise<OutboxScene> {
  const database = await createDatabase(engine);
  onTestFinished(() => database.drop());
  const clock = createMovableClock(START, { frozen: true });
  const store = await openStore(database.url, undefined, hasOwnTime ? undefined : () => clock.now());
  onTestFinished(() => store.close());
  const channel = new FakeChannel(() => clock.now());
  const seen: { key: string; settlement: Settlement }[] = [];
  const waiters = new Set<() => void>();
  const sending: DeliveryKind = {
    prepare: (delivery) => Promise.resolve({ kind: 'send', message: { text: markup`message of ${delivery.key}` } }),
  };
  const outboxes = Array.from({ length: replicas }, (_, index) =>
    createOutbox({
      db: plugins.reduce((db, plugin) => db.withPlugin(plugin), store.db),
      engine,
      commits: store.commits,
      clock: clocks?.[index] ?? clock,
      times,
      poster: channel,
      kinds: { test: kind ?? sending },
      log: onLogged ? createLogger('warn', [], onLogged) : createLogger('fatal', []),
      onTurn,
      replica: `replica-${index}`,
      checkpoint: noCheckpoint,
      onSettled: (delivery, settlement) => {
        seen.push({ key: delivery.key, settlement });
        for (const wake of waiters) wake();
      },
    }),
  );
  for (const outbox of outboxes) {
    outbox.start();
    onTestFinished(() => outbox.stop());
  }
  return {
    store,
    clock,
    channel,
    outboxes,
    databaseUrl: database.url,
    enqueue: async (key, to = 'C1') => {
      const delivery = { key, kind: 'test', channel: to, payload: {}, dueAt: clock.now() };
      await store.db.transaction().execute((trx) => enqueue(trx, delivery, clock.now()));
    },
    enqueueDue: async (key, dueAt) => {
      const delivery = { key, kind: 'test', channel: 'C1', payload: {}, dueAt };
      await store.db.transaction().execute((trx) => enqueue(trx, delivery, clock.now()));
    },
    settled: (key, state) => {
      const { promise, resolve } = Promise.withResolvers<Settlement>();
      const look = () => {
        const index = seen.findIndex((entry) => entry.key === key && entry.settlement.state === state);
        if (index < 0) return;
        waiters.delete(look);
        const [found] = seen.splice(index, 1);
        if (found) resolve(found.settlement);
      };
      waiters.add(look);
      look();
      return inTime(promise, async () => `${key} to be ${state}. ${await deliveriesThere(store.db)}`);
    },
    advance: (ms) => {
      clock.moveTo(new Date(clock.now().getTime() + ms));
      for (const outbox of outboxes) outbox.poke();
    },
    state: (key) => store.db.selectFrom('deliveries').selectAll().where('key', '=', key).executeTakeFirstOrThrow(),
  };
}
