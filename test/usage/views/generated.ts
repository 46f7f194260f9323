import fc from 'fast-check';
import { lengthOf, plusDays, type Period } from '../../../src/slack/periods.ts';

/** Seeds of generated organizations. */
export const seeds = fc.integer({ min: 0, max: 1_000_000 });

const FIRST = '2026-01-14';
const LAST = '2026-04-30';

/** A period from the first day of data on, which may cross the ends of months. */
export function generatedPeriod(mostDays: number): fc.Arbitrary<Period> {
  const room = lengthOf({ first: FIRST, last: LAST }) - mostDays;
  return fc
    .tuple(
      // The first day of data comes up often.
      fc.oneof(fc.constant(0), fc.integer({ min: 0, max: room })),
      fc.integer({ min: 1, max: mostDays }),
    )
    .map(([shift, length]) => {
      const first = plusDays(FIRST, shift);
      return { first, last: plusDays(first, length - 1) };
    });
}
