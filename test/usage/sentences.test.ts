import { describe, expect, test } from 'vitest';
import { changeWords, creditsHeadline } from '../../src/usage/sentences.ts';

const scope = {
  period: { first: '2026-03-03', last: '2026-03-03' },
  comparedWith: { first: '2026-02-24', last: '2026-02-24' },
};

describe('a change from little', () => {
  test.each([
    [9, 3, 0, 'up from 3'],
    [900, 300, 1_000_000, 'up from 300'],
    [300, 900, 1_000_000, 'down from 900'],
    [900, 300, 300_000, 'up 200%'],
    [5_000, 1_000, 1_000_000, 'up 400%'],
    [900, 300, 0, 'up 200%'],
  ])('to %d from %d of %d is told by its amount below a thousandth of all: %s', (value, before, all, words) => {
    expect(changeWords({ value, before }, all)).toBe(words);
  });

  test('is no percentage in the headline either', () => {
    const headline = (value: number, before: number) =>
      creditsHeadline({ kind: 'known', value: { value, before } }, scope);
    expect(headline(9, 3)).toBe('9 Standard Credits, up from 3 on Tue 24 Feb');
    expect(headline(3, 9)).toBe('3 Standard Credits, down from 9 on Tue 24 Feb');
    expect(headline(3, 3)).toBe('3 Standard Credits, the same as 3 on Tue 24 Feb');
    expect(headline(0, 0)).toBe('0 Standard Credits, none either on Tue 24 Feb');
  });
});

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
    expect(creditsHeadline({ kind: 'known', value: { value: 4, before: 1000 } }, scope)).toBe(
      '4 Standard Credits, down more than 99% from 1,000 on Tue 24 Feb',
    );
  });
});
