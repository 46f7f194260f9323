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
