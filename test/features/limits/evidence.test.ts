import { describe, expect, test } from 'vitest';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { besideUse, trendOf } from '../../../src/features/limits/card/evidence-text.ts';
import { decileOf, figuresOf } from '../../../src/features/limits/card/evidence.ts';

import { outliersOf } from '../../../src/features/limits/card/outliers.ts';

const day = (values: readonly number[]) => Float64Array.from({ length: 30 }, (_, index) => values[index] ?? 0);
const everyDay = (value: number) => Float64Array.from({ length: 30 }, () => value);
const published = Array.from({ length: 30 }, (_, index) => 29 - index);

const mia = { email: 'mia', amount: 700 };

describe('the figures of people in a request for a limit', () => {
  test('are of the newest 7 and 28 published days, and of the 7 before', () => {
    const credits = new Map([['mia', everyDay(10)]]);
    const { people, shortDays, longDays } = figuresOf(credits, published, [mia]);
    expect(people).toEqual([{ email: 'mia', short: 70, before: 70, long: 280, decile: null }]);
    expect([shortDays, longDays]).toEqual([7, 28]);
  });

  test('leave out days that are not published, and do not compare with fewer days', () => {
    const credits = new Map([['mia', everyDay(10)]]);
    const { people, shortDays, longDays } = figuresOf(credits, [28, 27, 26, 25, 24, 23, 22, 21], [mia]);
    expect(people[0]).toMatchObject({ short: 70, before: null, long: 80 });
    expect([shortDays, longDays]).toEqual([7, 8]);
  });

  test('distinguish zero usage from missing figures, and add up the people that they do not show', () => {
    const emails = Array.from({ length: 8 }, (_, index) => `p${index}`);
    const credits = new Map(emails.slice(0, 6).map((email) => [email, everyDay(1)]));
    const { people, total, peopleWithCredits } = figuresOf(
      credits,
      published,
      emails.map((email) => ({ email, amount: 10 })),
    );
    expect(people).toHaveLength(5);
    expect(total).toEqual({ people: 8, short: 42, long: 168, withoutCredits: 2, asked: 80 });
    expect(peopleWithCredits).toBe(6);
  });

  test('count usage on a single day', () => {
    const credits = new Map([['mia', day([...Array.from({ length: 29 }, () => 0), 5])]]);
    expect(figuresOf(credits, published, [mia]).people[0]).toMatchObject({ short: 5, long: 5 });
  });
});

test('a person’s decile is counted from the most credits down', () => {
  const all = Array.from({ length: 20 }, (_, index) => index + 1);
  expect(decileOf(20, all)).toBe(1);
  expect(decileOf(19, all)).toBe(1);
  expect(decileOf(18, all)).toBe(2);
  expect(decileOf(1, all)).toBe(10);
  expect(decileOf(0, all)).toBeUndefined();
  expect(decileOf(20, all.slice(11))).toBeUndefined();
});

test('a requested amount is compared with what the person used', () => {
  expect(besideUse(900_000_000, 2_160_000, 28)).toBe('900 M is 417 times what they used in 28 days.');
  expect(besideUse(8_000_000, 5_210_000, 28)).toBe('8 M is 1.5 times what they used in 28 days.');
  expect(besideUse(5_100_000, 5_000_000, 28)).toBe('5.1 M is about what they used in 28 days.');
  expect(besideUse(500, 4_220_000, 28)).toBe('500 is <1% of what they used in 28 days.');
});

describe('the order of suspicious amounts', () => {
  const used = (email: string, amount: number, spent: number) => ({ email, amount, used: spent });

  test('begins with people who get nothing or less than they used, the lowest share first', () => {
    const found = outliersOf([
      used('enough', 900, 800),
      used('half', 400, 800),
      used('tenth', 80, 800),
      used('idle', 0, 0),
    ]);
    expect(found.map(({ email, kind }) => `${email} ${kind}`)).toEqual([
      'idle below_use',
      'tenth below_use',
      'half below_use',
    ]);
  });

  test('continues with people who get far more than the others, the highest first', () => {
    const others = Array.from({ length: 6 }, (_, index) => used(`p${index}`, 100, 0));
    const found = outliersOf([...others, used('slip', 100_000, 5), used('more', 2_000, 5), used('some', 900, 5)]);
    expect(found.map(({ email, kind }) => `${email} ${kind}`)).toEqual(['slip far_above', 'more far_above']);
  });

  test('covers the whole list, and the most extreme are shown', () => {
    const wanted = Array.from({ length: 60 }, (_, index) => ({ email: `p${index}`, amount: index }));
    const credits = new Map(wanted.map(({ email }) => [email, everyDay(100)]));
    const { belowUse, outliers } = figuresOf(credits, published, wanted);
    expect(belowUse).toBe(60);
    expect(outliers).toHaveLength(20);
    expect(outliers[0]).toEqual({ email: 'p0', amount: 0, used: 2_800, kind: 'below_use' });
  });
});

test.each([
  [700, 700, ' (the same as before)'],
  [702, 700, ' (about the same as before)'],
  [900, 600, ' (up 50%)'],
  [1, 700, ' (down more than 99%)'],
  [0, 700, ' (down 100%)'],
  [700, 3, ' (3 in the 7 days before)'],
  [700, 0, ' (none in the 7 days before)'],
  [700, null, ''],
])('%s credits after %s are compared without claiming more than is known', (short, before, said) => {
  expect(mrkdwnOf(trendOf({ short, before }))).toBe(said);
});
