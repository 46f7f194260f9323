import { expect, test } from 'vitest';
import { decodeUsers, encodeUser } from '../../../src/core/analytics/reading/user-codec.ts';
import { userRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';

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
  expect(values).toHaveLength(22);
  const another = (value: unknown) => (typeof value === 'number' ? '12' : 12);
  const wrong = values.flatMap((value, at) =>
    [{}, [7], true, ...(value === null ? [] : [another(value)])].map((instead) => ({ at, instead })),
  );
  // The id, the day and the languages are never unknown.
  const missing = [0, 2, 21].map((at) => ({ at, instead: null }));
  const rows = [...wrong, ...missing].map(({ at, instead }) => values.with(at, instead));
  for (const each of [...rows, values.slice(0, 21), row])
    expect(() => decodeUsers(JSON.stringify([each]))).toThrow('Invalid input');
});
