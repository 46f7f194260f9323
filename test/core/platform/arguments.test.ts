import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillPath } from '../../../src/core/platform/arguments.ts';
import { type PlatformClient, createPlatformClient } from '../../../src/core/platform/client.ts';
import { isPlatformError } from '../../../src/core/platform/errors.ts';
import { createEagerClock, createTestClient, failureOf, PERIOD } from './test-client.ts';
import { anyCharacter } from '../../support/any-character.ts';

// There is no server here: a call that reached the network would fail with another code.
const NOWHERE = 'http://127.0.0.1:1';
const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `p${index}@acme.example`, limit: 1 }));

const REFUSED: [string, (client: PlatformClient) => Promise<unknown>][] = [
  ['an empty computer id', (client) => client.computers.get('')],
  ['two dots as an id', (client) => client.computers.get('..')],
  ['a slash in an id', (client) => client.computers.installDeps('a/b')],
  ['a backslash in an id', (client) => client.sessions.messages('a\\b')],
  ['a line break in an id', (client) => client.sessions.messages('a\nb')],
  ['an id of 257 characters', (client) => client.sessions.messages('x'.repeat(257))],
  ['half a character in an id', (client) => client.sessions.messages('\ud800')],
  ['a day that is no day', (client) => client.analytics.tokens({ startDate: '2026-02-30', endDate: '2026-03-01' })],
  [
    'a period that ends before it begins',
    (client) => client.analytics.users({ startDate: '2026-03-02', endDate: '2026-03-01' }),
  ],
  ['101 people a page', (client) => client.analytics.users({ ...PERIOD, limit: 101 })],
  ['half a person a page', (client) => client.analytics.users({ ...PERIOD, limit: 0.5 })],
  ['no report a page', (client) => client.readiness.reports({ limit: 0 })],
  ['101 changes a page', (client) => client.controls.history({ limit: 101 })],
  ['an empty cursor', (client) => client.controls.history({ cursor: '' })],
  // @ts-expect-error -- the compiler refuses it too
  ['a role that does not exist', (client) => client.sessions.messages('s', { role: 'robot' })],
  ['no limits', (client) => client.limits.setUserLimits([])],
  ['101 limits', (client) => client.limits.setUserLimits(entries(101))],
  ['a negative limit', (client) => client.limits.setUserLimits([{ email: 'p@acme.example', limit: -1 }])],
  [
    'a limit that is not finite',
    (client) => client.limits.setUserLimits([{ email: 'p@acme.example', limit: Infinity }]),
  ],
  [
    'one person twice',
    (client) => client.limits.setUserLimits([...entries(1), { email: 'P0@ACME.example', limit: 2 }]),
  ],
  ['a computer without a name', (client) => client.computers.create({ name: '', remoteUser: 'agent' })],
  ['a name of 64 characters', (client) => client.computers.create({ name: 'n'.repeat(64), remoteUser: 'agent' })],
  ['a host id that is no UUID', (client) => client.computers.create({ name: 'n', remoteUser: 'a', hostId: '7' })],
  [
    'a repository that is no address',
    (client) => client.computers.create({ name: 'n', remoteUser: 'a', repos: ['here'] }),
  ],
  [
    '21 repositories',
    (client) =>
      client.computers.create({ name: 'n', remoteUser: 'a', repos: Array<string>(21).fill('https://g.example/r') }),
  ],
];

describe('before anything is sent', () => {
  test.each(REFUSED)('%s is refused', async (_, call) => {
    const failure = await failureOf(call(createTestClient(NOWHERE)));
    expect(failure).toMatchObject({ code: 'invalid_argument', outcomeUnknown: false, status: undefined });
  });

  test('a refusal names the rule and not the value', async () => {
    const call = createTestClient(NOWHERE).limits.setUserLimits([{ email: 'someone@acme.example', limit: -1 }]);
    const failure = await failureOf(call);
    expect(failure.detail).toContain('users.0.limit');
    expect(JSON.stringify(failure)).not.toContain('someone');
  });

  test('a path value stays one segment of the path, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (value) => {
        try {
          const path = fillPath('GET', '/a/{id}/b', { id: value });
          const { pathname, search, hash } = new URL(path, 'http://x.invalid');
          expect(pathname.split('/')).toHaveLength(4);
          expect(decodeURIComponent(pathname.split('/')[2] ?? '')).toBe(value);
          expect(search + hash).toBe('');
        } catch (error) {
          if (!isPlatformError(error, 'invalid_argument')) throw error;
        }
      }),
    );
  });

  test.each(['', 'key with spaces', 'key\nbreak', 'schlüssel'])('the key "%s" is refused', (apiKey) => {
    const settings = { baseUrl: NOWHERE, appUrl: NOWHERE, apiKey, clock: createEagerClock() };
    expect(() => createPlatformClient(settings)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  test.each([
    '',
    'platform.example',
    'ftp://platform.example',
    'https://user:pass@platform.example',
    'https://p.example/?a=1',
  ])('the address "%s" is refused', (appUrl) => {
    const settings = { baseUrl: NOWHERE, appUrl, apiKey: 'key', clock: createEagerClock() };
    expect(() => createPlatformClient(settings)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
