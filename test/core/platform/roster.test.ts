import { describe, expect, test } from 'vitest';
import { startScript } from './script-server.ts';
import { createTestClient, failureOf } from './test-client.ts';

const member = (email: unknown, more: Record<string, unknown> = {}) => ({
  id: `user_${String(email)}`,
  email,
  createdAt: '2026-02-01T08:00:00.000Z',
  metadata: {},
  ...more,
});
const page = (users: unknown[], nextCursor: string | null = null) => ({
  json: { users, pagination: { hasMore: nextCursor !== null, nextCursor } },
});

describe('the members of the organization', () => {
  test('are read page by page, each person once, by e-mail in lower case', async () => {
    const { address, requests } = await startScript([
      page([member('Mia@acme.example', { lastSignInAt: '2026-11-01T08:00:00+02:00' })], 'c1'),
      page([member('max@acme.example'), member('mia@acme.example')]),
    ]);
    expect(await createTestClient(address).roster.read()).toEqual([
      {
        email: 'mia@acme.example',
        createdAt: new Date('2026-02-01T08:00:00Z'),
        lastSignInAt: new Date('2026-11-01T06:00:00Z'),
      },
      { email: 'max@acme.example', createdAt: new Date('2026-02-01T08:00:00Z'), lastSignInAt: undefined },
    ]);
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/v0/organization/users?limit=100',
      '/api/v0/organization/users?limit=100&cursor=c1',
    ]);
  });

  test('lose only what cannot be read', async () => {
    const { address } = await startScript([
      page([
        member(7),
        'nobody',
        { id: 'without' },
        member('mia@acme.example', { createdAt: 'yesterday', lastSignInAt: null }),
      ]),
    ]);
    expect(await createTestClient(address).roster.read()).toEqual([
      { email: 'mia@acme.example', createdAt: undefined, lastSignInAt: undefined },
    ]);
  });

  test('are unknown if the platform answers something else', async () => {
    const { address } = await startScript([{ status: 404, json: { detail: 'No such operation' } }, { json: [] }]);
    const client = createTestClient(address);
    expect((await failureOf(client.roster.read())).code).toBe('not_found');
    expect((await failureOf(client.roster.read())).code).toBe('wrong_shape');
  });
});
