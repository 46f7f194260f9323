import { expect, test } from 'vitest';
import { decodeUsers, encodeUser } from '../../src/analytics/reading/user-codec.ts';
import { userRow } from '../../src/platform/endpoints/analytics-rows.ts';

const row = userRow.parse({
  user_id: 'u1',
  user_email: 'mia@acme.example',
  date: '2026-03-01',
  tool_calls: 12,
  billable_tokens: 4_200_000,
});

test('a stored row of people is read as it was, also if a later version added values to it', () => {
  const stored = encodeUser(row);
  expect(decodeUsers(`[${stored}]`)).toEqual([row]);
  const later = JSON.stringify([...JSON.parse(stored), 'a value of a later version', 7]);
  expect(decodeUsers(`[${later}]`)).toEqual([row]);
});

test('a stored row with a value of another kind is not read, whichever it is', () => {
  const values: unknown[] = JSON.parse(encodeUser(row));
  const decodeWith = (at: number, wrong: unknown) =>
    decodeUsers(JSON.stringify([values.map((value, place) => (place === at ? wrong : value))]));
  expect(values).toHaveLength(22);
  for (const at of values.keys()) {
    for (const wrong of [{}, [7], true]) expect(() => decodeWith(at, wrong)).toThrow();
    const isNumber = typeof values[at] === 'number';
    if (values[at] !== null) expect(() => decodeWith(at, isNumber ? '12' : 12)).toThrow();
  }
  // The id, the day and the languages are never unknown.
  for (const at of [0, 2, 21]) expect(() => decodeWith(at, null)).toThrow();
  expect(() => decodeUsers(JSON.stringify([values.slice(0, 21)]))).toThrow();
  expect(() => decodeUsers(JSON.stringify([row]))).toThrow();
});
