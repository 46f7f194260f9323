import { backOffMs } from '../../base/time/back-off.ts';
import { DeadlinePassedError, startDeadline, withDeadline } from '../../base/time/deadline.ts';
import type { CardPlace } from '../core/notify.ts';
import { isPlatformError, type PlatformError, type PlatformErrorCode } from '../../platform/errors.ts';
import { markBatch, openBatches, recordAnswer, recordFault, type BatchFault } from './batches.ts';
import { finish, type Continuation } from './finish.ts';
import { claim, LEASE_MS, listDue, release } from './leases.ts';
import type { LimitRequest } from '../core/tables.ts';
import { MAX_LIMITS_PER_CALL } from '../../platform/endpoints/limits.ts';
import { outcomesOf } from './outcomes.ts';
import type { LimitDeps } from '../core/deps.ts';
import { withholdUnsure } from './unsure.ts';

export interface Applier {
  /** Begins to send everything that is due: what was just approved, and what a crash or an unclear answer left. */
  applyDue(): Promise<void>;
  /**
   * Sends one request now, unless another does so already. Resolves when it is done; for more than one batch, when it has
   * begun: the card tells the rest.
   */
  apply(request: Pick<LimitRequest, 'id' | 'people'>): Promise<void>;
  /** Finishes the batches that are under way; the next start goes on with the rest. */
  stop(): Promise<void>;
}

/** After so many rounds of sending somebody has to look at it. */
const MAX_ATTEMPTS = 6;
/** A PUT that waits for its turn ends so long before its lease. */
const MARGIN_MS = 15_000;
const RETRIES = { firstMs: 60_000, longestMs: 15 * 60_000 };

/** How long to wait before the next round: 1 minute, 2, 4 … up to 15; nothing after the last. Pure. */
export function retryDelayMs(attempts: number, askedMs = 0): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  return Math.max(askedMs, backOffMs({ ...RETRIES, attempt: attempts }));
}

export function createApplier(deps: LimitDeps, cardPlace: () => Promise<CardPlace>): Applier {
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();

  const applyOne = async (id: string) => {
    if (stopping.signal.aborted) return;
    const request = await claim(deps.db, id);
    if (!request) return;
    await deps.checkpoint('limits:after_claim');
    const continuation = await sendBatches(deps, request, stopping.signal);
    if (continuation === 'stopped') return release(deps.db, request);
    if (continuation === 'lost') return lost(deps, id);
    await deps.checkpoint('limits:before_finish');
    if (!(await finish(deps.db, request, continuation, deps.clock.now()))) return lost(deps, id);
    await deps.checkpoint('limits:finished');
  };
  const apply = (id: string) => {
    const work = running.get(id) ?? applyOne(id).finally(() => running.delete(id));
    running.set(id, work);
    return work;
  };
  const begin = (id: string) => {
    apply(id).catch((error: unknown) =>
      deps.log.error({ err: error, request: id }, 'Limits could not be applied; it is taken up again'),
    );
  };
  return {
    apply: async ({ id, people }) => {
      if (people > MAX_LIMITS_PER_CALL) begin(id);
      else await apply(id);
    },
    applyDue: async () => {
      // Not waited for: a long list on a slow platform must not keep the other jobs of the minute from their turn.
      const due = await listDue(deps.db);
      if (due.length === 0) return;
      await withholdUnsure(deps, due, cardPlace);
      for (const id of await listDue(deps.db)) begin(id);
    },
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(running.values());
    },
  };
}

const lost = ({ log }: LimitDeps, request: string) =>
  log.warn({ request }, 'The lease on a request was lost; another replica goes on');

/** @returns how it goes on; `lost`: another replica goes on; `stopped`: this one ends */
async function sendBatches(
  deps: LimitDeps,
  request: LimitRequest,
  stopping: AbortSignal,
): Promise<Continuation | 'lost' | 'stopped'> {
  let askedMs = 0;
  for (const batch of await openBatches(deps.db, request.id)) {
    if (stopping.aborted) return 'stopped';
    const sent = await sendBatch(deps, request, batch);
    if (sent.kind === 'lost') return 'lost';
    askedMs = Math.max(askedMs, sent.askedMs ?? 0);
    if (sent.kind === 'stop') return continuationOf(request, sent.givenUp, sent.isFinal ? undefined : askedMs);
  }
  return continuationOf(request, 'Quartermaster gave up after several tries.', askedMs);
}

function continuationOf({ attempts }: LimitRequest, givenUp: string, askedMs: number | undefined): Continuation {
  return { givenUp, delayMs: askedMs === undefined ? undefined : retryDelayMs(attempts, askedMs) };
}

type Sent =
  | { kind: 'lost'; askedMs?: undefined }
  | { kind: 'done'; askedMs?: number | undefined }
  /** The next batches would fare no better now. */
  | { kind: 'stop'; isFinal: boolean; givenUp: string; askedMs?: number | undefined };

async function sendBatch(deps: LimitDeps, request: LimitRequest, batch: number): Promise<Sent> {
  const { db, clock, platform } = deps;
  // Counted from before the lease is renewed, on a clock that goes on while the process is stopped.
  const deadline = startDeadline(LEASE_MS);
  const marked = await markBatch(db, request, batch, clock.now());
  if (marked.kind === 'lost') return { kind: 'lost' };
  if (marked.kind === 'busy') return { kind: 'done' };
  const { people } = marked;
  if (people.length === 0) return { kind: 'done' };
  await deps.checkpoint('limits:before_put');
  try {
    const wanted = people.map(({ email, value }) => ({ email, limit: value }));
    // Past the lease another replica may be sending the same, or somebody may have decided again.
    const answer = await withDeadline(deadline, () =>
      platform.limits.setUserLimits(wanted, { signal: AbortSignal.timeout(LEASE_MS - MARGIN_MS) }),
    );
    await deps.checkpoint('limits:after_put');
    const isOurs = await recordAnswer(db, request, batch, outcomesOf(people, answer), clock.now());
    await deps.checkpoint('limits:after_record');
    return isOurs ? { kind: 'done' } : { kind: 'lost' };
  } catch (error) {
    // Nothing was sent; the process that has it by now, or after the lease, goes on.
    if (error instanceof DeadlinePassedError) return { kind: 'lost' };
    if (!isPlatformError(error)) throw error;
    deps.log.error({ err: error, request: request.id, batch }, 'The platform did not take a batch of limits');
    const fault = faultOf(error);
    const isOurs = await recordFault(db, request, batch, people, fault, clock.now());
    if (!isOurs) return { kind: 'lost' };
    if (!fault.stops) return { kind: 'done' };
    const isFinal = fault.state === 'failed';
    return { kind: 'stop', isFinal, givenUp: fault.sentence, askedMs: error.retryAfterMs };
  }
}

const BROKEN = 'The connection to the platform broke.';
const REFUSED = 'The platform refused it (status {status}).';

/**
 * What is said of a PUT that failed: what happened, and nothing that is not known. Then the next batches are sent too, or all of
 * them `wait`, or nothing more is sent, which is the `end`.
 */
const FAULTS: Readonly<Record<PlatformErrorCode, readonly [then: 'next' | 'wait' | 'end', sentence: string]>> = {
  unauthorized: [
    'end',
    'The platform no longer accepts Quartermaster’s API key: the operator has to set a new PLATFORM_API_KEY.',
  ],
  forbidden: [
    'end',
    'The platform does not let Quartermaster’s API key set limits: the operator has to set another one.',
  ],
  rate_limited: ['wait', 'The platform is getting too many requests.'],
  timeout: ['wait', 'The platform did not answer in time.'],
  network: ['wait', BROKEN],
  cut_body: ['wait', BROKEN],
  overloaded: ['wait', BROKEN],
  server_error: ['wait', 'The platform answered with an error of its own (status {status}).'],
  cancelled: ['wait', 'Sending was stopped.'],
  not_json: ['next', 'The platform answered with a page instead of data.'],
  empty_body: ['next', 'The platform’s answer was empty.'],
  wrong_shape: ['next', 'The platform’s answer cannot be read.'],
  not_found: ['next', REFUSED],
  invalid_request: ['next', REFUSED],
  invalid_argument: ['next', REFUSED],
  conflict: ['next', REFUSED],
  pagination_loop: ['next', REFUSED],
  unexpected_status: ['next', REFUSED],
};

/** What a failed PUT means for its people, and whether the next ones are worth sending. Pure. */
export function faultOf({ code, status, outcomeUnknown }: PlatformError): BatchFault & { stops: boolean } {
  const [then, said] = FAULTS[code];
  const sentence = said.replace('{status}', String(status ?? 'unknown'));
  if (outcomeUnknown) return { state: 'unknown', sentence, stops: false };
  return { state: then === 'wait' ? 'queued' : 'failed', sentence, stops: then !== 'next' };
}
