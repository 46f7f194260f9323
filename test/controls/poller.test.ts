import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pauseMs } from '../../src/controls/poller.ts';

const base = { intervalMs: 60_000, failures: 0, random: 0.5 };

test('the history is read at its interval, spread by a tenth', () => {
  expect(pauseMs(base)).toBe(60_000);
  expect([pauseMs({ ...base, random: 0 }), pauseMs({ ...base, random: 1 })]).toEqual([54_000, 66_000]);
});

test('each failure doubles the pause up to ten minutes, and never shortens a longer interval', () => {
  expect([1, 2, 3, 4, 20].map((failures) => pauseMs({ ...base, failures }))).toEqual([
    120_000, 240_000, 480_000, 600_000, 600_000,
  ]);
  expect(pauseMs({ ...base, intervalMs: 3_600_000, failures: 5 })).toBe(3_600_000);
});

test('what the platform asked to wait is waited', () => {
  fc.assert(
    fc.property(
      fc.nat(50),
      fc.nat(3_600_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, retryAfterMs, random) => {
        expect(pauseMs({ ...base, failures, retryAfterMs, random })).toBeGreaterThanOrEqual(retryAfterMs);
      },
    ),
  );
});
