import type { Checkpoint } from '../../base/checkpoint.ts';
import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { CommitEvents } from '../../store/commits.ts';
import type { Engine } from '../../store/store.ts';
import type { Database } from '../../store/tables.ts';
import { startDeadline, type Deadline } from '../../base/time/deadline.ts';
import { attempt, type AttemptResult, targetOf } from './run-attempt.ts';
import { OUTBOX_TIMES, type DeliveryKind, type OutboxTimes } from './delivery-outcomes.ts';
import { claimNext, findOverdue, OVERDUE_MS, releaseLost, untilNextMs } from './claim.ts';
import { CHANNEL_PACE_MS, settle, type Settlement } from '../deliveries.ts';
import type { Delivery } from '../delivery-table.ts';
import type { Poster } from '../poster.ts';
import { findDelivery } from '../past-deliveries.ts';

export interface OutboxDeps {
  db: Database;
  engine: Engine;
  /** The table is read at each enqueued message, not only at the next poll. */
  commits: CommitEvents;
  clock: Clock;
  poster: Poster;
  kinds: Readonly<Record<string, DeliveryKind>>;
  log: Logger;
  /** Unique to each start. */
  replica: string;
  times?: Partial<OutboxTimes> | undefined;
  checkpoint: Checkpoint;
  /** Called once the settlement is stored. */
  onSettled?: (delivery: Delivery, settlement: Settlement) => void;
  onTurn?: ((turn: 'began' | 'ended') => void) | undefined;
}

export interface Outbox {
  start(): void;
  poke(): void;
  /** After that, the store may come back as an older copy. */
  recordStoreFault(): void;
  /** Finishes the deliveries that are under way and claims none. */
  stop(): Promise<void>;
}

const CONCURRENCY = 8;

/** Another replica may have enqueued a delivery and died. */
const IDLE_POLL_MS = 5_000;

/**
 * Posts each message once.
 *
 * @example
 * const outbox = createOutbox({ db, engine, commits, clock, poster, kinds: { digest }, log, replica: randomUUID() });
 * outbox.start();
 */
export function createOutbox(deps: OutboxDeps): Outbox {
  const running = new Set<{ key: string; work: Promise<void> }>();
  /** Deliveries whose attempt a fault ended: at once, it would probably end the next one, too. */
  const failed = new Set<string>();
  /** After a fault of the store, it may hold leases of this process that no attempt of it knows. */
  let mayHaveLostClaims = false;
  const stopping = new AbortController();
  let wake = new AbortController();
  let loop = Promise.resolve();
  let stopListening: (() => void) | undefined;
  const times = { ...OUTBOX_TIMES, ...deps.times };
  let unsureSince = deps.clock.now();
  const recordStoreFault = () => {
    unsureSince = deps.clock.now();
    mayHaveLostClaims = true;
  };
  const releaseLostClaims = async () => {
    if (!mayHaveLostClaims) return;
    const held = [...[...running].map(({ key }) => key), ...failed];
    const released = await releaseLost(deps.db, deps.replica, held);
    mayHaveLostClaims = false;
    if (released.length > 0) deps.log.warn({ deliveries: released }, 'Released messages whose claim was lost');
  };

  const poke = () => wake.abort(new Error('poked'));

  const claimUpToLimit = async () => {
    await releaseLostClaims();
    while (!stopping.signal.aborted && running.size < CONCURRENCY) {
      await deps.checkpoint('outbox:before_claim');
      const deadline = startDeadline(times.leaseMs);
      const delivery = await claimNext(deps.db, deps.engine, deps.replica, times.leaseMs);
      if (!delivery) return;
      failed.delete(delivery.key);
      const recordFault = () => {
        failed.add(delivery.key);
        recordStoreFault();
      };
      const attemptDeps = { ...deps, times, unsureSince, recordStoreFault: recordFault };
      const work = deliver(attemptDeps, delivery, deadline).finally(() => {
        running.delete(attempting);
        poke();
      });
      const attempting = { key: delivery.key, work };
      running.add(attempting);
    }
  };

  // A turn that leaves the same delivery unclaimed as the one before is no sign of life for the watchdog.
  let overdue: string | undefined;
  let isStuck = false;
  const checkForOverdue = async (untilDueMs: number) => {
    const before = overdue;
    overdue = untilDueMs <= -OVERDUE_MS ? await findOverdue(deps.db) : undefined;
    const wasStuck = isStuck;
    isStuck = overdue !== undefined && overdue === before;
    if (isStuck && !wasStuck) deps.log.warn({ delivery: overdue }, 'A message is due, but no worker claims it');
  };
  const reportTurn = (turn: 'began' | 'ended') => {
    if (!isStuck) deps.onTurn?.(turn);
  };

  const waitForWork = async () => {
    const untilDueMs = (await untilNextMs(deps.db)) ?? IDLE_POLL_MS;
    await checkForOverdue(untilDueMs);
    // A due delivery that is not claimed waits for its channel: check again when the channel may be used.
    const delayMs = untilDueMs <= 0 ? CHANNEL_PACE_MS : Math.min(untilDueMs, IDLE_POLL_MS);
    reportTurn('ended');
    await deps.clock.sleep(delayMs, wake.signal).catch(() => undefined);
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      reportTurn('began');
      try {
        await claimUpToLimit();
        if (!stopping.signal.aborted) await waitForWork();
      } catch (error) {
        recordStoreFault();
        deps.log.error({ err: error }, 'Reading the outbox failed; it is tried again');
        deps.onTurn?.('ended');
        await deps.clock.sleep(IDLE_POLL_MS, wake.signal).catch(() => undefined);
      }
    }
  };

  return {
    start: () => {
      stopListening = deps.commits.onWrite('deliveries', 'dueAt', poke);
      loop = run();
    },
    poke,
    recordStoreFault,
    stop: async () => {
      stopListening?.();
      stopping.abort();
      poke();
      await loop;
      await Promise.all([...running].map(({ work }) => work));
    },
  };
}

export interface AttemptDeps extends OutboxDeps {
  times: OutboxTimes;
  /** Deliveries due before it may have been posted although the store has no record of them. */
  unsureSince: Date;
  recordStoreFault: () => void;
}

/** Never throws: a fault affects this delivery alone. */
async function deliver(deps: AttemptDeps, delivery: Delivery, deadline: Deadline): Promise<void> {
  try {
    await deps.checkpoint('outbox:after_claim');
    const result = await attempt(deps, delivery, deadline);
    if (!result) return deps.log.warn({ delivery: delivery.key }, 'Lost the lease; another attempt continues');
    const isOurs = await recordOutcome(deps, delivery, result);
    if (!isOurs) deps.log.warn({ delivery: delivery.key }, 'Lost the lease before the outcome was stored');
    // A process that is stopped in the instant of its request sends it late: others may have sent it in the meantime.
    const isLate = !isOurs || deadline.remainingMs() === 0;
    if (result.copies === 'several' || (result.copies === 'own' && isLate)) await removeDuplicatePosts(deps, delivery);
  } catch (error) {
    deps.recordStoreFault();
    // The lease ends by itself, and the next attempt finds out how far this one came.
    deps.log.error({ err: error, delivery: delivery.key }, 'A delivery attempt failed; it is tried again');
  }
}

/** @returns `false` if another attempt holds the delivery now */
async function recordOutcome(
  deps: AttemptDeps,
  delivery: Delivery,
  { delivery: updatedDelivery, settlement }: AttemptResult,
): Promise<boolean> {
  await deps.checkpoint('outbox:before_settle');
  const now = deps.clock.now();
  const isOurs = await settle(deps.db, delivery, settlement, now, async (trx) => {
    await deps.kinds[delivery.kind]?.onSettled?.(trx, updatedDelivery, settlement, now);
  });
  if (!isOurs) return false;
  deps.onSettled?.(delivery, settlement);
  await deps.checkpoint('outbox:settled');
  deps.log[levelOf(settlement)]({ delivery: delivery.key, channel: delivery.channel, ...settlement }, 'Delivery');
  return true;
}

function levelOf(settlement: Settlement): 'error' | 'warn' | 'info' {
  if (settlement.state === 'failed') return 'error';
  return settlement.state === 'waiting' && settlement.isRefusal ? 'warn' : 'info';
}

/**
 * Never deletes the message in the store, since threads and corrections depend on it; if none of them is in the store,
 * the oldest one stays.
 */
async function removeDuplicatePosts(
  { db, poster, log }: { db: Database; poster: Poster; log: Logger },
  delivery: Delivery,
): Promise<void> {
  const since = new Date(delivery.firstPostingAt ?? delivery.dueAt);
  const search = await poster.find(targetOf(delivery), delivery.key, since);
  if (search.kind !== 'found' || search.others.length === 0) return;
  const { channel } = search;
  const storedTs = (await findDelivery(db, delivery.key))?.messageTs;
  const all = [search.ts, ...search.others].toSorted((one, other) => Number(one) - Number(other));
  const remainingTs = all.find((ts) => ts === storedTs) ?? all[0];
  for (const ts of all.filter((one) => one !== remainingTs)) {
    const isRemoved = await poster.remove({ channel, ts });
    log.warn({ delivery: delivery.key, channel, ts, isRemoved }, 'Deleted the second copy of a message');
  }
}
