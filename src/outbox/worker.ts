import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { Clock } from '../schedule/clock.ts';
import type { Database, Engine } from '../store/database.ts';
import { isStoreFault } from '../store/store-fault.ts';
import {
  settlementOf,
  settlementOfFault,
  settlementOfUnreadable,
  waitUntil,
  type DeliveryKind,
  type Preparation,
} from './attempt.ts';
import { CHANNEL_PACE_MS, claimNext, markPosting, nextWakeAt, settle, type Settlement } from './deliveries.ts';
import type { Delivery } from './delivery-table.ts';
import type { Poster } from './poster.ts';

/** The points of a delivery at which a crash would tell on it, in their order. */
export type OutboxStep = 'before_claim' | 'after_claim' | 'before_post' | 'after_post' | 'before_settle' | 'settled';

export interface OutboxParts {
  db: Database;
  engine: Engine;
  clock: Clock;
  poster: Poster;
  kinds: Readonly<Record<string, DeliveryKind>>;
  log: Logger;
  /** The name of this process among its replicas; unique to each start. */
  replica: string;
  /** Told of each step, for metrics, and for the tests that kill the process there. */
  observe?: (step: OutboxStep, delivery?: Delivery, settlement?: Settlement) => void;
  /** Told of each turn, for the watchdog. */
  onTurn?: ((turn: 'began' | 'ended') => void) | undefined;
}

export interface Outbox {
  start(): void;
  /** Something was enqueued: look now rather than at the next poll. */
  poke(): void;
  /** Finishes the deliveries that are under way and takes no more. */
  stop(): Promise<void>;
}

/** How many deliveries one process has under way at once. */
const CONCURRENCY = 8;

/** How often the table is read when nothing is known to be due: another replica may have enqueued something and died. */
const IDLE_POLL_MS = 5_000;

/**
 * Makes the worker that posts what is in the outbox, each message once.
 *
 * @example
 * const outbox = createOutbox({ db, engine, clock, poster, kinds: { digest }, log, replica: randomUUID() });
 * outbox.start();
 */
export function createOutbox(parts: OutboxParts): Outbox {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let wake = new AbortController();
  let loop = Promise.resolve();

  const poke = () => wake.abort(new Error('poked'));

  const claimWhatFits = async () => {
    while (!stopping.signal.aborted && running.size < CONCURRENCY) {
      parts.observe?.('before_claim');
      const delivery = await claimNext(parts.db, parts.engine, parts.replica, parts.clock.now());
      if (!delivery) return;
      const work = deliver(parts, delivery).finally(() => {
        running.delete(work);
        poke();
      });
      running.add(work);
      // SQLite answers without a turn of the event loop: on a busy morning acknowledgements would wait for all of these.
      await nextTurn();
    }
  };

  const waitForWork = async () => {
    const wakeAt = await nextWakeAt(parts.db);
    const untilDueMs = wakeAt ? wakeAt.getTime() - parts.clock.now().getTime() : IDLE_POLL_MS;
    // What is due but not claimed waits for its channel: ask again when the channel may be used.
    const delayMs = untilDueMs <= 0 ? CHANNEL_PACE_MS : Math.min(untilDueMs, IDLE_POLL_MS);
    parts.onTurn?.('ended');
    await parts.clock.sleep(delayMs, wake.signal).catch(() => undefined);
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      parts.onTurn?.('began');
      try {
        await claimWhatFits();
        if (!stopping.signal.aborted) await waitForWork();
      } catch (error) {
        parts.log.error({ err: error }, 'The outbox could not be read; it is tried again');
        parts.onTurn?.('ended');
        await parts.clock.sleep(IDLE_POLL_MS, wake.signal).catch(() => undefined);
      }
    }
  };

  return {
    start: () => {
      loop = run();
    },
    poke,
    stop: async () => {
      stopping.abort();
      poke();
      await loop;
      await Promise.all(running);
    },
  };
}

/** One attempt at one delivery. Never throws: whatever happens costs this delivery alone. */
async function deliver(parts: OutboxParts, delivery: Delivery): Promise<void> {
  try {
    parts.observe?.('after_claim', delivery);
    const attempted = await attempt(parts, delivery);
    if (!attempted) return parts.log.warn({ delivery: delivery.key }, 'The lease was lost; another replica goes on');
    const { settlement } = attempted;
    parts.observe?.('before_settle', delivery, settlement);
    const now = parts.clock.now();
    const isOurs = await settle(parts.db, delivery, settlement, now, async (trx) => {
      await parts.kinds[delivery.kind]?.onSettled?.(trx, attempted.delivery, settlement, now);
    });
    if (!isOurs) return parts.log.warn({ delivery: delivery.key }, 'The lease was lost before the outcome was noted');
    parts.observe?.('settled', delivery, settlement);
    const level = settlement.state === 'failed' ? 'error' : 'info';
    parts.log[level]({ delivery: delivery.key, channel: delivery.channel, ...settlement }, 'Delivery');
  } catch (error) {
    // The lease ends by itself, and the next attempt finds out how far this one came.
    parts.log.error({ err: error, delivery: delivery.key }, 'A delivery attempt failed; it is taken up again');
  }
}

/** How an attempt ended; the delivery as it is in the store by then. */
interface Attempted {
  delivery: Delivery;
  settlement: Settlement;
}

/** @returns how it ended, or `undefined` when the lease was lost before anything was posted */
async function attempt(parts: OutboxParts, delivery: Delivery): Promise<Attempted | undefined> {
  const ended = (settlement: Settlement): Attempted => ({ delivery, settlement });
  const now = () => parts.clock.now();
  if (delivery.first_posting_at !== null) {
    const search = await parts.poster.find(placeOf(delivery), delivery.key, new Date(delivery.first_posting_at));
    if (search.kind === 'found') return ended({ state: 'sent', channel: search.channel, ts: search.ts, found: true });
    if (search.kind === 'unreadable') return ended(settlementOfUnreadable(delivery, search, now()));
  }
  const preparation = await prepare(parts, delivery);
  if (preparation.kind === 'fault') return ended(settlementOfFault(delivery, preparation.reason, now()));
  if (preparation.kind === 'skip') return ended({ state: 'skipped', reason: preparation.reason });
  if (preparation.kind === 'wait') return ended(waitUntil(delivery, preparation.until, preparation.reason));
  if (preparation.kind === 'edit') {
    const outcome = await parts.poster.edit(preparation.place, preparation.message);
    const noted = preparation.memo === undefined ? delivery : { ...delivery, memo: preparation.memo };
    return { delivery: noted, settlement: settlementOf(delivery, outcome, now()) };
  }
  return post(parts, delivery, preparation);
}

function placeOf({ channel, thread_channel: threadChannel, thread_ts: ts }: Delivery) {
  const thread = threadChannel !== null && ts !== null ? { channel: threadChannel, ts } : undefined;
  return { channel, thread };
}

async function post(
  parts: OutboxParts,
  delivery: Delivery,
  { message, memo }: Extract<Preparation, { kind: 'send' }>,
): Promise<Attempted | undefined> {
  const said = { thread: message.replyTo, ...(memo === undefined ? {} : { memo }) };
  if (!(await markPosting(parts.db, delivery, parts.clock.now(), said))) return undefined;
  parts.observe?.('before_post', delivery);
  const outcome = await parts.poster.post(delivery.channel, delivery.key, message);
  parts.observe?.('after_post', delivery);
  const noted = memo === undefined ? delivery : { ...delivery, memo };
  return { delivery: noted, settlement: settlementOf(delivery, outcome, parts.clock.now()) };
}

async function prepare(
  parts: OutboxParts,
  delivery: Delivery,
): Promise<Preparation | { kind: 'fault'; reason: string }> {
  const kind = parts.kinds[delivery.kind];
  if (!kind) return { kind: 'fault', reason: `This version does not know deliveries of kind ${delivery.kind}.` };
  try {
    return await kind.prepare(delivery);
  } catch (error) {
    parts.log.error({ err: error, delivery: delivery.key }, 'A delivery could not be prepared; it is tried again');
    const reason = isStoreFault(error)
      ? 'The database could not be used.'
      : 'Its message could not be prepared; the log says why.';
    return { kind: 'fault', reason };
  }
}
