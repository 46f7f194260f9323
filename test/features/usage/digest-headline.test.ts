import { describe, expect, test } from 'vitest';
import { plusDays } from '../../../src/core/base/time/calendar.ts';
import { digestHeadline } from '../../../src/features/usage/digest/headline.ts';
import { judgeDay, usualRange, rangeWords } from '../../../src/core/figures/insight/unusual.ts';

const FRIDAY = '2026-11-20';
const known = (value: number, before?: number) => ({
  kind: 'known' as const,
  value: before === undefined ? { value } : { value, before },
});
const range = { low: 38_200_000, usual: 42_000_000, high: 47_000_000 };
const day = { first: FRIDAY, last: FRIDAY };
const weekBefore = { first: '2026-11-13', last: '2026-11-13' };
const ofDay = (amount: number, ranges: Parameters<typeof digestHeadline>[0]['unusual']) =>
  digestHeadline({
    scope: { period: day, comparedWith: weekBefore, today: '2026-11-23' },
    credits: known(amount, 38_900_000),
    unusual: ranges,
  });

describe('the headline of a digest', () => {
  test.each([
    [44_889_090, '44.9 M credits on Friday: within the usual 38.2–47 M for a Friday.'],
    [50_000_000, '50 M credits on Friday: above the usual 38.2–47 M for a Friday.'],
    [12_000, '12 K credits on Friday: below the usual 38.2–47 M for a Friday.'],
  ])('of a day shows whether %d is usual, without a percentage', (amount, sentence) => {
    expect(ofDay(amount, { ranges: [{ day: FRIDAY, amount, range }] })).toBe(sentence);
  });

  test('marks a day that cannot be judged yet, and shows both values if there is no history', () => {
    expect(ofDay(1, { ranges: [{ day: FRIDAY, amount: 1, range: undefined }] })).toBe(
      '1 credit on Friday: too few Fridays before to say what’s usual.',
    );
    expect(ofDay(44_889_090, undefined)).toBe('44.9 M credits on Friday, up from 38.9 M on Fri 13 Nov.');
  });

  test('of a weekend compares each day with its own range', () => {
    const period = { first: FRIDAY, last: plusDays(FRIDAY, 2) };
    const amounts = [44_000_000, 900_000, 100_000];
    const ranges = amounts.map((amount, index) => ({
      day: plusDays(FRIDAY, index),
      amount,
      range: index === 0 ? range : { low: 0, usual: 200_000, high: 500_000 },
    }));
    const said = (some: typeof ranges) =>
      digestHeadline({
        scope: { period, comparedWith: undefined, today: '2026-11-23' },
        credits: known(45_000_000),
        unusual: { ranges: some },
      });
    expect(said(ranges)).toBe('45 M credits from Friday to Sunday: Saturday above its usual 0–500 K.');
    expect(said(ranges.map((one) => ({ ...one, range: { low: 0, usual: 1, high: 1e9 } })))).toBe(
      '45 M credits from Friday to Sunday: each day within its usual range.',
    );
  });

  test('of a week names both weeks and the unusual days', () => {
    const period = { first: '2026-11-16', last: '2026-11-22' };
    const comparedWith = { first: '2026-11-09', last: '2026-11-15' };
    const ranges = [{ day: '2026-11-17', amount: 60_000_000, range }];
    expect(
      digestHeadline({
        scope: { period, comparedWith, today: '2026-11-23' },
        credits: known(44_900_000, 38_900_000),
        unusual: { ranges },
      }),
    ).toBe('44.9 M credits on 16–22 Nov, 15% more than on 9–15 Nov (38.9 M). Unusual: Tue 17 Nov (high).');
  });

  test('is empty while nothing is published', () => {
    const scope = { period: day, comparedWith: undefined, today: '2026-11-23' };
    expect(digestHeadline({ scope, credits: { kind: 'unpublished' } })).toBeUndefined();
    expect(digestHeadline({ scope, credits: { kind: 'unreadable' }, of: '@web-team' })).toBe(
      'The credits for @web-team on Friday could not be read.',
    );
  });

  test('names the unit of a range once if both ends share it', () => {
    expect(rangeWords({ low: 162_000, usual: 1_000_000, high: 10_100_000 })).toBe('162 K–10.1 M');
    expect(rangeWords({ low: 38, usual: 40, high: 47 })).toBe('38–47');
  });
});

test('a day is unusual exactly when it is outside of its usual range', () => {
  const before = Array.from({ length: 60 }, (_, index) => ({
    day: plusDays(FRIDAY, index - 60),
    amount: 400_000 * (index % 2 === 0 ? 1 : 1.1),
  }));
  const { low, high } = usualRange(before, FRIDAY) ?? { low: 0, high: 0 };
  expect(low).toBeGreaterThan(0);
  const judged = (amount: number) => judgeDay(before, { day: FRIDAY, amount }).kind;
  expect([low - 1, low, high, high + 1].map((amount) => judged(amount))).toEqual([
    'unusual',
    'usual',
    'usual',
    'unusual',
  ]);
});
