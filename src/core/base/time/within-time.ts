import { NOT_NEEDED, type Clock } from './clock.ts';

/** Waits at most `waitMs`. The reading itself continues, so its value may reach a cache. */
export async function withinTime<Value, Late>(
  clock: Pick<Clock, 'sleep'>,
  waitMs: number,
  reading: Promise<Value>,
  late: Late,
): Promise<Value | Late> {
  const waiting = new AbortController();
  try {
    return await Promise.race([reading, clock.sleep(waitMs, waiting.signal).then(() => late)]);
  } finally {
    waiting.abort(NOT_NEEDED);
  }
}
