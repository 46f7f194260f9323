import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatRanges } from '../../../src/core/base/text/numbers.ts';
import { MAX_IMPORT_LINES, readList } from '../../../src/features/limits/import/parse.ts';
import { WORST_KINDS, worstText } from '../../support/slack/worst-texts.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('a list of limits', () => {
  test('is read with a heading, quotes, other separators, a byte order mark and empty lines', async () => {
    const list = await readList(
      '\uFEFFemail,limit\r\n"mia@acme.example","5,000"\r\n\r\nMAX@Acme.example;7\nnora@acme.example\t8.5\n',
    );
    expect(list).toEqual({
      lines: [
        { line: 2, email: 'mia@acme.example', amount: 5000 },
        { line: 4, email: 'max@acme.example', amount: 7 },
        { line: 5, email: 'nora@acme.example', amount: 8.5 },
      ],
      invalid: [],
      repeated: [],
      conflicting: [],
      count: 3,
    });
  });

  test('names each line that cannot be read, with the reason', async () => {
    const { invalid, lines } = await readList(
      'mia@acme.example\nnobody,5\na@b.example,-1\na@b.example,5,6\na@b.example,7,\na@b.example,4,000,000\n',
    );
    expect(invalid).toEqual([
      { line: 1, why: 'no limit' },
      { line: 2, why: 'no e-mail' },
      { line: 3, why: 'no valid limit' },
      { line: 4, why: 'more than an e-mail and a limit' },
      { line: 6, why: 'write the amount without commas, such as 4000000 or 4m' },
    ]);
    expect(lines).toEqual([{ line: 5, email: 'a@b.example', amount: 7 }]);
  });

  test('refuses an amount that could be two, and names both', async () => {
    const { invalid, lines } = await readList(
      'a@b.example,500.000\nc@d.example;"1,250m"\ne@f.example\t5\u202f000\u202f000\ng@h.example,0.500m\n',
    );
    expect(invalid).toEqual([
      { line: 1, why: '“500.000” could mean 500,000 or 500. Type 500,000 or 500.' },
      { line: 2, why: '“1,250m” could mean 1,250,000,000 or 1,250,000. Type 1,250,000,000 or 1,250,000.' },
    ]);
    expect(lines.map(({ amount }) => amount)).toEqual([5_000_000, 500_000]);
  });

  test('counts a repeated line once, and contradicting lines not at all', async () => {
    const { lines, repeated, conflicting } = await readList(
      'a@b.example,5\nA@b.example,5\nc@d.example,1\nc@d.example,2\n',
    );
    expect(lines).toEqual([{ line: 1, email: 'a@b.example', amount: 5 }]);
    expect(repeated).toEqual([2]);
    expect(conflicting).toEqual([3, 4]);
  });

  test('that is too long is counted to its end', async () => {
    const text = Array.from({ length: MAX_IMPORT_LINES + 7 }, (_, index) => `p${index}@acme.example,1`).join('\n');
    const { count, lines } = await readList(text);
    expect([count, lines.length]).toEqual([MAX_IMPORT_LINES + 7, MAX_IMPORT_LINES]);
  });

  test('assigns every line to one category, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 300 }), async (text) => {
        const { lines, invalid, repeated, conflicting, count } = await readList(text);
        expect(lines.length + invalid.length + repeated.length + conflicting.length).toBe(count);
        expect(lines.every(({ amount }) => amount >= 0)).toBe(true);
      }),
    );
  });
});

test('line numbers are shown as ranges, up to a limit', () => {
  expect(formatRanges([3, 4, 5, 9], 10)).toBe('3–5, 9');
  expect(formatRanges([1, 3, 5, 7, 8], 2)).toBe('1, 3 and 3 more');
  expect(formatRanges([], 2)).toBe('');
});

test.each(WORST_KINDS)('a line of 64 KB of %s is read in no time', async (kind) => {
  const threadMs = () => (process.threadCpuUsage().user + process.threadCpuUsage().system) / 1_000;
  const tookMs: number[] = [];
  // Measured in this thread's time, since a busy machine runs other programs first; and three times, since it may have
  // to collect garbage of others.
  for (let round = 0; round < 3; round += 1) {
    const startedMs = threadMs();
    const { invalid } = await readList(`email,limit\n${worstText(kind)},5\n${worstText(kind)}`);
    tookMs.push(threadMs() - startedMs);
    expect(invalid.length).toBeGreaterThan(0);
  }
  expect(Math.min(...tookMs)).toBeLessThan(250);
});
