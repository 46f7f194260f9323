import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findInactive } from '../../../../src/core/figures/measures/inactive.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const emailOf = (number: number) => `p${number}@acme.example`;
const identity = (number: number) => ({ key: emailOf(number), email: emailOf(number), userId: `u${number}` });
const people = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 40 });

test('everyone known is either active or listed as inactive, once', () => {
  fc.assert(
    fc.property(people, people, people, people, (withRows, withLimit, active, idle) => {
      const known = { withRows: withRows.map(identity), withLimit: withLimit.map(emailOf) };
      const rows = [
        ...active.map((one) => ({ ...identity(one), activeDays: 1 })),
        ...idle.filter((one) => !active.includes(one)).map((one) => ({ ...identity(one), activeDays: 0 })),
      ];
      const { knownCount, inactive } = findInactive(known, rows);
      const everyone = new Set([...withRows, ...withLimit, ...active]);
      expect(knownCount).toBe(everyone.size);
      expect(inactive.map(({ key }) => key)).toEqual(
        [...everyone]
          .filter((one) => !active.includes(one))
          .map(emailOf)
          .toSorted(),
      );
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

test('a person who is active under another e-mail is not inactive', () => {
  const both = { ...identity(1), otherEmails: [emailOf(2)] };
  const known = { withRows: [both], withLimit: [emailOf(2)] };
  expect(findInactive(known, [{ ...identity(2), activeDays: 3 }])).toEqual({ knownCount: 1, inactive: [] });
});

test('a person who is active without an e-mail on that day is not inactive', () => {
  const known = { withRows: [identity(1), identity(2)], withLimit: [emailOf(1)] };
  const active = { key: 'id:u1', email: undefined, userId: 'u1', activeDays: 1 };
  const { inactive } = findInactive(known, [active]);
  expect(inactive.map(({ key }) => key)).toEqual([emailOf(2)]);
});
