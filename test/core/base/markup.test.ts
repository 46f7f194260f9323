import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, markup, mention, plain, mrkdwnOf, joinMarkup } from '../../../src/core/base/text/markup.ts';
import { formatNumber, formatShare } from '../../../src/core/base/text/numbers.ts';
import { didYouMean, readReference, splitWords } from '../../../src/core/slack/commands/command-text.ts';
import { anyCharacter } from '../../support/any-character.ts';

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '<!channel>',
    '<@U123>',
    '<https://evil.example|click>',
    '```',
    '*bold*',
    '&lt;!here&gt;',
    '\u202Egpj.exe',
    'a\nb',
  ),
);

describe('text from users', () => {
  test('can neither mention, nor link, nor start a format, nor break the line', () => {
    fc.assert(
      fc.property(fc.array(hostile), (parts) => {
        const escaped = mrkdwnOf(markup`${parts.join('')}`);
        expect(escaped).not.toMatch(/[<>*~`\n\r\u202A-\u202E]/u);
        expect(escaped.replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
      }),
    );
  });

  test('keeps its meaning', () => {
    expect(mrkdwnOf(markup`${'R&D <team>'}`)).toBe('R&amp;D &lt;team&gt;');
    expect(plain('evil\u202Etxt.exe\n<!channel>')).toBe('evil txt.exe <!channel>');
  });

  test('is escaped when it is put into markup, and trusted markup is not', () => {
    expect(mrkdwnOf(markup`*${'<!here>'}* by ${mention('U123')}`)).toBe('*&lt;!here&gt;* by <@U123>');
    expect(mrkdwnOf(mention('U1> <!channel'))).toBe('U1&gt; &lt;!channel');
  });

  test('is escaped once, however often it is put into other markup', () => {
    const once = markup`${'<!channel> & co'}`;
    expect(mrkdwnOf(markup`${joinMarkup([once, markup`${once}`], ' ')}`)).toBe(
      '&lt;!channel&gt; &amp; co &lt;!channel&gt; &amp; co',
    );
  });

  test('stays unchanged between backticks, so that no character starts a format', () => {
    expect(mrkdwnOf(markup`run \`${'curl *.acme.example ~/.ssh'}\``)).toBe('run `curl *.acme.example ~/.ssh`');
    fc.assert(
      fc.property(fc.array(hostile), (parts) => {
        const shown = mrkdwnOf(markup`\`${parts.join('')}\``);
        expect(shown.slice(1, -1)).not.toMatch(/[<>`\n\r\u202A-\u202E]/u);
      }),
    );
  });

  test('is cut without breaking a character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, length) => {
        const cut = clip(text, length);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });

  test('numbers have thousands separators, and shares are percentages', () => {
    expect([formatNumber(1_234_567.8), formatNumber(2.25), formatNumber(0)]).toEqual(['1,234,568', '2.3', '0']);
    expect([formatShare(1, 3), formatShare(1, 1000), formatShare(0, 0)]).toEqual(['33%', '<1%', '–']);
  });

  test('a share is shown as none or all only if it is exactly that, and never because of decimal noise', () => {
    const count = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(count, count, (part, rest) => {
        const share = formatShare(part, part + rest);
        expect(share).not.toBe('0%');
        expect(share).not.toBe('100%');
        expect([formatShare(0, part), formatShare(part, part)]).toEqual(['0%', '100%']);
      }),
    );
    expect(formatShare(0.6, 0.1 + 0.2 + 0.3)).toBe('100%');
    expect(formatShare(0.1 + 0.2 - 0.3, 100)).toBe('0%');
  });
});

describe('the words after a command', () => {
  test('may hold smart quotes and dashes', () => {
    expect(splitWords('people “last week” 2026–03–01…2026–03–07')).toEqual([
      'people',
      'last week',
      '2026-03-01..2026-03-07',
    ]);
  });

  test('hold each token that Slack escaped as one word', () => {
    expect(
      splitWords('7d <@U123|Max Weber> <mailto:Mia@acme.example|Mia@acme.example> <!subteam^S1|@web team>'),
    ).toEqual(['7d', '<@U123>', 'Mia@acme.example', '<!subteam^S1>']);
  });

  test('name people, groups, channels and e-mails', () => {
    expect(readReference('<@U123>')).toEqual({ kind: 'person', slackId: 'U123' });
    expect(readReference('<!subteam^S1>')).toEqual({ kind: 'group', slackId: 'S1' });
    expect(readReference('<#C1>')).toEqual({ kind: 'channel', slackId: 'C1' });
    expect(readReference('Mia@Acme.example')).toEqual({ kind: 'email', email: 'mia@acme.example' });
    expect(readReference('mia')).toBeUndefined();
  });

  test('are corrected when they are close to a known one', () => {
    expect(didYouMean('sumary', ['summary', 'models'])).toBe('summary');
    expect(didYouMean('yesteday', ['yesterday', '7d'])).toBe('yesterday');
    expect(didYouMean('xylophone', ['summary', 'models'])).toBeUndefined();
  });

  test('no text breaks the splitter', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(splitWords(text).every((word) => typeof word === 'string')).toBe(true);
      }),
    );
  });
});
