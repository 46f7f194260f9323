import pLimit from 'p-limit';

export interface Slots {
  /** @returns `{ gaveUp: true }` at once if the caller aborts before `run` has started */
  run<T>(
    caller: AbortSignal | undefined,
    run: () => Promise<T>,
  ): Promise<{ gaveUp: false; value: T } | { gaveUp: true }>;
}

export function createSlots(concurrency: number): Slots {
  const limit = pLimit(concurrency);
  return {
    run: <T>(caller: AbortSignal | undefined, run: () => Promise<T>) =>
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
          resolve({ gaveUp: false, value: await run() });
        })
          .catch(reject)
          .finally(() => caller?.removeEventListener('abort', giveUp));
      }),
  };
}
