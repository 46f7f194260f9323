import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReplace } from '../../../src/core/base/privacy/replace-identifiers.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const MIA = {
  email: ['mia@acme.example', 'mia.old@acme.example'],
  slackId: ['U0MIA'],
  userId: ['u7'],
  name: ['Mia Chen', 'Jo'],
};
const replace = createReplace('k7m2', MIA);

describe('a pseudonym', () => {
  test.each([
    ['<@U0MIA> asked', '<@U0ERASEDK7M2> asked'],
    ['mail MIA@Acme.example, please', 'mail erased-k7m2@erased.invalid, please'],
    ['mia.old@acme.example', 'erased-k7m2-2@erased.invalid'],
    ['a=mia%40acme.example&b', 'a=erased-k7m2@erased.invalid&b'],
    ['["u7","mia@acme.example",5]', '["erased-k7m2","erased-k7m2@erased.invalid",5]'],
    ['u7', 'erased-k7m2'],
    ['Mia Chen’s budget', 'Erased person k7m2’s budget'],
    ['heads-up:me-U0MIA:2026-03-01', 'heads-up:me-U0ERASEDK7M2:2026-03-01'],
  ])('replaces each way of naming the person: %s', (text, replaced) => {
    expect(replace(text)).toBe(replaced);
  });

  test.each([
    'xmia@acme.example',
    'mia@acme.example.org',
    'U0MIA2',
    'u77',
    'u7 days',
    'Mia Chenoweth',
    'Jo',
    'mia chen',
  ])('leaves other people alone: %s', (text) => {
    expect(replace(text)).toBe(text);
  });

  test('keeps JSON valid that contains the person, and removes the person from it', () => {
    const named = fc.constantFrom(...MIA.email, ...MIA.slackId, 'Mia Chen', '<@U0MIA>', 'x mia@acme.example y');
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        named,
        fc.string(),
        fc.integer(),
        fc.array(tie('any')),
        fc.dictionary(named, tie('any')),
      ),
    })).any;
    fc.assert(
      fc.property(value, (before) => {
        const after = replace(JSON.stringify(before));
        expect(() => JSON.parse(after)).not.toThrow();
        expect(after).not.toMatch(/mia(\.old)?@acme\.example(?![\w.])|\bU0MIA\b|Mia Chen(?!\w)/);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
