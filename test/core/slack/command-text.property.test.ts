import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseControls } from '../../../src/features/controls/controls-command.ts';
import { parseDigest } from '../../../src/features/digests/digest-command.ts';
import { parseReadiness } from '../../../src/features/readiness/readiness-command.ts';
import {
  commandText,
  correctionOf,
  joinWords,
  plainWord,
  splitWords,
} from '../../../src/core/slack/commands/command-text.ts';
import { parseUsage } from '../../../src/features/usage/usage-command.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const foreign = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'unwatch',
    'csv',
    '" csv',
    '“ watch ”',
    `'" from:3`,
    '<@U1|max>',
    'a b',
    '\u0000',
    '…',
    '<mailto:a@b.c>',
  ),
);

describe('the words on a button that runs a command', () => {
  test('keep an external text as one word, or leave it out', () => {
    fc.assert(
      fc.property(foreign, foreign, (one, other) => {
        const text = commandText`filter ${one} csv ${other} from:${3}`?.text;
        const words = ['filter', one, 'csv', other, 'from:3'];
        expect(text === undefined ? words : splitWords(text)).toEqual(words);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  test('may contain ordinary names, with spaces and quotes too', () => {
    for (const name of ['acme/web', 'two words', `Max’s "own"`.replace('’', '-'), '']) {
      expect(splitWords(commandText`show ${name}`?.text ?? '')).toEqual(['show', name]);
    }
    expect(commandText`watch only ${'modelPolicy'}`?.text).toBe('watch only modelPolicy');
    expect(commandText`${plainWord('7d')}`.text).toBe('7d');
  });

  test('never begin with an external text', () => {
    expect(() => commandText`${'unwatch'}`).toThrow(RangeError);
    expect(() => commandText` ${'unwatch'} csv`).toThrow(RangeError);
    expect(() => plainWord('7d csv')).toThrow(RangeError);
  });
});

test('words are joined so that they are read back the same', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', ' b', '"', "'", '/') }), { maxLength: 5 });
  fc.assert(
    fc.property(words, (typed) => {
      expect(splitWords(joinWords(typed))).toEqual(typed);
    }),
  );
});

describe('a correction', () => {
  const now = new Date('2026-03-02T07:00:00Z');
  const usage = (words: readonly string[]) => parseUsage(words, now);

  test('is corrected again until it is understood', () => {
    const corrected = (text: string) => correctionOf(usage(splitWords(text)), usage)?.text;
    expect(corrected('pople lastweek')).toBe('people last week');
    expect(corrected('sumary yesterdy mee')).toBe('summary yesterday me');
    expect(corrected('pople xyzzy')).toBeUndefined();
    expect(corrected('pople credits')).toBeUndefined();
  });

  test.each([
    ['/usage', usage],
    ['/digest', (words: readonly string[]) => parseDigest(words, now)],
    ['/controls', (words: readonly string[]) => parseControls(words, now)],
    ['/readiness', parseReadiness],
  ])('of %s is understood, whatever was typed', (_command, parse) => {
    const word = fc.constantFrom(
      ...'pople people lastweek last week 7d me diff 9 0 shw show now nw watch wtch only by hstory csv help hlp'.split(
        ' ',
      ),
      '#general',
      '"last week"',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (typed) => {
        const corrected = correctionOf(parse(typed), parse);
        expect(corrected ? parse(splitWords(corrected.text)).kind : 'run').toBe('run');
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('ends, even if one leads to another in a circle', () => {
    const endless = () => ({ kind: 'misunderstood', corrected: 'again' }) as const;
    expect(correctionOf(endless(), endless)).toBeUndefined();
  });
});
