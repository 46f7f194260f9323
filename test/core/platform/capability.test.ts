import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerOf,
  isDue,
  nextCapability,
  type Answer,
  type Capability,
} from '../../../src/core/platform/capabilities/capability.ts';
import { PlatformError, type PlatformErrorCode } from '../../../src/core/platform/errors.ts';

const START = new Date('2026-11-20T10:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number) => new Date(START.getTime() + hours * HOUR);

/** The states after answers at these hours. */
function statesOf(answers: readonly (readonly [hour: number, kind: Answer['kind']])[]) {
  const states: Capability['state'][] = [];
  let capability: Capability | undefined;
  for (const [hour, kind] of answers) {
    capability = nextCapability(capability, { kind, reason: undefined }, at(hour));
    states.push(capability.state);
  }
  return { states, capability };
}

describe('an answer about an optional operation', () => {
  const fails = (code: PlatformErrorCode, status?: number) =>
    answerOf(new PlatformError({ code, status, method: 'GET', path: '/x', detail: 'for the log' }));

  test.each([
    ['not_found', 404, 'gone'],
    ['not_json', 200, 'gone'],
    ['unexpected_status', 405, 'gone'],
    ['unexpected_status', 410, 'gone'],
    ['server_error', 501, 'gone'],
    ['unauthorized', 401, 'refused'],
    ['forbidden', 403, 'refused'],
    ['unexpected_status', 402, 'refused'],
    ['invalid_request', 400, 'refused'],
    ['rate_limited', 429, 'failed'],
    ['server_error', 503, 'failed'],
    ['network', undefined, 'failed'],
    ['timeout', undefined, 'failed'],
    ['wrong_shape', 200, 'failed'],
    ['cut_body', 200, 'failed'],
    ['unexpected_status', 302, 'failed'],
  ] as const)('%s with status %s counts as %s', (code, status, kind) => {
    expect(fails(code, status).kind).toBe(kind);
  });

  test('that was refused gives the reason of the platform, never the line for the log', () => {
    const error = { code: 'forbidden', status: 403, method: 'GET', path: '/x', detail: 'for the log' } as const;
    expect(answerOf(new PlatformError({ ...error, statement: 'enterprise_required' })).reason).toBe(
      'enterprise_required',
    );
    expect(answerOf(new PlatformError(error)).reason).toBe('status 403');
  });
});

describe('the state of an optional operation', () => {
  test.each([
    [
      'a platform of the contract never has it',
      [
        [0, 'gone'],
        [24, 'gone'],
        [30, 'failed'],
        [48, 'gone'],
      ],
      ['none', 'none', 'failed', 'none'],
    ],
    [
      'it is lost for a day, and then gone',
      [
        [0, 'read'],
        [1, 'gone'],
        [24, 'gone'],
        [25, 'gone'],
        [49, 'gone'],
      ],
      ['reads', 'lost', 'lost', 'none', 'none'],
    ],
    [
      'it comes back within the day',
      [
        [0, 'read'],
        [1, 'gone'],
        [2, 'read'],
        [3, 'gone'],
      ],
      ['reads', 'lost', 'reads', 'lost'],
    ],
    [
      'an outage does not end the wait',
      [
        [0, 'read'],
        [1, 'gone'],
        [10, 'failed'],
        [25, 'gone'],
      ],
      ['reads', 'lost', 'lost', 'none'],
    ],
    [
      'an outage before the loss does not hide it',
      [
        [0, 'read'],
        [1, 'failed'],
        [2, 'gone'],
      ],
      ['reads', 'failed', 'lost'],
    ],
    [
      'a refused key is refused',
      [
        [0, 'read'],
        [1, 'refused'],
        [2, 'read'],
      ],
      ['reads', 'refused', 'reads'],
    ],
  ] as const)('%s', (_, answers, states) => {
    expect(statesOf(answers).states).toEqual(states);
  });

  test('keeps when it began and when it was last read', () => {
    const { capability } = statesOf([
      [0, 'read'],
      [1, 'read'],
      [2, 'failed'],
      [3, 'failed'],
    ]);
    expect(capability).toMatchObject({ state: 'failed', since: at(2), askedAt: at(3), readAt: at(1) });
  });

  test('is never “lost” or “reads” on a platform that never showed anything', () => {
    const kinds = fc.constantFrom<Answer['kind']>('gone', 'refused', 'failed');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(40), kinds), { maxLength: 30 }), (answers) => {
        const { states } = statesOf(answers.toSorted(([a], [b]) => a - b));
        expect(states).not.toContain('lost');
        expect(states).not.toContain('reads');
      }),
    );
  });

  test('is asked hourly, and daily if the platform does not have it', () => {
    const reads: Capability = { state: 'reads', since: START, askedAt: START, readAt: START, reason: undefined };
    expect([isDue(reads, at(0.4)), isDue(reads, at(1))]).toEqual([false, true]);
    const none: Capability = { ...reads, state: 'none', readAt: undefined };
    expect([isDue(none, at(1)), isDue(none, at(23)), isDue(none, at(24))]).toEqual([false, false, true]);
  });
});
