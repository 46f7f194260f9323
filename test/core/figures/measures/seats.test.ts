import { expect, test } from 'vitest';
import { findUnusedSeats } from '../../../../src/core/figures/measures/seats.ts';

const PERIOD = { first: '2026-10-21', last: '2026-11-19' };
const seat = (name: string, createdAt: string | undefined) => ({
  email: `${name}@acme.example`,
  createdAt: createdAt === undefined ? undefined : new Date(createdAt),
  lastSignInAt: undefined,
});
const user = (name: string, otherEmails: string[] = []) => ({
  key: `${name}@acme.example`,
  email: `${name}@acme.example`,
  userId: `user_${name}`,
  otherEmails,
});

test('a seat is unused if its person has no credits by any e-mail, and it is older than the period', () => {
  const members = [
    seat('zoe', '2026-01-01T00:00:00Z'),
    seat('used', '2026-01-01T00:00:00Z'),
    seat('alias', '2026-01-01T00:00:00Z'),
    seat('new', '2026-10-21T00:00:00Z'),
    seat('ageless', undefined),
    seat('idle', '2026-10-20T23:59:59Z'),
  ];
  const { unused, days } = findUnusedSeats(members, [user('used'), user('main', ['alias@acme.example'])], PERIOD);
  expect(unused.map(({ email }) => email)).toEqual(['idle@acme.example', 'zoe@acme.example']);
  expect(days).toBe(30);
});
