import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NAMED_TWICE, NOT_NAMED, outcomesOf } from '../../../src/features/limits/apply/outcomes.ts';
import { endingOf, PERSON_STATES } from '../../../src/features/limits/core/person-states.ts';

const wanted = [
  { email: 'mia@acme.example', value: 700 },
  { email: 'max@acme.example', value: 5 },
];

describe('an answer of the platform', () => {
  test('that names all people as set, in any letter case, sets all of them', () => {
    const updated = [
      { email: 'MIA@Acme.example ', limit: 700 },
      { email: 'max@acme.example', limit: 5 },
    ];
    expect([...outcomesOf(wanted, { updated, errors: [] }).values()]).toEqual([
      { state: 'set', value: 700 },
      { state: 'set', value: 5 },
    ]);
  });

  test('that sets another value than requested is shown with its actual value', () => {
    const updated = [{ email: 'mia@acme.example', limit: 650 }];
    expect(outcomesOf(wanted, { updated, errors: [] }).get('mia@acme.example')).toEqual({ state: 'set', value: 650 });
  });

  test('is unknown for people that it does not name, names twice, or names in both lists', () => {
    expect([...outcomesOf(wanted, { updated: [], errors: [] }).values()]).toEqual([
      { state: 'unknown', error: NOT_NAMED },
      { state: 'unknown', error: NOT_NAMED },
    ]);
    const twice = [
      { email: 'mia@acme.example', limit: 700 },
      { email: 'Mia@acme.example', limit: 7 },
    ];
    const both = { updated: [...twice, { email: 'max@acme.example', limit: 5 }], errors: [] };
    expect(outcomesOf(wanted, both).get('mia@acme.example')).toEqual({ state: 'unknown', error: NAMED_TWICE });
    const errors = [{ email: 'MAX@acme.example', error: 'No such seat' }];
    expect(outcomesOf(wanted, { ...both, errors }).get('max@acme.example')).toEqual({
      state: 'unknown',
      error: 'The platform’s answer names them both as set and as not set: No such seat',
    });
  });

  test('keeps the platform’s own text, and marks its absence', () => {
    const errors = [
      { email: 'mia@acme.example', error: 'User not found' },
      { email: 'max@acme.example', error: '' },
    ];
    expect([...outcomesOf(wanted, { updated: [], errors }).values()]).toEqual([
      { state: 'refused', error: 'User not found' },
      { state: 'refused', error: 'The platform gives no reason.' },
    ]);
  });

  test('has exactly one outcome for each requested person, and none for others, whatever it contains', () => {
    const email = fc.constantFrom('mia@acme.example', 'MAX@acme.example', 'stranger@acme.example', '');
    fc.assert(
      fc.property(
        fc.array(fc.record({ email, limit: fc.nat(3) })),
        fc.array(fc.record({ email, error: fc.string() })),
        (updated, errors) => {
          const outcomes = outcomesOf(wanted, { updated, errors });
          expect([...outcomes.keys()]).toEqual(wanted.map((one) => one.email));
          for (const [key, outcome] of outcomes) {
            const said = updated.filter((one) => one.email.toLowerCase() === key).map(({ limit }) => limit);
            expect(outcome.state === 'set' ? said.some((limit) => limit === outcome.value) : true).toBe(true);
          }
        },
      ),
    );
  });
});

test('a request is applied only when the platform confirmed it for every person who was not left out', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PERSON_STATES), { minLength: 1 }), (states) => {
      const sent = states.filter((state) => state !== 'left_out');
      expect(endingOf(states) === 'applied').toBe(sent.every((state) => state === 'set'));
      expect(!sent.includes('unknown') || endingOf(states) === 'outcome_unknown').toBe(true);
    }),
  );
});
