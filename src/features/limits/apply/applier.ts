import { backOffMs, waitAskedMs } from '../../../core/base/time/back-off.ts';
import { DeadlinePassedError, startDeadline, withDeadline, type Deadline } from '../../../core/base/time/deadline.ts';
import type { CardTarget } from '../core/notify.ts';
import { isPlatformError, type PlatformError, type PlatformErrorCode } from '../../../core/platform/errors.ts';
import { markBatch, openBatches, recordAnswer, recordFault, type BatchEntry, type BatchFault } from './batches.ts';
import { finish, type Continuation } from './finish.ts';
import { claim, LEASE_MS, listDue, release } from './leases.ts';
import type { LimitRequest } from '../core/limit-tables.ts';
import { MAX_LIMITS_PER_CALL } from '../../../core/platform/endpoints/limits.ts';
import { outcomesOf } from './outcomes.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { withholdUnsure } from './unsure.ts';

export interface Applier {
  /** Starts to send every due request: newly approved ones, and those left over from a crash or an unclear answer. */
  applyDue(): Promise<void>;
  /** Sends a request now unless that is under way. Resolves when it is sent or, with several batches, has begun. */
  apply(request: Pick<LimitRequest, 'id' | 'people'>): Promise<void>;
  /** Finishes the batches that are under way; the next start sends the rest. */
  stop(): Promise<void>;
}

/** After this many rounds, a person has to look at the request. */
const MAX_ATTEMPTS = 6;
/** A PUT is aborted this long before its lease ends. */
const MARGIN_MS = 15_000;
const RETRIES = { firstMs: 60_000, longestMs: 15 * 60_000 };

/** Returns the wait before the next round (1 minute, 2, 4 … at most 15), or undefined after the last one. Pure. */
export function retryDelayMs(attempts: number, askedMs?: number): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  return waitAskedMs(askedMs, backOffMs({ ...RETRIES, attempt: attempts }));
}

export function createApplier(deps: LimitDeps, cardTarget: () => Promise<CardTarget>): Applier {
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();

  const applyOne = async (id: string) => {
    if (stopping.signal.aborted) return;
    const request = await claim(deps.db, id);
    if (!request) return;
    await deps.checkpoint('limits:after_claim');
    const continuation = await sendBatches(deps, request, stopping.signal, cardTarget);
    if (continuation === 'withheld') return;
    if (continuation === 'stopped') return release(deps.db, request);
    if (continuation === 'lost') return logLostLease(deps, id);
    await deps.checkpoint('limits:before_finish');
    if (!(await finish(deps.db, request, continuation, deps.clock.now()))) return logLostLease(deps, id);
    await deps.checkpoint('limits:finished');
  };
  const apply = (id: string) => {
    const work = running.get(id) ?? applyOne(id).finally(() => running.delete(id));
    running.set(id, work);
    return work;
  };
  const startInBackground = (id: string) => {
    apply(id).catch((error: unknown) =>
      deps.log.error({ err: error, request: id }, 'Applying limits failed; it is tried again'),
    );
  };
  return {
    apply: async ({ id, people }) => {
      if (people > MAX_LIMITS_PER_CALL) startInBackground(id);
      else await apply(id);
    },
    applyDue: async () => {
      // Not awaited: otherwise a long list on a slow platform would delay the other jobs of the minute.
      const due = await listDue(deps.db);
      if (due.length === 0) return;
      await withholdUnsure(deps, due, cardTarget);
      for (const id of await listDue(deps.db)) startInBackground(id);
    },
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(running.values());
    },
  };
}

const logLostLease = ({ log }: LimitDeps, request: string) =>
  log.warn({ request }, 'Lost the lease on a request; another replica continues');

/** @returns `lost`: another replica has it; `stopped`: shutting down; `withheld`: a person decides first */
async function sendBatches(
  deps: LimitDeps,
  request: LimitRequest,
  stopping: AbortSignal,
  cardTarget: () => Promise<CardTarget>,
): Promise<Continuation | 'lost' | 'stopped' | 'withheld'> {
  let askedMs = 0;
  for (const batch of await openBatches(deps.db, request.id)) {
    if (stopping.aborted) return 'stopped';
    const result = await sendBatch(deps, request, batch, cardTarget);
    if (result.kind === 'lost' || result.kind === 'withheld') return result.kind;
    askedMs = Math.max(askedMs, result.askedMs ?? 0);
    if (result.kind === 'stop') return continuationOf(request, result.givenUp, result.isFinal ? undefined : askedMs);
  }
  return continuationOf(request, 'Quartermaster gave up after several tries.', askedMs);
}

function continuationOf({ attempts }: LimitRequest, givenUp: string, askedMs: number | undefined): Continuation {
  return { givenUp, delayMs: askedMs === undefined ? undefined : retryDelayMs(attempts, askedMs) };
}

type BatchResult =
  | { kind: 'lost' | 'withheld'; askedMs?: undefined }
  | { kind: 'done'; askedMs?: number | undefined }
  /** Sending the next batches now would fail in the same way. */
  | { kind: 'stop'; isFinal: boolean; givenUp: string; askedMs?: number | undefined };

async function sendBatch(
  deps: LimitDeps,
  request: LimitRequest,
  batch: number,
  cardTarget: () => Promise<CardTarget>,
): Promise<BatchResult> {
  const { db, clock } = deps;
  // Starts before the lease is renewed, on a clock that keeps running while the process is suspended.
  const deadline = startDeadline(LEASE_MS);
  const marked = await markBatch(db, request, batch, clock.now());
  if (marked.kind === 'lost') return { kind: 'lost' };
  if (marked.kind === 'busy') return { kind: 'done' };
  const { people } = marked;
  if (people.length === 0) return { kind: 'done' };
  await deps.checkpoint('limits:before_put');
  if (await deps.policies.withhold(request, people, cardTarget)) return { kind: 'withheld' };
  // A definite refusal of several people is not about all of them: each half is sent by itself, down to single people.
  const parts = [people];
  for (let part = parts.shift(); part; part = parts.shift()) {
    const result = await sendPart(deps, request, batch, { part, rest: parts.flat() }, deadline);
    if (result.kind === 'split') parts.unshift(...halvesOf(part));
    else if (result.kind !== 'done') return result;
  }
  return { kind: 'done' };
}

function halvesOf<Item>(items: readonly Item[]): [Item[], Item[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

interface BatchPart {
  part: readonly BatchEntry[];
  /** Sent after it. */
  rest: readonly BatchEntry[];
}

async function sendPart(
  deps: LimitDeps,
  request: LimitRequest,
  batch: number,
  { part, rest }: BatchPart,
  deadline: Deadline,
): Promise<BatchResult | { kind: 'split' }> {
  const { db, clock, platform } = deps;
  try {
    const limits = part.map(({ email, value }) => ({ email, limit: value }));
    // After the lease ends, another replica may be sending the same batch, or a newer decision may exist.
    const answer = await withDeadline(deadline, () =>
      platform.limits.setUserLimits(limits, { signal: AbortSignal.timeout(LEASE_MS - MARGIN_MS) }),
    );
    await deps.checkpoint('limits:after_put');
    const isOurs = await recordAnswer(deps, request, batch, outcomesOf(part, answer), clock.now());
    await deps.checkpoint('limits:after_record');
    return isOurs ? { kind: 'done' } : { kind: 'lost' };
  } catch (error) {
    // Nothing was sent. The process that holds the lease now, or takes it later, continues.
    if (error instanceof DeadlinePassedError) return { kind: 'lost' };
    if (!isPlatformError(error)) throw error;
    deps.log.error({ err: error, request: request.id, batch }, 'The platform refused a batch of limits');
    if (error.code === 'invalid_request' && !error.outcomeUnknown && part.length > 1) return { kind: 'split' };
    const fault = faultOf(error);
    const concerned = fault.stops ? [...part, ...rest] : part;
    const isOurs = await recordFault(db, request, batch, concerned, fault, clock.now());
    if (!isOurs) return { kind: 'lost' };
    if (!fault.stops) return { kind: 'done' };
    const isFinal = fault.state === 'failed';
    return { kind: 'stop', isFinal, givenUp: fault.sentence, askedMs: error.askedMs };
  }
}

const BROKEN = 'The connection to the platform broke.';
const REFUSED = 'The platform refused it (status {status}){statement}.';

/** Claims only known facts. `next`: the other batches are still sent; `wait`: all of them wait; `end`: none is sent. */
const FAULTS: Readonly<Record<PlatformErrorCode, readonly [nextStep: 'next' | 'wait' | 'end', sentence: string]>> = {
  unauthorized: [
    'end',
    'The platform no longer accepts Quartermaster’s API key. Ask the server operator to set a new PLATFORM_API_KEY.',
  ],
  forbidden: [
    'end',
    'The platform does not let Quartermaster’s API key set limits{statement}. Ask the server operator for a personal key of a Manager or Owner.',
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
  moved_away: ['next', REFUSED],
  invalid_request: ['next', REFUSED],
  invalid_argument: ['next', REFUSED],
  conflict: ['next', REFUSED],
  pagination_loop: ['next', REFUSED],
  unexpected_status: ['next', REFUSED],
};

export function faultOf({ code, status, statement, outcomeUnknown }: PlatformError): BatchFault & { stops: boolean } {
  const [nextStep, template] = FAULTS[code];
  const stated = statement === undefined ? '' : `: “${statement}”`;
  const sentence = template.replace('{status}', String(status ?? 'unknown')).replace('{statement}', () => stated);
  if (outcomeUnknown) return { state: 'unknown', sentence, stops: false };
  return { state: nextStep === 'wait' ? 'queued' : 'failed', sentence, stops: nextStep !== 'next' };
}
