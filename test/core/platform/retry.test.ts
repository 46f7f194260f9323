import { describe, expect, test } from 'vitest';
import { PLATFORM_ERROR_CODES } from '../../../src/core/platform/errors.ts';
import {
  type FailedAttempt,
  MAX_ATTEMPTS,
  decideRetry,
  parseRetryAfter,
} from '../../../src/core/platform/transport/retry.ts';

const failed = (changes: Partial<FailedAttempt> = {}): FailedAttempt => ({
  method: 'GET',
  code: 'server_error',
  attempt: 1,
  remainingMs: 30_000,
  random: () => 0.5,
  ...changes,
});

function waitMs(attempt: number, random: number): number | undefined {
  const decision = decideRetry(failed({ attempt, random: () => random }));
  return decision.retry ? decision.waitMs : undefined;
}

describe('the retry decision', () => {
  test.each(['rate_limited', 'server_error', 'network', 'timeout', 'cut_body', 'overloaded'] as const)(
    'repeats GET and PUT on %s',
    (code) => {
      expect(decideRetry(failed({ code }))).toMatchObject({ retry: true });
      expect(decideRetry(failed({ code, method: 'PUT' }))).toMatchObject({ retry: true });
    },
  );

  test('repeats nothing else', () => {
    const passing = new Set(['rate_limited', 'server_error', 'network', 'timeout', 'cut_body', 'overloaded']);
    for (const code of PLATFORM_ERROR_CODES.filter((each) => !passing.has(each))) {
      expect(decideRetry(failed({ code }))).toEqual({ retry: false, reason: 'not_passing' });
    }
  });

  test('never repeats POST, not even with Retry-After', () => {
    for (const code of PLATFORM_ERROR_CODES) {
      const decision = decideRetry(failed({ code, method: 'POST', askedMs: 1 }));
      expect(decision).toEqual({ retry: false, reason: 'not_repeatable' });
    }
  });

  test('waits exactly as long as the platform asked, if that is longer than its own back-off', () => {
    expect(decideRetry(failed({ askedMs: 12_345 }))).toEqual({ retry: true, waitMs: 12_345 });
  });

  test.each([0, 1, undefined])(
    'waits for its own back-off, which is longer for a 429, if the platform asked for %s ms',
    (askedMs) => {
      expect(decideRetry(failed({ askedMs, random: () => 1 }))).toEqual({ retry: true, waitMs: 250 });
      const limited = [1, 2, 3].map((attempt) =>
        decideRetry(failed({ code: 'rate_limited', attempt, askedMs, random: () => 1 })),
      );
      expect(limited).toEqual([2_000, 4_000, 8_000].map((waitMs) => ({ retry: true, waitMs })));
    },
  );

  test('gives up at once if the requested wait would pass the deadline', () => {
    const decision = decideRetry(failed({ askedMs: 5_000, remainingMs: 5_000 }));
    expect(decision).toEqual({ retry: false, reason: 'past_deadline' });
  });

  test('gives up after the last attempt', () => {
    expect(decideRetry(failed({ attempt: MAX_ATTEMPTS }))).toEqual({ retry: false, reason: 'attempts_used' });
  });

  test('doubles its back-off, up to a limit, and spreads it with the given randomness', () => {
    expect([1, 2, 3, 4].map((attempt) => waitMs(attempt, 1))).toEqual([250, 500, 1_000, 2_000]);
    expect([1, 2, 3, 4].map((attempt) => waitMs(attempt, 0))).toEqual([125, 250, 500, 1_000]);
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-20T10:00:00Z');

  test.each([
    ['seconds', '120', 120_000],
    ['zero', '0', 0],
    ['a date', 'Fri, 20 Nov 2026 10:00:07 GMT', 7_000],
    ['a negative number', '-5', undefined],
    ['a date that has passed', 'Fri, 20 Nov 2026 09:59:59 GMT', undefined],
    ['words', 'soon', undefined],
    ['a date of another form', '2026-11-20', undefined],
    ['nothing', '', undefined],
    ['no header', undefined, undefined],
  ])('reads %s', (_, header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });

  test.each(['9'.repeat(400), '9999999999999', '3601', 'Sun, 20 Nov 2033 10:00:00 GMT', '3600'])(
    'causes a wait of an hour at most (%s)',
    (header) => {
      const decision = decideRetry(failed({ askedMs: parseRetryAfter(header, now), remainingMs: Infinity }));
      expect(decision).toEqual({ retry: true, waitMs: 3_600_000 });
    },
  );
});
