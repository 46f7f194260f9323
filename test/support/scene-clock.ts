import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';
import type { MovableClock } from '../../src/sandbox/demo/movable-clock.ts';

/** A scene with a clock that stands still until a test moves it. */
interface Timed {
  clock: MovableClock;
}

/** The clock advances by this much with each check, so that no test sits through a wait of the bot. */
const CLOCK_STEP_MS = 100;
/** Slack accepts one message a second: a message that waits for that is sent after the next check. */
const LONGEST_STEP_MS = 1_000;
/** Between two checks, during which other work runs. */
const PAUSE_MS = 3;

/** Between two checks of a condition: a moment, during which the clock advances. */
export async function letTimePass({ clock }: Partial<Timed>): Promise<void> {
  if (clock) {
    const untilNextMs = clock.untilNextMs();
    const stepMs = untilNextMs > LONGEST_STEP_MS ? CLOCK_STEP_MS : Math.max(CLOCK_STEP_MS, Math.ceil(untilNextMs));
    clock.moveTo(new Date(clock.now().getTime() + stepMs));
  }
  await delay(PAUSE_MS);
}

/** Waits for an event that occurs by itself; the clock runs faster during the wait. */
export async function whileTimePasses<Result>(scene: Timed, coming: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const end = () => over.abort();
  coming.then(end, end);
  // What is over already takes no time.
  await turn();
  while (!over.signal.aborted) await letTimePass(scene);
  return coming;
}

/**
 * Moves the clock. Where it stands still, the jobs that run are done before: one whose time ends in the middle of its work, as on
 * a machine that slept, goes on with less than it asked for. Tests of outages keep the time of the machine, and mean that.
 */
export async function moveClock(scene: Timed, instant: Date): Promise<void> {
  if (inject('isTimeStill')) await whileTimePasses(scene, scene.clock.whenTicked());
  scene.clock.moveTo(instant);
}

/** Moves the clock, and waits until the jobs that became due are done: they must not see what a test does next. */
export async function passTo(scene: Timed, instant: Date): Promise<void> {
  await moveClock(scene, instant);
  await whileTimePasses(scene, scene.clock.whenTicked());
}
