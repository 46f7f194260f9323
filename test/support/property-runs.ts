import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The share of cases that a property test tries here. */
    propertyShare: number | undefined;
  }
}

const FEWEST_RUNS = 5;

/**
 * The number of cases that a property test tries: all of them in the long run, and a share of them each day.
 * @example fc.assert(property, { numRuns: propertyRuns(2_000) });
 */
export const propertyRuns = (count: number): number =>
  Math.min(count, Math.max(FEWEST_RUNS, Math.ceil(count * (inject('propertyShare') ?? 1))));

/**
 * The same share of listed cases, spread over the list: the first always.
 * @example test.each(shareOf(MORNINGS))('$name …', async (morning) => { … });
 */
export function shareOf<Case>(cases: readonly Case[]): Case[] {
  const step = Math.max(1, Math.round(1 / (inject('propertyShare') ?? 1)));
  return cases.filter((_, index) => index % step === 0);
}
