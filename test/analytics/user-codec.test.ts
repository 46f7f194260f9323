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
