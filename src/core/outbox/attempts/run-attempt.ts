import { isStoreFault } from '../../store/engines/store-fault.ts';
import { DeadlinePassedError, type Deadline } from '../../base/time/deadline.ts';
import type { Checkpoint } from '../../base/checkpoint.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Database } from '../../store/tables.ts';
import { readStoreNow } from '../../store/lease.ts';
import {
  mayBeMissingFromStore,
  settlementOf,
  settlementOfAbsent,
  settlementOfFault,
  settlementOfSkip,
  settlementOfUnconfirmed,
  settlementOfUnreadable,
  waitFor,
  type DeliveryKind,
  type OutboxTimes,
  type Preparation,
} from './delivery-outcomes.ts';
import { markPosting, readRefusedSince, type Settlement } from '../deliveries.ts';
import type { Delivery } from '../delivery-table.ts';
import type { Poster, PostOutcome } from '../poster.ts';

interface Deps {
  db: Database;
  clock: Clock;
  poster: Poster;
  kinds: Readonly<Record<string, DeliveryKind>>;
  log: Logger;
  times: OutboxTimes;
  unsureSince: Date;
  checkpoint: Checkpoint;
}

export interface AttemptResult {
  delivery: Delivery;
  settlement: Settlement;
  /** `none`: this attempt sent none; `own`: it may have sent one; `several`: the channel shows more than one. */
  copies: 'none' | 'own' | 'several';
}

/** @returns `undefined` if the lease was lost before anything was posted */
export async function attempt(deps: Deps, delivery: Delivery, deadline: Deadline): Promise<AttemptResult | undefined> {
  const ended = (settlement: Settlement): AttemptResult => ({ delivery, settlement, copies: 'none' });
  const now = () => deps.clock.now();
  const earlier = await findEarlierPost(deps, delivery);
  if (earlier) return { delivery, ...earlier };
  const preparation = await prepare(deps, delivery);
  if (preparation.kind === 'fault') return ended(settlementOfFault(delivery, preparation.reason, now()));
  if (preparation.kind === 'skip') return ended(settlementOfSkip(preparation));
  if (preparation.kind === 'unconfirmed') {
    const refusedSince = await readRefusedSince(deps.db, delivery.key);
    return ended(settlementOfUnconfirmed(delivery, preparation.skip, now(), refusedSince));
  }
  if (preparation.kind === 'wait') {
    return ended(waitFor(preparation.until.getTime() - now().getTime(), preparation.reason));
  }
  try {
    if (preparation.kind === 'edit') return await edit(deps, delivery, preparation, deadline);
    return await post(deps, delivery, preparation, deadline);
  } catch (error) {
    if (error instanceof DeadlinePassedError) return undefined;
    throw error;
  }
}

/** Slack’s clock and this machine’s may differ. The search allows for a further difference. */
const BEFORE_DUE_MS = 60_000;

/** @returns undefined if it may be posted now */
async function findEarlierPost(deps: Deps, delivery: Delivery): Promise<Omit<AttemptResult, 'delivery'> | undefined> {
  const { firstPostingAt: firstAt, dueAt } = delivery;
  if (firstAt === null && !mayBeMissingFromStore(delivery, deps.unsureSince, deps.clock.now())) return undefined;
  const oldest = firstAt === null ? new Date(Date.parse(dueAt) - BEFORE_DUE_MS) : new Date(firstAt);
  // Read before the search: while the process sleeps after it, a message may appear that the answer does not show.
  const storeNow = await readStoreNow(deps.db);
  const search = await deps.poster.find(targetOf(delivery), delivery.key, oldest);
  if (search.kind === 'found') {
    const { channel, others } = search;
    // People may have answered the oldest one.
    const ts = others.at(-1) ?? search.ts;
    return { settlement: { state: 'sent', channel, ts, found: true }, copies: others.length > 0 ? 'several' : 'none' };
  }
  // If no post was attempted, Slack's refusal of the post describes a closed channel best.
  if (search.kind === 'unreadable' && firstAt === null && search.isClosed) return undefined;
  const settlement =
    search.kind === 'absent'
      ? settlementOfAbsent(delivery, storeNow, deps.times)
      : settlementOfUnreadable(delivery, search, storeNow, deps.times);
  return settlement && { settlement, copies: 'none' };
}

export function targetOf({ channel, threadChannel, threadTs: ts }: Delivery) {
  const thread = threadChannel !== null && ts !== null ? { channel: threadChannel, ts } : undefined;
  return { channel, thread };
}

async function edit(
  deps: Deps,
  delivery: Delivery,
  { place, message, memo }: Extract<Preparation, { kind: 'edit' }>,
  deadline: Deadline,
): Promise<AttemptResult> {
  const outcome = await deps.poster.edit(place, message, deadline);
  const updatedDelivery = memo === undefined ? delivery : { ...delivery, memo };
  const settlement = await toSettlement(deps, delivery, outcome);
  return { delivery: updatedDelivery, settlement, copies: 'none' };
}

async function toSettlement(deps: Deps, delivery: Delivery, outcome: PostOutcome): Promise<Settlement> {
  const refusedSince = outcome.kind === 'later' ? await readRefusedSince(deps.db, delivery.key) : undefined;
  return settlementOf(delivery, outcome, deps.clock.now(), deps.times, refusedSince);
}

/** All slow work comes before the mark, and only the post itself follows it. */
async function post(
  deps: Deps,
  delivery: Delivery,
  { message, memo }: Extract<Preparation, { kind: 'send' }>,
  deadline: Deadline,
): Promise<AttemptResult | undefined> {
  const target = await deps.poster.open(message.replyTo?.channel ?? delivery.channel);
  if (target.kind !== 'open') {
    const settlement = await toSettlement(deps, delivery, target);
    return { delivery, settlement, copies: 'none' };
  }
  const postingDetails = { thread: message.replyTo, ...(memo === undefined ? {} : { memo }) };
  if (deadline.hasPassed() || !(await markPosting(deps.db, delivery, deps.clock.now(), postingDetails)))
    return undefined;
  await deps.checkpoint('outbox:before_post');
  const outcome = await deps.poster.post(target.channel, delivery.key, message, deadline);
  await deps.checkpoint('outbox:after_post');
  const updatedDelivery = memo === undefined ? delivery : { ...delivery, memo };
  return {
    delivery: updatedDelivery,
    settlement: await toSettlement(deps, delivery, outcome),
    copies: outcome.kind === 'later' ? 'none' : 'own',
  };
}

async function prepare(deps: Deps, delivery: Delivery): Promise<Preparation | { kind: 'fault'; reason: string }> {
  const kind = deps.kinds[delivery.kind];
  if (!kind) return { kind: 'fault', reason: `This version does not know deliveries of kind ${delivery.kind}.` };
  try {
    return await kind.prepare(delivery);
  } catch (error) {
    deps.log.error({ err: error, delivery: delivery.key }, 'Preparing a delivery failed; it is tried again');
    const reason = isStoreFault(error)
      ? 'The database could not be used.'
      : 'Its message could not be prepared; the log says why.';
    return { kind: 'fault', reason };
  }
}
