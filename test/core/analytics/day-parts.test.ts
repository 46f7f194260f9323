import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DayParts } from '../../../src/core/analytics/reading/day-store.ts';

const people = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => [`user_${index}`, `“${index}”@acme.example`, 7 * index]));

test('returns each part as it was pushed, also those that are compressed', () => {
  // A part of 600,000 characters, repeated, is on both sides of the bound.
  const part = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 50 }), fc.constant(people(15_000)));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (texts) => {
      const parts = DayParts.of(...texts);
      expect([...parts]).toEqual(texts);
      expect(parts).toHaveLength(texts.length);
      expect(parts.size).toBe(texts.join('').length);
    }),
    { numRuns: 20 },
  );
});

test('has the fingerprint of days that were stored before', () => {
  const texts = ['{}', '[["u1",null,12]]'];
  const expected = createHash('sha256').update('{}\n[["u1",null,12]]\n').digest('hex');
  const parts = DayParts.of(...texts);
  expect([parts.fingerprint(), parts.fingerprint()]).toEqual([expected, expected]);
  parts.push('[]');
  expect(parts.fingerprint()).not.toBe(expected);
});

test('keeps small days as they are, and compresses large ones', () => {
  const part = people(250);
  const parts = new DayParts();
  expect(parts.push(part)).toBe(part.length);
  while (parts.size < 1_000_000) parts.push(part);
  expect(parts.push(part)).toBeLessThan(part.length / 2);
});
