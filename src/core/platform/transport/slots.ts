import pLimit from 'p-limit';

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
export function createSlots(most: number): Slots {
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
