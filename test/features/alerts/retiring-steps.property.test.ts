import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueStep, hasStepAfter } from '../../../src/features/alerts/retiring-models/steps.ts';

const dayAt = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);

test('however often it runs, each of 30, 7 and 0 days is announced at most once, in this order, and the last one is', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), gaps, (retires, between) => {
      const announced: number[] = [];
      let today = 0;
      for (const gap of between) {
        const toldStep = announced.at(-1) ?? null;
        const step = dueStep({ retiresOn: dayAt(retires), toldStep }, dayAt(today));
        expect(step === undefined || retires - today <= step).toBe(true);
        if (step !== undefined) announced.push(step);
        today += gap;
      }
      expect(announced).toEqual([...new Set(announced)].toSorted((a, b) => b - a));
    }),
  );
});

test('digests that follow each other without a gap show each step at most once, and short ones all of them', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 10, maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 40, max: 60 }), lengths, (retires, days) => {
      let first = 0;
      let shown = 0;
      for (const length of days) {
        if (hasStepAfter(dayAt(retires), { first: dayAt(first), last: dayAt(first + length - 1) })) shown += 1;
        first += length;
      }
      expect(shown).toBe([30, 7, 0].filter((step) => retires - step - 1 < first).length);
    }),
  );
});
