import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideMove } from '../../../src/features/readiness/watch/readiness-notices.ts';

const score = (numerator: number, denominator: number) => ({ passed: 0, criteria: 1, numerator, denominator });

test.each([
  [score(18, 20), score(17, 20), 'fell'],
  [score(17, 20), score(18, 20), 'rose'],
  [score(16, 20), score(17, 20), 'nothing_to_tell'],
  [score(6, 20), score(6, 20), 'nothing_to_tell'],
  [score(5, 20), score(6, 20), 'rose'],
  [score(1, 2), score(2, 4), 'nothing_to_tell'],
])('from %o to %o: %s', (before, now, kind) => {
  expect(decideMove(before, now).kind).toBe(kind);
});

test('a fall is always reported, and a rise through all steps is reported at most ten times', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (denominator) => {
      const rises = Array.from({ length: denominator }, (_, at) =>
        decideMove(score(at, denominator), score(at + 1, denominator)),
      );
      expect(rises.filter(({ kind }) => kind === 'rose').length).toBeLessThanOrEqual(10);
      expect(rises.some(({ kind }) => kind === 'fell')).toBe(false);
      expect(decideMove(score(denominator, denominator), score(denominator - 1, denominator)).kind).toBe('fell');
    }),
  );
});
