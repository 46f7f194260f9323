import fc from 'fast-check';
import { expect, test } from 'vitest';
import { movedWords } from '../../../src/features/controls/notices/aftermath.ts';

const MODELS = ['a', 'b', 'c', 'd'];
const personAt = (index: number, main: string) => ({
  emails: [`p${index}@acme.example`],
  main,
  last: { model: main, day: '2026-03-01' },
});

test('no number is that of a small group, and none follows from the others', () => {
  const moves = fc.array(fc.option(fc.constantFrom(...MODELS)), { maxLength: 60 });
  fc.assert(
    fc.property(moves, fc.integer({ min: 1, max: 10 }), (targets, minGroup) => {
      const before = targets.map((_, index) => personAt(index, 'old'));
      const after = targets.flatMap((target, index) => (target === null ? [] : [personAt(index, target)]));
      const words = movedWords(before, after, minGroup);
      const numbers = (words?.match(/\d+/g) ?? []).map(Number);
      const [total = 0, ...counts] = numbers;
      expect(numbers.every((number) => number >= minGroup)).toBe(true);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    }),
  );
});
