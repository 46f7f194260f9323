import { expect, test } from 'vitest';
import { valueBefore } from '../../../src/features/limits/core/undo-facts.ts';

const END = '2026-03-05T09:00:00.000Z';
const entry = (requestId: string, value: number, until: string | null = null) => ({ requestId, value, until });

test.each([
  ['the only value', [entry('abc', 700)], 'unknown'],
  ['a value after another one', [entry('old', 500), entry('abc', 700)], 500],
  ['a raise after another value', [entry('old', 500), entry('abc', 700, END)], 500],
  ['a value after a temporary raise', [entry('old', 500), entry('up', 600, END), entry('abc', 700)], 'unknown'],
  ['a value that another request replaced', [entry('old', 500), entry('abc', 700), entry('new', 800)], 'changed'],
  ['a value that is not there', [entry('old', 500)], 'changed'],
  ['no value', [], 'changed'],
])('%s has this limit before it', (_what, entries, before) => {
  expect(valueBefore('abc', entries)).toBe(before);
});
