import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pauseMs } from '../../../src/features/controls/poll/poller.ts';

const base = { intervalMs: 60_000, failures: 0, random: 0.5 };

test('the history is read at its interval, give or take a tenth', () => {
  expect(pauseMs(base)).toBe(60_000);
  expect([pauseMs({ ...base, random: 0 }), pauseMs({ ...base, random: 1 })]).toEqual([54_000, 66_000]);
});

test('after an outage of any length the history is read within two intervals, jitter included', () => {
  for (const failures of [1, 2, 5, 20, 1_000]) {
    for (const random of [0, 0.5, 1]) {
      expect(pauseMs({ ...base, failures, random })).toBeGreaterThan(60_000);
      expect(pauseMs({ ...base, failures, random })).toBeLessThanOrEqual(120_000);
    }
  }
});

test('the poller waits as long as the platform asked', () => {
  fc.assert(
    fc.property(
      fc.nat(50),
      fc.nat(3_600_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, askedMs, random) => {
        expect(pauseMs({ ...base, failures, askedMs, random })).toBeGreaterThanOrEqual(askedMs);
      },
    ),
  );
});
