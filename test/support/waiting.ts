import { setTimeout as delay } from 'node:timers/promises';
import { TestRunner } from 'vitest';

/** Between two checks, during which other work runs. */
const PAUSE_MS = 5;

/** For a wait outside of a known test: in a hook of a file, or among concurrent tests, which may take long. */
const LONG_TIMEOUT_MS = 120_000;

/** The awaited condition, or a function that describes the state found instead. */
export type Awaited = string | (() => string | Promise<string>);

/** A wait ends before its test does, in real time: the clock of a scene is stopped, or jumps. */
const patienceMs = () => ((TestRunner.getCurrentTest()?.timeout || LONG_TIMEOUT_MS) * 2) / 3;

/** Created when the wait begins, so that its stack leads to the waiting test. */
function lateError(waitMs: number) {
  const error = new Error(`Waited ${Math.round(waitMs / 1_000)} s in vain`);
  return async (awaited: Awaited) => {
    error.message += ` for ${typeof awaited === 'string' ? awaited : await awaited()}`;
    return error;
  };
}

/** Polls a condition that has no event. */
export async function eventually<Result>(
  ask: () => Result | undefined | Promise<Result | undefined>,
  awaited: Awaited,
  pause: () => Promise<unknown> = () => delay(PAUSE_MS),
): Promise<Result> {
  const waitMs = patienceMs();
  const late = lateError(waitMs);
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadlineMs) throw await late(awaited);
    await pause();
  }
}

/** Waits for an event. */
export async function inTime<Result>(coming: Promise<Result>, awaited: Awaited): Promise<Result> {
  const waitMs = patienceMs();
  const late = lateError(waitMs);
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => void late(awaited).then(reject, reject), waitMs);
  // The losing timer of a race must not keep a program alive.
  timer.unref();
  try {
    return await Promise.race([coming, over]);
  } finally {
    clearTimeout(timer);
  }
}
