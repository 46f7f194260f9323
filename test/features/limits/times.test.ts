import { describe, expect, test } from 'vitest';
import { faultOf, retryDelayMs } from '../../../src/features/limits/apply/applier.ts';
import { noticeDue } from '../../../src/features/limits/decide/returns.ts';
import { PLATFORM_ERROR_CODES, PlatformError } from '../../../src/core/platform/errors.ts';

describe('the notice of an end', () => {
  const raise = { until: '2026-03-10T12:00:00.000Z', decidedAt: '2026-03-02T12:00:00.000Z' };

  test.each([
    ['2026-03-09T11:59:00Z', undefined],
    ['2026-03-09T12:00:00Z', 'day'],
    ['2026-03-10T10:59:00Z', 'day'],
    ['2026-03-10T11:00:00Z', 'hour'],
    ['2026-03-10T12:00:00Z', undefined],
  ] as const)('at %s is %s', (now, notice) => expect(noticeDue(raise, new Date(now))).toBe(notice));

  test('does not follow directly after a raise that is shorter', () => {
    const short = { ...raise, decidedAt: '2026-03-10T11:30:00.000Z' };
    expect(noticeDue(short, new Date('2026-03-10T11:31:00Z'))).toBeUndefined();
  });
});

test('a request is sent again after 1, 2, 4 … minutes, or when the platform asked for, up to a limit', () => {
  expect([1, 2, 3, 4, 5, 6].map((attempts) => retryDelayMs(attempts))).toEqual([
    60_000,
    120_000,
    240_000,
    480_000,
    900_000,
    undefined,
  ]);
  expect(retryDelayMs(1, 3_600_000)).toBe(3_600_000);
});

describe('a failed PUT', () => {
  const fault = (code: (typeof PLATFORM_ERROR_CODES)[number], outcomeUnknown: boolean) =>
    faultOf(new PlatformError({ code, method: 'PUT', path: '/limits', detail: '', outcomeUnknown }));

  test.each(PLATFORM_ERROR_CODES)('with %s sets no limit, and is unknown if it may have taken effect', (code) => {
    expect(fault(code, true).state).toBe('unknown');
    expect(['failed', 'queued']).toContain(fault(code, false).state);
    expect(fault(code, false).sentence).toMatch(/^[A-Z].*\.$/);
  });
});
