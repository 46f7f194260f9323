import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the cases that a property test tries in full, how many it tries here. */
    propertyShare: number | undefined;
  }
}

const FEWEST_RUNS = 5;

/**
 * How many cases a property test tries: all of them in the long run, and a share of them each day.
 *
 * @example fc.assert(property, { numRuns: propertyRuns(2_000) });
 */
export const propertyRuns = (count: number): number =>
  Math.min(count, Math.max(FEWEST_RUNS, Math.ceil(count * (inject('propertyShare') ?? 1))));

/**
 * Of listed cases, the same share, spread over the list: the first always.
 *
 * @example test.each(shareOf(MORNINGS))('$name …', async (morning) => { … });
 */
export function shareOf<Case>(cases: readonly Case[]): Case[] {
  const step = Math.max(1, Math.round(1 / (inject('propertyShare') ?? 1)));
  return cases.filter((_, index) => index % step === 0);
}
