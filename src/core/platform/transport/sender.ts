import type { Clock } from '../../base/time/clock.ts';
import pLimit from 'p-limit';
import { RATE_LIMITED, spreadBackOffMs, waitAskedMs } from '../../base/time/back-off.ts';
import { fillPath } from '../arguments.ts';
import { type CallResult, type Fault, runAttempt, withTimeLimit } from './attempt.ts';
import type { ByteBudget } from '../../base/work-queue.ts';
import { PlatformError } from '../errors.ts';
import type { AttemptEvent, Call, CallOptions, Send } from './request.ts';
import { decideRetry } from './retry.ts';
import type { Scrub } from '../../base/privacy/scrub.ts';
import type { Outgoing, Transport } from './transport.ts';

/** After a 429 no call is sent for a while, not only the refused one. */
export interface SharedPause {
  /** How long no call may be sent, in milliseconds; 0 if there is no pause. */
  remainingMs(): number;
  /** @param waitMsOf the wait after this many refusals in a row; those of calls that were sent together count once */
  refused(waitMsOf: (refusals: number) => number): void;
  /** A call was answered, so the next refusal is the first one. */
  answered(): void;
}

/** It ends on the clock or in real time, whichever comes first: a stopped clock alone could hold every call for ever. */
function createSharedPause(clock: Clock): SharedPause {
  let clockEndMs = -Infinity;
  let realEndMs = -Infinity;
  let refusals = 0;
  const remainingMs = () => Math.max(0, Math.min(clockEndMs - clock.now().getTime(), realEndMs - performance.now()));
  return {
    remainingMs,
    refused: (waitMsOf) => {
      if (remainingMs() === 0) refusals += 1;
      const waitMs = waitMsOf(refusals);
      clockEndMs = Math.max(clockEndMs, clock.now().getTime() + waitMs);
      realEndMs = Math.max(realEndMs, performance.now() + waitMs);
    },
    answered: () => {
      refusals = 0;
    },
  };
}

/** `steady`: a whole answer; `limited`: a 429; `other`: any other failure, which says nothing about the pace. */
export type SlotOutcome = 'steady' | 'limited' | 'other';

export interface Slots {
  /** @returns `{ gaveUp: true }` at once if the caller aborts before `run` has started */
  run<T>(
    caller: AbortSignal | undefined,
    run: () => Promise<T>,
    outcomeOf: (value: T) => SlotOutcome,
  ): Promise<{ gaveUp: false; value: T } | { gaveUp: true }>;
}

export interface Pace {
  /** The number of requests at once; grows in fractions. */
  atOnce: number;
  /** How many times it was halved. */
  halvings: number;
}

const FIRST_AT_ONCE = 4;

export const firstPace = (most: number): Pace => ({ atOnce: Math.min(FIRST_AT_ONCE, most), halvings: 0 });

/**
 * Grows like TCP: doubles with each round of steady answers until the first 429, and afterwards adds one with each
 * round; a 429 halves it. A burst of 429s halves it once, because its other requests were sent before. Pure.
 *
 * @param sentAfter the number of halvings when the request was sent
 * @example nextPace({ atOnce: 8, halvings: 0 }, 'limited', 0, 12); // { atOnce: 4, halvings: 1 }
 */
export function nextPace(pace: Pace, outcome: SlotOutcome, sentAfter: number, most: number): Pace {
  const { atOnce, halvings } = pace;
  if (outcome === 'other' || sentAfter < halvings) return pace;
  if (outcome === 'limited') return { atOnce: Math.max(1, Math.floor(atOnce / 2)), halvings: halvings + 1 };
  return { ...pace, atOnce: Math.min(most, atOnce + (halvings === 0 ? 1 : 1 / Math.floor(atOnce))) };
}

/** Runs as many at once as the platform answers without a 429, and never more than `most`. */
function createSlots(most: number): Slots {
  let pace = firstPace(most);
  const limit = pLimit(pace.atOnce);
  // After a 429, one request at a time, until one of them is answered.
  let isTrying = false;
  const adapt = (outcome: SlotOutcome, sentAfter: number) => {
    if (outcome === 'limited') isTrying = true;
    else if (outcome === 'steady' && sentAfter === pace.halvings) isTrying = false;
    pace = nextPace(pace, outcome, sentAfter, most);
    limit.concurrency = isTrying ? 1 : Math.floor(pace.atOnce);
  };
  return {
    run: <T>(caller: AbortSignal | undefined, run: () => Promise<T>, outcomeOf: (value: T) => SlotOutcome) =>
      new Promise<{ gaveUp: false; value: T } | { gaveUp: true }>((resolve, reject) => {
        let started = false;
        const giveUp = () => {
          if (!started) resolve({ gaveUp: true });
        };
        caller?.addEventListener('abort', giveUp, { once: true });
        if (caller?.aborted) giveUp();
        limit(async () => {
          if (caller?.aborted) return;
          started = true;
          const sentAfter = pace.halvings;
          const value = await run();
          adapt(outcomeOf(value), sentAfter);
          resolve({ gaveUp: false, value });
        })
          .catch(reject)
          .finally(() => caller?.removeEventListener('abort', giveUp));
      }),
  };
}

export interface SenderSettings {
  transport: Transport;
  clock: Clock;
  random: () => number;
  /** The time for one call with its retries and waits, from its first attempt on. */
  deadlineMs: number;
  requestTimeoutMs: number;
  /** The most attempts at once; the platform's answers decide how many of them. */
  concurrency: number;
  observe: (event: AttemptEvent) => void;
  scrub: Scrub;
  budget: ByteBudget;
}

export function createSender(settings: SenderSettings): Send {
  const slots = createSlots(settings.concurrency);
  const pause = createSharedPause(settings.clock);
  return async (call, { signal, stopsWhenUnsure = false }: CallOptions = {}) => {
    const outgoing = prepare(call);
    const budget = createBudget(settings);
    // Once an attempt may have taken effect, no later refusal changes that.
    let outcomeUnknown = false;
    for (let attempt = 1; ; attempt += 1) {
      const attempted = await runInSlot(slots, signal, async () => {
        const patienceMs = attempt === 1 ? settings.deadlineMs : budget.realRemainingMs();
        await waitOut(pause, settings.clock, patienceMs, signal);
        budget.start();
        const limitMs = Math.min(settings.requestTimeoutMs, budget.realRemainingMs());
        const now = () => settings.clock.now();
        const result = await runAttempt({ ...settings, call, outgoing, attempt, limitMs, caller: signal, now });
        // Before this slot is free, so that the next call in it waits too.
        if (result.ok) pause.answered();
        else if (result.fault.code === 'rate_limited') {
          const { askedMs } = result.fault;
          pause.refused((refusals) => pauseAfter(askedMs, refusals, settings));
        }
        return result;
      });
      if (attempted.ok) return attempted.value;

      const { fault } = attempted;
      outcomeUnknown ||= fault.outcomeUnknown ?? false;
      const failed = { ...fault, method: call.method, path: call.path, outcomeUnknown };
      const remainingMs = budget.remainingMs();
      const decision = decideRetry({ ...failed, method: call.method, attempt, remainingMs, random: settings.random });
      if (!decision.retry || (outcomeUnknown && stopsWhenUnsure)) throw new PlatformError(failed);
      const waited = await wait(settings.clock, decision.waitMs, budget.realRemainingMs(), signal);
      if (signal?.aborted) throw new PlatformError({ ...failed, code: 'cancelled', detail: 'the caller gave up' });
      if (!waited) throw new PlatformError(failed);
    }
  };
}

/** A wait that is longer than a call may take delays no other call: each of them learns by itself. */
function pauseAfter(askedMs: number | undefined, refusals: number, { random, deadlineMs }: SenderSettings): number {
  const waitMs = waitAskedMs(askedMs, spreadBackOffMs({ ...RATE_LIMITED, attempt: refusals }, random));
  return waitMs < deadlineMs ? waitMs : 0;
}

/** The calls behind a 429 are sent one after the other, since each refusal begins the pause again. */
async function waitOut(
  pause: SharedPause,
  clock: Clock,
  patienceMs: number,
  caller: AbortSignal | undefined,
): Promise<void> {
  const endMs = performance.now() + patienceMs;
  for (let waitMs = pause.remainingMs(); waitMs > 0; waitMs = pause.remainingMs()) {
    const leftMs = Math.min(waitMs, endMs - performance.now());
    if (leftMs <= 0 || caller?.aborted) return;
    await wait(clock, waitMs, leftMs, caller);
  }
}

function prepare<T>({
  method,
  host,
  path,
  pathValues,
  query,
  body,
}: Call<T>): Omit<Outgoing, 'signal' | 'hold' | 'reader'> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  const pathAndQuery = fillPath(method, path, pathValues) + (search.size > 0 ? `?${search.toString()}` : '');
  return { method, host, pathAndQuery, body: body === undefined ? undefined : JSON.stringify(body) };
}

/**
 * Counts on the clock and in real time: a stopped clock alone could hold a call for ever. Begins with the first
 * attempt: a call that waits for its turn among a thousand is not late yet.
 */
function createBudget({ clock, deadlineMs }: SenderSettings) {
  let clockStartMs: number | undefined;
  let realStartMs = 0;
  const realRemainingMs = () => deadlineMs - (performance.now() - realStartMs);
  return {
    start: () => {
      if (clockStartMs !== undefined) return;
      clockStartMs = clock.now().getTime();
      realStartMs = performance.now();
    },
    realRemainingMs,
    remainingMs: () => Math.min(realRemainingMs(), deadlineMs - (clock.now().getTime() - (clockStartMs ?? 0))),
  };
}

function outcomeOf(result: CallResult<unknown>): SlotOutcome {
  if (result.ok) return 'steady';
  return result.fault.code === 'rate_limited' ? 'limited' : 'other';
}

async function runInSlot<T>(
  slots: Slots,
  caller: AbortSignal | undefined,
  run: () => Promise<CallResult<T>>,
): Promise<CallResult<T>> {
  const turn = await slots.run(caller, run, outcomeOf);
  if (!turn.gaveUp) return turn.value;
  const fault: Fault = { code: 'cancelled', detail: 'the caller gave up before anything was sent' };
  return { ok: false, fault };
}

/** @returns `false` if the deadline or the caller ended the wait */
async function wait(clock: Clock, waitMs: number, limitMs: number, caller: AbortSignal | undefined): Promise<boolean> {
  return withTimeLimit(limitMs, caller, async (signal) => {
    try {
      await clock.sleep(waitMs, signal);
      return !signal.aborted;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  });
}
