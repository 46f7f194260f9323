import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusalChange } from '../../../src/core/watches/refusal-watch.ts';

const NOW = new Date('2026-03-02T08:00:00Z');
const before = (ms: number) => new Date(NOW.getTime() - ms);

test('a key that is refused for a minute is reported as refused, since its first refusal', () => {
  const evidence = { refusedSince: before(60_000), acceptedAt: before(90_000) };
  expect(refusalChange(evidence, 'accepted', NOW)).toEqual({ state: 'refused', since: before(60_000) });
});

test('a refusal of less than a minute is not reported', () => {
  expect(refusalChange({ refusedSince: before(59_999), acceptedAt: undefined }, 'accepted', NOW)).toBeUndefined();
});

test('a refused key is reported as accepted with the first answer after it', () => {
  const evidence = { refusedSince: undefined, acceptedAt: before(1_000) };
  expect(refusalChange(evidence, 'refused', NOW)).toEqual({ state: 'accepted', since: before(1_000) });
});

test('a process without a request yet reports nothing about a key', () => {
  expect(refusalChange({ refusedSince: undefined, acceptedAt: undefined }, 'refused', NOW)).toBeUndefined();
});

test('nothing is reported twice: a turn is never followed by the same turn', () => {
  const instant = fc.option(
    fc.integer({ min: 0, max: 600_000 }).map((ms) => before(ms)),
    { nil: undefined },
  );
  fc.assert(
    fc.property(instant, instant, fc.constantFrom('accepted', 'refused'), (refusedSince, acceptedAt, told) => {
      expect(refusalChange({ refusedSince, acceptedAt }, told, NOW)?.state).not.toBe(told);
    }),
  );
});
