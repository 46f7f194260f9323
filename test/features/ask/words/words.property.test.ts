import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMessageText } from '../../../../src/features/ask/words/read-message.ts';
import { directoryOf } from '../../../../src/features/ask/subject-words.ts';
import type { Reading } from '../../../../src/features/ask/messages/reading.ts';
import { readPeriod } from '../../../../src/core/base/time/read-period.ts';
import { parseUsage } from '../../../../src/features/usage/usage-command.ts';
import { parseComparison } from '../../../../src/features/usage/compare/comparison-words.ts';
import { isComparison } from '../../../../src/features/usage/usage-command.ts';
import { splitWords } from '../../../../src/core/slack/commands/command-text.ts';
import { GOLD_NOW, meaningOf } from '../../../support/ask/gold.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const TEAMS = ['web', 'data'].map((handle, index) => ({ id: `S${index + 1}`, handle, members: [], emails: [] }));
const NAMES = directoryOf(
  TEAMS,
  new Map([
    ['dana@acme.example', 'Dana'],
    ['max@acme.example', 'Max'],
  ]),
);
const read = (text: string) => readMessageText(text, NAMES, GOLD_NOW);
const lineOf = (reading: Reading) =>
  reading.kind === 'answer' ? `${reading.line.command} ${reading.line.text}`.trim() : undefined;

/** Words with their meaning in a command line; the empty ones are left out of the question. */
const SIDES = [
  ['credits', ''],
  ['models', 'models'],
  ['tools', 'tools'],
  ['pull requests', 'productivity'],
] as const;
const PERIODS = [
  ['last week', 'last week'],
  ['in october', 'october'],
  ['since monday', 'since monday'],
  ['in the last 10 days', '10d'],
  ['from oct 1 to oct 7', '2026-10-01..2026-10-07'],
  ['in q3', 'q3'],
  ['on nov 5', '2026-11-05'],
  ['month to date', 'this month'],
] as const;
const SUBJECTS = [
  ['my', 'me'],
  ['our', ''],
  ['<!subteam^S1>', '<!subteam^S1>'],
  ['dana@acme.example', 'dana@acme.example'],
  ["dana's", 'dana@acme.example'],
] as const;

describe('a question of known parts', () => {
  test('means the same in every order of its parts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SIDES),
        fc.constantFrom(...PERIODS),
        fc.constantFrom(...SUBJECTS),
        fc.boolean(),
        ([side, sideWord], [period, periodWord], [subject, subjectWord], isPeriodFirst) => {
          const text = isPeriodFirst ? `${period}, ${subject} ${side}` : `${subject} ${side} ${period}`;
          const expected = meaningOf(`/usage ${sideWord} ${periodWord} ${subjectWord}`);
          const line = lineOf(read(text));
          expect([text, line && meaningOf(line)]).toEqual([text, expected]);
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  test('is read as a command that understands it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SIDES),
        fc.constantFrom(...PERIODS),
        fc.constantFrom(...SUBJECTS),
        fc.constantFrom('', 'how much ', 'show me ', 'please, ', 'hi! '),
        ([side], [period], [subject], opening) => {
          const line = lineOf(read(`${opening}${subject} ${side} ${period}`));
          const words = splitWords((line ?? '').replace('/usage', ''));
          const parsed = isComparison(words) ? parseComparison(words, GOLD_NOW) : parseUsage(words, GOLD_NOW);
          expect(parsed.kind).toBe('run');
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });
});

const STRANGE = fc.constantFrom(
  'zebra',
  'except',
  'without',
  'not',
  'bob',
  'sales',
  'euros',
  'sprint',
  'tomorrow',
  'наш',
  'wieviel',
  '非常',
  '@nobody',
  'salary',
);

test('a word that could change the meaning keeps a question from being answered', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SIDES),
      fc.constantFrom(...PERIODS),
      fc.constantFrom('my', 'our'),
      STRANGE,
      fc.nat(4),
      ([side], [period], subject, strange, at) => {
        const words: string[] = [subject, side, period];
        words.splice(Math.min(at, words.length), 0, strange);
        const text = words.join(' ');
        const line = lineOf(read(text));
        // An unknown name is passed on, so that the command refuses it.
        expect([text, line?.includes('@nobody') === true ? undefined : line]).toEqual([text, undefined]);
      },
    ),
    { numRuns: propertyRuns(500) },
  );
});

const HIDDEN = ['\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF', '\u00AD', '\u202E', '\u202C', '\u200F'];

describe('any text', () => {
  test('with characters that can’t be seen means what it shows', () => {
    fc.assert(
      fc.property(fc.constantFrom(...HIDDEN), fc.nat(30), (sign, at) => {
        const text = 'how much did I use last week';
        const marked = `${text.slice(0, at)}${sign}${text.slice(at)}`;
        expect(lineOf(read(marked))).toBe('/usage last week me');
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('is read without a fault and in bounded time', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.emailAddress(),
      fc.constantFrom(
        'usage',
        'last',
        'week',
        '@web',
        '<@U1>',
        '<mailto:a@b.example|a@b.example>',
        'acme/web',
        '1/2',
        '..',
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const startedMs = performance.now();
        const { kind } = read(words.join(' ').slice(0, 300));
        expect(['answer', 'unclear', 'ambiguous', 'hello', 'unknown']).toContain(kind);
        expect(performance.now() - startedMs).toBeLessThan(500);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });
});

test.each([
  'what share did I use in october?',
  'will I run out last month?',
  'how much of the budget was left in october?',
])('“%s” is about other days than the command shows, so it is not answered with figures', (text) => {
  expect(read(text).kind).not.toBe('answer');
});

test.each([
  ['raise my limit to 1,250m', '“1,250m” could mean 1,250,000,000 or 1,250,000. Type 1,250,000,000 or 1,250,000.'],
  ['please set my limit to 1.250', '“1.250” could mean 1,250 or 1.25. Type 1,250 or 1.25.'],
  ['would 5.000 per month be enough for the web team?', '“5.000” could mean 5,000 or 5. Type 5,000 or 5.'],
])('“%s” has an amount that could be two, so both are named', (text, sentence) => {
  expect(read(text)).toEqual({ kind: 'ambiguous', sentence });
});

test.each(['5 000 000', '5,000,000', '5’000’000', '5.000.000', '5 million', '5.0m', '5_000_000'])(
  '“raise my limit to %s” asks for five million',
  (amount) => {
    expect(lineOf(read(`raise my limit to ${amount}`))).toBe('/limits request 5000000');
  },
);

test.each([
  ['how much did we use from oct 7 to oct 1?', 'oct 1 to oct 7'],
  ['how much did we use from oct 1 to oct 7?', 'oct 1 to oct 7'],
])('“%s” is about the days between its dates', (text, days) => {
  const [first, last] = days
    .split(' to ')
    .map((day) => readPeriod(day.split(' '), GOLD_NOW.toISOString().slice(0, 10))?.requested.first);
  const { line } = { line: { text: '' }, ...read(text) };
  const words = splitWords(line.text);
  const period = words
    .map((_, index) => readPeriod(words.slice(index), GOLD_NOW.toISOString().slice(0, 10)))
    .find((one) => one !== undefined);
  expect(period?.requested).toMatchObject({ first, last });
});
