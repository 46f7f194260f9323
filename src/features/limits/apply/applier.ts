import { backOffMs, waitAskedMs } from '../../../core/base/time/back-off.ts';
import { DeadlinePassedError, startDeadline, withDeadline, type Deadline } from '../../../core/base/time/deadline.ts';
import type { CardTarget } from '../core/notify.ts';
import { isPlatformError, type PlatformError, type PlatformErrorCode } from '../../../core/platform/errors.ts';
import {
  markBatch,
  openBatches,
  recordAnswer,
  recordFault,
  recordHeld,
  type BatchEntry,
  type BatchFault,
} from './batches.ts';
import { finish, type Continuation } from './finish.ts';
import { claim, keepLease, LEASE_MS, listDue, release } from './leases.ts';
import { isFollowUp, type LimitRequest } from '../core/limit-tables.ts';
import { MAX_LIMITS_PER_CALL } from '../../../core/platform/endpoints/limits.ts';
import { shownIn, textOfShown } from '../../../core/platform/capabilities/shown-limit.ts';
import { checkSending } from './check-in-force.ts';
import { outcomesOf } from './outcomes.ts';
import { readBack } from './read-back.ts';
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
/** How often limits are sent at once after lost answers, each time after a look at the limits in force. */
const MAX_SENDINGS = 3;
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
  let partDeadline: Deadline | undefined = deadline;
  for (let part = parts.shift(); part; part = parts.shift()) {
    if (!partDeadline) return { kind: 'lost' };
    const result = await sendPart(deps, request, batch, { part, rest: parts.flat() }, partDeadline);
    if (result.kind === 'split') parts.unshift(...halvesOf(result.part));
    else if (result.kind !== 'done') return result;
    if (parts.length > 0) partDeadline = await keepLease(db, request);
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
  { part: all, rest }: BatchPart,
  deadline: Deadline,
  attempt = 1,
): Promise<BatchResult | { kind: 'split'; part: readonly BatchEntry[] }> {
  const { db, clock, platform } = deps;
  const checked = await checkPart(deps, request, batch, all);
  if (checked.kind !== 'checked') return checked;
  const { part, showsLimits } = checked;
  if (part.length === 0) return { kind: 'done' };
  // The reading may have used up most of the lease. A process that woke too late does not renew it.
  const putDeadline = deadline.hasPassed() ? undefined : await keepLease(db, request);
  if (!putDeadline) return { kind: 'lost' };
  try {
    // Only a platform that shows limits takes the removal of one.
    const limits = part.map(({ email, value, removes }) => ({ email, limit: removes && showsLimits ? null : value }));
    // After the lease ends, another replica may be sending the same batch, or a newer decision may exist.
    const answer = await withDeadline(putDeadline, () =>
      platform.limits.setUserLimits(limits, {
        signal: AbortSignal.timeout(LEASE_MS - MARGIN_MS),
        stopsWhenUnsure: showsLimits,
      }),
    );
    await deps.checkpoint('limits:after_put');
    // A reading right before has shown that an earlier sending left nothing.
    const sent = part.map((entry) => ({
      ...entry,
      removes: entry.removes && showsLimits,
      isUnsure: entry.isUnsure && !showsLimits,
    }));
    const answered = outcomesOf(sent, answer);
    const keep = async () => (await keepLease(db, request)) !== undefined;
    const outcomes = showsLimits ? await readBack(deps, sent, answered, keep) : answered;
    if (!outcomes) return { kind: 'lost' };
    const isOurs = await recordAnswer(deps, request, batch, { part: sent, outcomes }, clock.now());
    await deps.checkpoint('limits:after_record');
    return isOurs ? { kind: 'done' } : { kind: 'lost' };
  } catch (error) {
    // Nothing was sent. The process that holds the lease now, or takes it later, continues.
    if (error instanceof DeadlinePassedError) return { kind: 'lost' };
    if (!isPlatformError(error)) throw error;
    deps.log.error({ err: error, request: request.id, batch }, 'The platform refused a batch of limits');
    if (error.code === 'invalid_request' && !error.outcomeUnknown && part.length > 1) return { kind: 'split', part };
    if (error.outcomeUnknown && showsLimits && attempt < MAX_SENDINGS) {
      const unsure = part.map((entry) => ({ ...entry, isUnsure: true }));
      const nextDeadline = await keepLease(db, request);
      if (!nextDeadline) return { kind: 'lost' };
      return sendPart(deps, request, batch, { part: unsure, rest }, nextDeadline, attempt + 1);
    }
    const fault = faultOf(error);
    const concerned = fault.stops ? [...part, ...rest] : part;
    const isOurs = await recordFault(db, request, batch, concerned, fault, clock.now());
    if (!isOurs) return { kind: 'lost' };
    if (!fault.stops) return { kind: 'done' };
    const isFinal = fault.state === 'failed';
    return { kind: 'stop', isFinal, givenUp: fault.sentence, askedMs: error.askedMs };
  }
}

type CheckedPart = { kind: 'checked'; part: readonly BatchEntry[]; showsLimits: boolean };

/** Compares the limits in force with those that were approved against, on a platform that shows them. */
async function checkPart(
  deps: LimitDeps,
  request: LimitRequest,
  batch: number,
  part: readonly BatchEntry[],
): Promise<CheckedPart | BatchResult> {
  const { db, clock, capabilities } = deps;
  // What an earlier sending left is only in a reading that began after it.
  const reading = await capabilities.readLimits(part.some(({ isUnsure }) => isUnsure) ? 0 : SAME_TURN_MS);
  if (reading.kind === 'not_shown') return withoutRemovals(deps, request, batch, part);
  if (reading.kind === 'failed') {
    const fault: BatchFault = { state: 'queued', sentence: NOT_SHOWN };
    const isOurs = await recordFault(db, request, batch, part, fault, clock.now());
    return isOurs ? { kind: 'stop', isFinal: false, givenUp: NOT_SHOWN } : { kind: 'lost' };
  }
  const checks = part.map((entry) => {
    const shown = shownIn(reading.limits, entry.email);
    return { entry, shown: textOfShown(shown), ...checkSending(request, entry, shown) };
  });
  const held = checks.flatMap((check) =>
    check.kind === 'hold' ? [{ email: check.entry.email, sentence: check.sentence, shown: check.shown }] : [],
  );
  if (held.length > 0 && !(await recordHeld(db, request, batch, held, clock.now()))) return { kind: 'lost' };
  const set = checks.flatMap(({ kind, entry }) => (kind === 'is_set' ? [entry] : []));
  if (set.length > 0) {
    const outcomes = new Map(
      set.map(({ email, value, removes }) => [email, { state: 'set', value: removes ? null : value } as const]),
    );
    if (!(await recordAnswer(deps, request, batch, { part: set, outcomes }, clock.now()))) return { kind: 'lost' };
  }
  return {
    kind: 'checked',
    part: checks.flatMap(({ kind, entry }) => (kind === 'send' ? [entry] : [])),
    showsLimits: true,
  };
}

/** Without limits that are shown, nothing can be removed; a follow-up then sets the value from before. */
async function withoutRemovals(
  { db, clock }: LimitDeps,
  request: LimitRequest,
  batch: number,
  part: readonly BatchEntry[],
): Promise<CheckedPart | BatchResult> {
  const removals = isFollowUp(request) ? [] : part.filter(({ removes }) => removes);
  const fault: BatchFault = { state: 'failed', sentence: CANNOT_REMOVE };
  if (removals.length > 0 && !(await recordFault(db, request, batch, removals, fault, clock.now())))
    return { kind: 'lost' };
  return { kind: 'checked', part: part.filter((entry) => !removals.includes(entry)), showsLimits: false };
}

/** A reading of the same approval is not repeated. */
const SAME_TURN_MS = 10_000;
const NOT_SHOWN = 'The platform did not show the limits in force, and nothing is set without them.';

const CANNOT_REMOVE =
  'The platform doesn’t show its limits any more, and only where it does can a limit be removed. Request an amount instead.';

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
