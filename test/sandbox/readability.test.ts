import { expect, test } from 'vitest';
import { readabilityOf, syllablesOf } from '../../src/sandbox/gallery/readability.ts';

test.for([
  ['credits', 2],
  ['use', 1],
  ['organization', 5],
  ['table', 2],
  ['asked', 1],
] as const)('%s has %d syllables', ([word, count]) => {
  expect(syllablesOf(word)).toBe(count);
});

test('short words in short sentences score as easier than long ones', () => {
  const easy = readabilityOf(['You used the most on Friday. It was a busy day.']);
  const hard = readabilityOf([
    'The organization’s consumption of credits considerably exceeded the anticipated quantity on Friday.',
  ]);
  expect(easy.grade).toBeLessThan(4);
  expect(hard.grade).toBeGreaterThan(12);
});

test('labels, ids, code and addresses do not count as sentences', () => {
  expect(readabilityOf(['[Review]', '`ses_1a2b`', 'mia@acme.example', '44,889,090']).words).toBe(0);
});
