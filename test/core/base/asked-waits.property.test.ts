import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { waitAskedMs } from '../../../src/core/base/time/back-off.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const HOUR_MS = 3_600_000;
const asked = fc.oneof(
  fc.constantFrom(undefined, 0, -0, 1, Number.NaN, Infinity, -Infinity, Number.MAX_VALUE, Number.MIN_VALUE),
  fc.double(),
  fc.integer(),
);
const own = fc.integer({ min: 1, max: 2 * HOUR_MS });

describe('a wait that a server asked for', () => {
  test('is never shorter than our own, and never longer than an hour or our own', () => {
    const property = fc.property(asked, own, (askedMs, ownMs) => {
      const waitMs = waitAskedMs(askedMs, ownMs);
      expect(Number.isFinite(waitMs)).toBe(true);
      expect(waitMs).toBeGreaterThanOrEqual(ownMs);
      expect(waitMs).toBeLessThanOrEqual(Math.max(HOUR_MS, ownMs));
    });
    fc.assert(property, { numRuns: propertyRuns(5_000) });
  });

  test('is kept in full up to an hour', () => {
    const property = fc.property(fc.double({ min: 0, max: HOUR_MS, noNaN: true }), own, (askedMs, ownMs) => {
      expect(waitAskedMs(askedMs, ownMs)).toBeGreaterThanOrEqual(askedMs);
    });
    fc.assert(property, { numRuns: propertyRuns(5_000) });
  });
});
