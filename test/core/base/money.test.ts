import { describe, expect, test } from 'vitest';
import {
  aboutCost,
  costAt,
  costNote,
  formatCost,
  formatPrice,
  readPrice,
  splitCost,
} from '../../../src/core/base/text/numbers.ts';

const USD = { perMillion: '4.20', currency: 'USD' };

describe('a price', () => {
  test.each([
    ['4.20 USD per million', USD],
    ['$4.20', USD],
    ['4,20 eur', { perMillion: '4.20', currency: 'EUR' }],
    ['JPY 620', { perMillion: '620', currency: 'JPY' }],
    ['4.20', undefined],
    ['0 USD', undefined],
    ['4.20 XYZ', undefined],
    ['USD 4.20 USD', undefined],
    ['4.1234567 USD', undefined],
    ['4.20 USD per month', undefined],
  ])('is read from “%s”', (text, price) => {
    expect(readPrice(text).price).toEqual(price);
  });

  test.each([
    [USD, '$4.20'],
    [{ perMillion: '0.0125', currency: 'EUR' }, '€0.0125'],
    [{ perMillion: '620', currency: 'JPY' }, '¥620'],
  ])('is shown with all its decimals', (price, text) => {
    expect(formatPrice(price)).toBe(text);
  });
});

describe('money', () => {
  test.each([
    [20_000_000, 'about $84'],
    [20_123_456.789, 'about $85'],
    [2_300_000, 'about $9.66'],
    [1_000, 'less than $0.01'],
    [5_000_000_000_000, 'about $21,000,000'],
  ])('of %d credits is exact, and shown with cents below ten', (credits, text) => {
    expect(aboutCost(costAt(USD, credits))).toBe(text);
  });

  test('of no credits is not mentioned', () => {
    expect(costNote(costAt(USD, 0))).toBe('');
  });

  test('that is compared with more money has the same decimals', () => {
    expect(formatCost(costAt(USD, 1_500_000), costAt(USD, 30_000_000))).toBe('$6');
  });

  test('says “rounded” if the parts are more than the total', () => {
    const [total, part] = [costAt(USD, 10_000_000), costAt(USD, 6_000_000)];
    const parts = new Map([
      ['a', part],
      ['b', part],
    ]);
    expect(splitCost(total, parts).isRounded).toBe(true);
    expect(splitCost(costAt(USD, 12_000_000), parts).isRounded).toBe(false);
  });
});
