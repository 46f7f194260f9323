import { expect, test } from 'vitest';
import { createSpelling } from '../../../src/core/base/text/spelling.ts';

const spelling = createSpelling();
for (const word of ['october', 'limit', 'week', 'weeks', 'usage']) spelling.learn(word);

test.each([
  ['ocotber', 'october'],
  ['octobr', 'october'],
  ['limitt', 'limit'],
  ['linit', 'limit'],
  ['weke', 'week'],
])('%s was meant to be %s', (typed, meant) => expect(spelling.correct(typed)).toBe(meant));

test.each(['october', 'weak', 'zebra', 'lim', 'dimit', 'liimitt', 'limit5', ''])('“%s” is left as it is', (typed) =>
  expect(spelling.correct(typed)).toBeUndefined(),
);
