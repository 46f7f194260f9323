import { describe, expect, test } from 'vitest';
import { changeWords, creditsHeadline } from '../../src/usage/sentences.ts';

describe('a fall', () => {
  test.each([
    [0, 1000, 'down 100%'],
    [1, 1000, 'down more than 99%'],
    [4, 1000, 'down more than 99%'],
    [10, 1000, 'down 99%'],
    [500, 1000, 'down 50%'],
  ])('to %d from %d is told as “%s”: all of it only where nothing is left', (value, before, words) => {
    expect(changeWords({ value, before })).toBe(words);
  });

  test('is told alike in the headline', () => {
    const scope = {
      period: { first: '2026-03-03', last: '2026-03-03' },
      comparedWith: { first: '2026-02-24', last: '2026-02-24' },
    };
    expect(creditsHeadline({ kind: 'known', value: { value: 4, before: 1000 } }, scope)).toBe(
      '4 Standard Credits, down more than 99% from 1,000 on Tue 24 Feb',
    );
  });
});
