import { describe, expect, test } from 'vitest';
import { evidenceOf } from '../../../src/features/controls/poll/poll-watch.ts';

const STARTED_AT = new Date('2026-03-02T07:00:00Z');
const READ_AT = '2026-03-02T08:00:00.000Z';

describe('the evidence that the history of the controls is not read', () => {
  test('is absent while it is read', () => {
    expect(evidenceOf({ failures: 0, readAt: READ_AT, lastError: null }, STARTED_AT)).toEqual({
      refusedSince: undefined,
      acceptedAt: new Date(READ_AT),
    });
  });

  test('begins with the last reading, and names the fault', () => {
    expect(evidenceOf({ failures: 3, readAt: READ_AT, lastError: 'It answered 503.' }, STARTED_AT)).toEqual({
      refusedSince: new Date(READ_AT),
      acceptedAt: undefined,
      detail: 'It answered 503.',
    });
  });

  test('begins with the start of the process if it was never read', () => {
    expect(evidenceOf({ failures: 1, readAt: null, lastError: null }, STARTED_AT).refusedSince).toEqual(STARTED_AT);
    expect(evidenceOf({ failures: 0, readAt: null, lastError: null }, STARTED_AT).acceptedAt).toBeUndefined();
  });
});
