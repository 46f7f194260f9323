import { describe, expect, test } from 'vitest';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import type { ExplainedEntry } from '../../../src/features/limits/core/ledger.ts';
import { fallbackSentences } from '../../../src/features/limits/core/limit-messages.ts';
import { currentLimitWords, sourceOf } from '../../../src/features/limits/core/person-text.ts';

const entry = (kind: ExplainedEntry['kind'], approvedBy = 'UADA'): ExplainedEntry => ({
  requestId: 'k7m2x',
  email: 'mia@acme.example',
  value: 8_000_000,
  removed: null,
  valueBefore: 10_000_000,
  setAt: '2026-03-10T09:00:00.000Z',
  askedBy: 'UMIA',
  approvedBy,
  approvedAt: '2026-03-10T09:00:00.000Z',
  kind,
  parentId: kind === 'undo' || kind === 'return' ? 'abcde' : null,
});

describe('who caused a limit', () => {
  test.each([
    ['ask', 'requested by <@UMIA>, approved by <@UADA>'],
    ['import', 'requested by <@UMIA>, approved by <@UADA>'],
    ['undo', '<@UADA> undid request `abcde`'],
    ['return', 'the end of a raise that <@UADA> approved (request `abcde`)'],
  ] as const)('is said for the kind %s', (kind, words) => {
    expect(mrkdwnOf(sourceOf(entry(kind)))).toBe(words);
  });

  test('is a policy for first limits', () => {
    expect(mrkdwnOf(sourceOf(entry('policy', 'quartermaster')))).toBe('a first limit, approved by a policy');
  });
});

test('a declared limit is not called unknown', () => {
  expect(currentLimitWords(null)).toBe('current limit unknown');
  expect(currentLimitWords(null, 5_130_000)).toBe('5,130,000 (declared, not set here)');
  expect(currentLimitWords(7_000_000, null)).toBe('7,000,000');
});

test('the reason for a direct message is a sentence of its own', () => {
  expect(fallbackSentences('The bot is not in the channel.')).toBe(
    'You get this as a direct message because the channel in LIMITS_CHANNEL can’t be used. The bot is not in the channel.',
  );
});
