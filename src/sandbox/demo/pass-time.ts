import { setTimeout as wait } from 'node:timers/promises';
import type { MovableClock } from './movable-clock.ts';

const QUARTER_MS = 15 * 60_000;
/** Longer moves begin with a jump, which starts everything that is due once. */
const MAX_PASSED_MS = 36 * 3_600_000;
const LOOK_EVERY_MS = 5;
/** Something that waits for longer, such as a retry, continues on the way. */
const MAX_WAIT_MS = 1_000;

/**
 * Moves the clock from one quarter of an hour to the next. At each, everything due happens before the clock continues, so that
 * messages come in order and at their time.
 */
export async function passTime(
  clock: Pick<MovableClock, 'now' | 'moveTo' | 'whenTicked'>,
  target: Date,
  isIdle: () => Promise<boolean>,
): Promise<void> {
  const targetMs = target.getTime();
  const from = clock.now().getTime();
  if (targetMs - from > MAX_PASSED_MS) clock.moveTo(new Date(targetMs - MAX_PASSED_MS));
  for (const stop of stopsBetween(Math.max(from, targetMs - MAX_PASSED_MS), targetMs)) {
    // Another move was faster.
    if (clock.now().getTime() >= stop && stop > from) continue;
    clock.moveTo(new Date(stop));
    await clock.whenTicked();
    const untilMs = performance.now() + MAX_WAIT_MS;
    while (!(await isIdle()) && performance.now() < untilMs) await wait(LOOK_EVERY_MS);
  }
}

/** @example stopsBetween(9:10, 9:40) // [9:15, 9:30, 9:40] */
function stopsBetween(from: number, to: number): number[] {
  const stops: number[] = [];
  for (let stop = (Math.floor(from / QUARTER_MS) + 1) * QUARTER_MS; stop < to; stop += QUARTER_MS) stops.push(stop);
  return [...stops, to];
}
