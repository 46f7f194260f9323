import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLimits } from '../../../src/features/limits/limits-command.ts';
import { splitWords } from '../../../src/core/slack/commands/command-text.ts';

const parse = (text: string) => parseLimits(splitWords(text), new Date('2026-03-04T09:00:00Z'));
const LAST_WEEK = { first: '2026-02-23', last: '2026-03-01' };

describe('the words after /limits', () => {
  test.each([
    ['', { kind: 'list' }],
    ['list', { kind: 'list' }],
    ['last week', { kind: 'list', days: LAST_WEEK }],
    ['list Last Week', { kind: 'list', days: LAST_WEEK }],
    ['2d', { kind: 'list', days: { first: '2026-03-03', last: '2026-03-04' } }],
    ['audit', { kind: 'audit' }],
    ['audit csv', { kind: 'audit' }],
    ['audit csv last week', { kind: 'audit', days: LAST_WEEK }],
    ['audit last week csv', { kind: 'audit', days: LAST_WEEK }],
    ['show may', { kind: 'show', id: 'may' }],
  ])('are parsed: “%s”', (text, request) => {
    expect(parse(text)).toEqual({ kind: 'run', request });
  });

  test.each([
    ['list weekly', { sentence: 'Unknown word “weekly”.', corrected: 'list' }],
    ['last week csv', { sentence: 'Unknown word “csv”.', corrected: 'list' }],
    ['audit xml', { sentence: 'Unknown word “xml”.', corrected: 'audit csv' }],
  ])('%s is not understood', (text, answer) => {
    expect(parse(text)).toEqual({ kind: 'misunderstood', ...answer });
  });

  test.each(['5 000 000', '5\u202f000\u202f000', '5’000’000', '5 million', '5,000,000', '5 m'])(
    'have the amount “%s”, in one word or several',
    (amount) => {
      expect(parse(`request ${amount}`)).toMatchObject({ kind: 'run', request: { words: { amount: 5_000_000 } } });
      expect(parse(`request <@U1> ${amount}`)).toMatchObject({
        request: { words: { amount: 5_000_000, isOwn: false } },
      });
      expect(parse(`simulate <!subteam^S1> ${amount} per week`)).toMatchObject({
        request: { limit: 5_000_000, unit: 'week' },
      });
    },
  );

  test('take “none” in place of an amount', () => {
    expect(parse('request <@U1> None')).toMatchObject({ request: { words: { amount: 'none', isOwn: false } } });
    expect(parse('request none')).toMatchObject({ request: { words: { amount: 'none', isOwn: true } } });
    expect(parse('request <@U1> none 5m')).toMatchObject({ kind: 'misunderstood', sentence: 'Unknown word “none”.' });
  });

  test.each(['request 1.250', 'request <@U1> 1.250', 'simulate <!subteam^S1> 1.250 per week'])(
    'with an amount that could be two are refused with both: “%s”',
    (text) => {
      expect(parse(text)).toEqual({
        kind: 'misunderstood',
        sentence: '“1.250” could mean 1,250 or 1.25. Type 1,250 or 1.25.',
      });
    },
  );

  test('never throw, and their corrections are valid commands', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('list', 'audit', 'csv', 'last', 'week', 'may', '7d'));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const parsed = parseLimits(words, new Date('2026-03-04T09:00:00Z'));
        if (parsed.kind !== 'misunderstood' || !['list', 'audit csv'].includes(parsed.corrected ?? '')) return;
        expect(parse(parsed.corrected ?? '').kind).toBe('run');
      }),
    );
  });
});
