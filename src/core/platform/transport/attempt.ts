import { type RawAnswer, readAnswer } from './answer.ts';
import type { ByteBudget, ByteHold } from '../../base/work-queue.ts';
import type { PlatformErrorFields } from '../errors.ts';
import type { AttemptEvent, Call } from './request.ts';
import { parseRetryAfter } from './retry.ts';
import type { Scrub } from '../../base/privacy/scrub.ts';
import { type Outgoing, type Transport, TransportFailure } from './transport.ts';

/** The longest delay of a Node timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Not AbortSignal.timeout: its timers stay active after the work is done, one for each call of the last half minute.
 *
 * @example await withTimeLimit(15_000, signal, (limited) => pool.request({ ...request, signal: limited }));
 */
export async function withTimeLimit<T>(
  limitMs: number,
  caller: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, Math.min(Math.max(limitMs, 0), MAX_TIMER_MS));
  caller?.addEventListener('abort', abort, { once: true });
  if (caller?.aborted) abort();
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', abort);
  }
}

export type Fault = Omit<PlatformErrorFields, 'method' | 'path'>;

export type CallResult<T> = { ok: true; value: T } | { ok: false; fault: Fault };

export interface AttemptPlan<T> {
  transport: Transport;
  call: Call<T>;
  outgoing: Omit<Outgoing, 'signal' | 'hold' | 'reader'>;
  budget: ByteBudget;
  /** 1 for the first. */
  attempt: number;
  /** Real time that this attempt may take. */
  limitMs: number;
  caller: AbortSignal | undefined;
  now: () => Date;
  observe: (event: AttemptEvent) => void;
  scrub: Scrub;
}

/** Throws only for mistakes of this program. */
export async function runAttempt<T>(plan: AttemptPlan<T>): Promise<CallResult<T>> {
  const { method, path, isTrial } = plan.call;
  // Real time, not the clock's: a stopped clock would measure nothing of the network.
  const startedAtMs = performance.now();
  const result = await exchange(plan);
  const { status, requestId } = result;
  const durationMs = performance.now() - startedAtMs;
  const code = result.ok ? undefined : result.fault.code;
  try {
    plan.observe({ method, path, attempt: plan.attempt, durationMs, status, code, requestId, isTrial });
  } catch {
    // An observer must not break what it observes.
  }
  return result;
}

type ExchangeResult<T> = CallResult<T> & { status?: number | undefined; requestId?: string | undefined };

async function exchange<T>(plan: AttemptPlan<T>): Promise<ExchangeResult<T>> {
  const hold = plan.budget.open();
  try {
    return await exchangeWithin(plan, hold);
  } finally {
    hold.close();
  }
}

async function exchangeWithin<T>(plan: AttemptPlan<T>, hold: ByteHold): Promise<ExchangeResult<T>> {
  const { transport, outgoing, caller, limitMs, call } = plan;
  let late = false;
  let answer: RawAnswer;
  try {
    answer = await withTimeLimit(limitMs, caller, async (signal) => {
      signal.addEventListener('abort', () => (late = true), { once: true });
      return transport.exchange({ ...outgoing, reader: call.reader?.(), hold, signal });
    });
  } catch (error) {
    const fault = caller?.aborted
      ? abandoned(call, 'cancelled')
      : late
        ? abandoned(call, 'timeout')
        : broken(error, plan);
    return { ok: false, fault, status: fault.status };
  }
  return toResult(answer, plan);
}

function toResult<T>(answer: RawAnswer, { call, scrub, now }: AttemptPlan<T>): ExchangeResult<T> {
  const { status } = answer;
  const read = readAnswer(answer, call.schema, scrub, call.holdsSecrets);
  if (read.ok) return { ...read, status, requestId: answer.requestId && scrub(answer.requestId) };
  const askedMs = parseRetryAfter(answer.retryAfter, now());
  const fault = { ...read.fault, status, askedMs, outcomeUnknown: mayHaveHappened(call, status) };
  return { ok: false, fault, status, requestId: fault.requestId };
}

function abandoned<T>({ method }: Call<T>, code: 'cancelled' | 'timeout'): Fault {
  const detail = code === 'cancelled' ? 'the caller gave up' : 'no whole answer in time';
  return { code, detail, outcomeUnknown: method !== 'GET' };
}

function broken<T>(error: unknown, { call, scrub }: AttemptPlan<T>): Fault {
  if (!(error instanceof TransportFailure)) throw error;
  const { kind, status, notSent, advice } = error;
  // Only a truncated body is worth another attempt; an endless one would be endless again.
  const code = kind === 'endless_body' ? 'wrong_shape' : kind;
  const isTooLarge = kind === 'endless_body';
  const outcomeUnknown = call.method !== 'GET' && !notSent;
  return { code, status, detail: scrub(error.message), advice, isTooLarge, outcomeUnknown };
}

/** A PUT or POST may have taken effect, except after a 4xx. */
function mayHaveHappened<T>({ method }: Call<T>, status: number): boolean {
  return method !== 'GET' && (status < 400 || status > 499);
}
