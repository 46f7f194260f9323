import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandText, joinWords, readReference, splitWords } from '../../../src/core/slack/commands/command-text.ts';
import { tokensOf } from '../../../src/features/ask/words/tokens.ts';
import { propertyRuns } from '../../support/property-runs.ts';

describe('the text of a command as Slack delivers it', () => {
  test.each([
    ['r&amp;d/web', ['r&d/web']],
    ['“R&amp;D web” csv', ['R&D web', 'csv']],
    ['a &lt;b&gt; c', ['a', '<b>', 'c']],
    // What a person typed as an entity stays what they typed.
    ['r&amp;amp;d', ['r&amp;d']],
    ['&amp;lt;b', ['&lt;b']],
    ['r&d', ['r&d']],
    ['&copy;', ['&copy;']],
    ['`7d`', ['7d']],
    ['people `last week`', ['people', 'last week']],
    ['```7d```', ['7d']],
    ['`<@U123|mia>`', ['<@U123>']],
    ['`r&amp;d/web` csv', ['r&d/web', 'csv']],
  ])('%s is read as it was typed', (text, words) => expect(splitWords(text)).toEqual(words));

  test.each(['&lt;@U123&gt;', '&lt;@U123|mia&gt;', '&lt;#C123&gt;', '&lt;!subteam^S123&gt;', '“&lt;@U123&gt;”'])(
    '%s, which a person typed, never becomes a reference',
    (text) => {
      for (const word of splitWords(text)) expect(readReference(word)).toBeUndefined();
    },
  );

  test('an e-mail in angle brackets, as mail programs copy it, is that e-mail', () => {
    const [word = ''] = splitWords('&lt;mia@acme.example&gt;');
    expect(readReference(word)).toEqual({ kind: 'email', email: 'mia@acme.example' });
  });

  test('of a button comes back word for word, whatever signs and entities it holds', () => {
    const part = fc.constantFrom('a', '&', '&amp;', '&lt;', '&gt;', '<', '>', '@U1', ' ', 'amp;', '`', '"');
    const word = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(word, word, (one, other) => {
        const text = commandText`filter ${one} csv ${other}`?.text;
        fc.pre(text !== undefined);
        expect(splitWords(text ?? '')).toEqual(['filter', one, 'csv', other]);
      }),
      { numRuns: propertyRuns(3_000) },
    );
    for (const name of ['r&d', 'r&amp;d', '&lt;b&gt;', '&lt;@U1&gt;', 'R&D web'])
      expect(splitWords(joinWords(['show', name]))).toEqual(['show', name]);
  });
});

test('a question holds the signs that were typed, and no reference that was not one', () => {
  const words = tokensOf('how much did r&amp;d use, &lt;@U123&gt; or <@U456>?').map(({ typed }) => typed);
  expect(words).toEqual(expect.arrayContaining(['r', '&', 'd', '<@U456>']));
  expect(words).not.toEqual(expect.arrayContaining([expect.stringMatching(/amp|^[lg]t$|<@U123/)]));
});
