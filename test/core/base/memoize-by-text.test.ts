import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoizeByJson, memoizeByText } from '../../../src/core/base/memoize-by-text.ts';

function countedReader(maxLength: number) {
  const read: string[] = [];
  const readOnce = memoizeByText((text) => {
    read.push(text);
    return { text };
  }, maxLength);
  return { read, readOnce };
}

test('a text is read once, and its result is shared', () => {
  const { read, readOnce } = countedReader(6_000);
  expect(readOnce('["u1",12]')).toBe(readOnce(['["u1"', '12]'].join(',')));
  expect(read).toEqual(['["u1",12]']);
});

test('the texts that were used longest ago are forgotten when the others take the room', () => {
  const { read, readOnce } = countedReader(600);
  const texts = Array.from({ length: 61 }, (_, number) => String(number).padStart(10, '-'));
  for (const text of texts.slice(0, 60)) readOnce(text);
  readOnce(texts[0] ?? '');
  readOnce(texts[60] ?? '');
  read.length = 0;
  readOnce(texts[0] ?? '');
  readOnce(texts[1] ?? '');
  expect(read).toEqual([texts[1]]);
});

test('a text longer than a sixtieth of the room pushes nothing out', () => {
  const { read, readOnce } = countedReader(600);
  readOnce('short');
  readOnce('x'.repeat(11));
  readOnce('x'.repeat(11));
  readOnce('short');
  expect(read).toEqual(['short', 'x'.repeat(11), 'x'.repeat(11)]);
});

test('an error is thrown to each caller', () => {
  const parse = memoizeByText((text): object => JSON.parse(text), 1_000);
  expect(() => parse('{')).toThrow(SyntaxError);
  expect(() => parse('{')).toThrow(SyntaxError);
});

test('the result is always that of the same text', () => {
  const readOnce = memoizeByText((text) => ({ text }), 1_200);
  const isRight = (text: string) => readOnce(text).text === text;
  fc.assert(fc.property(fc.string({ maxLength: 30 }), isRight));
});

test('an input with the same contents has the result that was computed first', () => {
  const computed: number[][] = [];
  const sumOnce = memoizeByJson(({ amounts }: { amounts: number[] }) => {
    computed.push(amounts);
    return { sum: amounts.reduce((sum, amount) => sum + amount, 0) };
  }, 2);
  expect(sumOnce({ amounts: [1, 2] })).toBe(sumOnce({ amounts: [1, 2] }));
  expect(sumOnce({ amounts: [2, 2] })).toEqual({ sum: 4 });
  expect(computed).toEqual([
    [1, 2],
    [2, 2],
  ]);
});
