import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PLANTED_SECRETS } from '../../../src/sandbox/platform/model/controls-data.ts';
import { REPOSITORIES } from '../../../src/sandbox/platform/model/readiness-data.ts';
import { PLANTED_REASONING } from '../../../src/sandbox/platform/model/sessions-data.ts';
import { collect } from '../../core/platform/test-client.ts';
import { NOW, startTestPlatform, sum } from './test-platform.ts';

const HISTORY = '/api/v0/organization/enterprise-controls/history';
const LIMITS = '/api/v0/organization/usage/limits/users';
const REPORTS = '/api/organization/maturity-level-reports';

const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

describe('readiness reports', () => {
  test('come newest first, page after page, each once', async () => {
    const { client } = await startTestPlatform();
    const reports = await collect(client.readiness.eachReport({ limit: 7 }));
    const all = (await client.readiness.reports({ limit: 1_000 })).reports;
    expect(reports).toEqual(all);
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
    );
  });

  test('can be requested by repository, and one of them got worse', async () => {
    const { client } = await startTestPlatform();
    const worse = REPOSITORIES.find(({ trend }) => trend === 'worse');
    const reports = await collect(client.readiness.eachReport({ repoId: worse?.repoId }));
    expect(new Set(reports.map(({ repoUrl }) => repoUrl))).toEqual(new Set([worse?.repoUrl]));
    const scores = reports.map(({ report }) =>
      sum(Object.values(report), (each) => (each.numerator ?? 0) / each.denominator),
    );
    expect(scores[0]).toBeLessThan(scores.at(-1) ?? 0);
    expect(await collect(client.readiness.eachReport({ repoId: 'nobody-knows' }))).toEqual([]);
  });

  test('grow in number as time passes', async () => {
    const { client, clock } = await startTestPlatform();
    clock.moveTo(new Date('2026-03-01T00:00:00Z'));
    const before = (await collect(client.readiness.eachReport())).length;
    clock.moveTo(NOW);
    expect((await collect(client.readiness.eachReport())).length).toBeGreaterThan(before);
  });

  test('refuse a limit that is not positive, and an unknown startAfter', async () => {
    const { ask } = await startTestPlatform();
    for (const query of ['limit=0', 'limit=x', 'startAfter=nobody']) {
      expect(await ask(`${REPORTS}?${query}`)).toMatchObject({ status: 400 });
    }
  });

  test('refuse a missing or wrong key, but no member', async () => {
    const { ask, apiKeys } = await startTestPlatform();
    expect(await ask(REPORTS, { key: null })).toMatchObject({ status: 401, body: { error: expect.any(String) } });
    expect(await ask(REPORTS, { key: apiKeys.jwt })).toMatchObject({ status: 401 });
    expect(await ask(REPORTS, { key: apiKeys.member })).toMatchObject({ status: 200 });
  });
});

describe('the history of enterprise controls', () => {
  test('comes newest revision first, page after page', async () => {
    const { client } = await startTestPlatform();
    const changes = await collect(client.controls.eachChange({ limit: 4 }));
    expect(changes.map(({ revision }) => revision)).toEqual(Array.from({ length: 11 }, (_, index) => 11 - index));
    expect(changes[0]?.user).toMatchObject({ email: expect.any(String), name: expect.any(String) });
  });

  test('contains planted secrets, unknown members, and a change of a secret alone', async () => {
    const { ask } = await startTestPlatform();
    const { body } = await ask(`${HISTORY}?limit=100`);
    const { changes } = z
      .object({ changes: z.array(z.looseObject({ revision: z.number(), settings: z.unknown() })) })
      .parse(body);
    const text = JSON.stringify(changes);
    for (const secret of PLANTED_SECRETS) expect(text).toContain(secret);
    const [fourth, fifth] = [
      changes.find(({ revision }) => revision === 5),
      changes.find(({ revision }) => revision === 6),
    ];
    const replaced = JSON.stringify(fourth?.settings).replaceAll(PLANTED_SECRETS[0], PLANTED_SECRETS[1]);
    expect(JSON.stringify(fifth?.settings)).toBe(replaced);
  });

  test('is returned by the client without any of the secrets', async () => {
    const { client } = await startTestPlatform();
    const text = JSON.stringify(await collect(client.controls.eachChange()));
    expect(PLANTED_SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('gets a new revision on request, by name and with members removed', async () => {
    const { client, addRevision } = await startTestPlatform();
    addRevision({ settings: { sessionRetentionDays: 7, rolloutRing: null }, email: 'Morgan.Manager@acme.example' });
    const [latest] = (await client.controls.history({ limit: 1 })).changes;
    expect(latest).toMatchObject({ revision: 12, user: { name: 'Morgan Reyes' }, updatedAt: NOW.toISOString() });
    expect(latest?.settings).toMatchObject({ sessionRetentionDays: 7 });
    expect(latest?.settings).not.toHaveProperty('rolloutRing');
  });

  test.each(['limit=0', 'limit=101', 'cursor=nonsense'])('refuses %s with 400', async (query) => {
    const { ask } = await startTestPlatform();
    expect(await ask(`${HISTORY}?${query}`)).toMatchObject({ status: 400 });
  });

  test('accepts a JWT as well, and refuses requests without a key and members', async () => {
    const { ask, apiKeys } = await startTestPlatform();
    expect(await ask(HISTORY, { key: apiKeys.jwt })).toMatchObject({ status: 200 });
    expect(await ask(HISTORY, { key: null })).toMatchObject({ status: 401 });
    expect(await ask(HISTORY, { key: apiKeys.member })).toMatchObject({ status: 403 });
  });
});

describe('session messages', () => {
  test('come in pages of 20 unless another limit is requested, each once', async () => {
    const { client, sessionIds } = await startTestPlatform();
    const [session = ''] = sessionIds;
    expect((await client.sessions.messages(session)).messages).toHaveLength(20);
    const messages = await collect(client.sessions.eachMessage(session, { limit: 13 }));
    expect(new Set(messages.map(({ id }) => id)).size).toBe(57);
    expect(messages.filter(({ isError }) => isError).length).toBeGreaterThan(0);
  });

  test('can be requested by role and from a computer', async () => {
    const { client, sessionIds, ask } = await startTestPlatform();
    const [session = ''] = sessionIds;
    const [computer] = await client.computers.list();
    const counts = await Promise.all(
      (['user', 'assistant', 'tool'] as const).map(async (role) => {
        const query = { role, computerId: computer?.id };
        return (await collect(client.sessions.eachMessage(session, query))).length;
      }),
    );
    expect(counts).toEqual([15, 28, 14]);
    const path = `/api/v0/sessions/${session}/messages`;
    expect(await ask(`${path}?role=robot`)).toMatchObject({ status: 400 });
    expect(await ask(`${path}?computerId=nobody`)).toMatchObject({ status: 404 });
    expect(await ask(`${path}?limit=101`)).toMatchObject({ status: 400 });
    expect(await ask(`${path}?cursor=nonsense`)).toMatchObject({ status: 400 });
  });

  test('contain reasoning that a client must not keep', async () => {
    const { client, sessionIds, ask } = await startTestPlatform();
    const [session = ''] = sessionIds;
    const { body } = await ask(`/api/v0/sessions/${session}/messages?limit=100`);
    expect(JSON.stringify(body)).toContain(PLANTED_REASONING);
    expect(JSON.stringify(await collect(client.sessions.eachMessage(session)))).not.toContain(PLANTED_REASONING);
  });

  test('of an unknown session are 404', async () => {
    const { ask } = await startTestPlatform();
    expect(await ask('/api/v0/sessions/nobody/messages')).toMatchObject({ status: 404 });
  });
});

describe('computers', () => {
  test('are listed and shown, in every status and of both kinds', async () => {
    const { client } = await startTestPlatform();
    const computers = await client.computers.list();
    expect(new Set(computers.map(({ status }) => status))).toEqual(new Set(['active', 'error', 'provisioning']));
    expect(new Set(computers.map(({ providerType }) => providerType))).toEqual(new Set(['hosted', 'byom']));
    for (const computer of computers) expect(await client.computers.get(computer.id)).toEqual(computer);
  });

  test('move through their steps as time passes', async () => {
    const { client, clock, ask } = await startTestPlatform();
    const body = {
      name: 'fresh',
      remoteUser: 'agent',
      provider: 'hosted',
      repos: ['https://git.acme.example/acme/web'],
    };
    expect(await ask('/api/v0/computers', { method: 'POST', body })).toMatchObject({ status: 201 });
    const id = (await client.computers.list()).at(-1)?.id ?? '';
    const show = async (seconds: number) => {
      clock.moveTo(at(seconds));
      const { status, provisioningSteps } = await client.computers.get(id);
      return [status, ...provisioningSteps.map((step) => step.status)];
    };
    expect(await show(1)).toEqual(['provisioning', 'running', 'pending', 'pending', 'pending']);
    expect(await show(50)).toEqual(['provisioning', 'completed', 'completed', 'running', 'pending']);
    expect(await show(90)).toEqual(['provisioning', 'completed', 'completed', 'completed', 'running']);
    expect(await show(120)).toEqual(['active', 'completed', 'completed', 'completed', 'completed']);
  });

  test('with a failed installation can repeat it', async () => {
    const { client, clock, ask } = await startTestPlatform();
    const failed = (await client.computers.list()).find(({ status }) => status === 'error');
    expect(failed?.provisioningSteps.at(-1)).toMatchObject({ status: 'failed', error: expect.any(String) });
    const { status, body } = await ask(`/api/v0/computers/${failed?.id}/install-deps`, { method: 'POST' });
    expect({ status, body }).toMatchObject({ status: 202, body: { status: 'provisioning' } });
    clock.moveTo(at(61));
    expect(await client.computers.get(failed?.id ?? '')).toMatchObject({ status: 'active' });
  });

  test('without an installation are active without that step', async () => {
    const { client, clock } = await startTestPlatform();
    const { id } = await client.computers.create({ name: 'bare', remoteUser: 'agent', autoInstallDeps: false });
    clock.moveTo(at(60));
    const { status, provisioningSteps } = await client.computers.get(id);
    expect([status, provisioningSteps.length]).toEqual(['active', 3]);
  });

  test.each([
    ['no name', { remoteUser: 'a' }],
    ['a name of 64 characters', { name: 'n'.repeat(64), remoteUser: 'a' }],
    ['no remote user', { name: 'n' }],
    ['an unknown provider', { name: 'n', remoteUser: 'a', provider: 'moon' }],
    ['a host id that is no UUID', { name: 'n', remoteUser: 'a', hostId: '7' }],
    ['21 repositories', { name: 'n', remoteUser: 'a', repos: Array<string>(21).fill('https://g.example/r') }],
    [
      'an address of 2,049 characters',
      { name: 'n', remoteUser: 'a', repos: [`https://g.example/${'r'.repeat(2_031)}`] },
    ],
    ['text instead of JSON', 'name=n'],
  ])('are not created with %s', async (_, body) => {
    const { ask, client } = await startTestPlatform();
    expect(await ask('/api/v0/computers', { method: 'POST', body })).toMatchObject({ status: 400 });
    expect(await client.computers.list()).toHaveLength(4);
  });

  test('with an unknown id are 404', async () => {
    const { ask } = await startTestPlatform();
    expect(await ask('/api/v0/computers/nobody')).toMatchObject({ status: 404 });
    expect(await ask('/api/v0/computers/nobody/install-deps', { method: 'POST' })).toMatchObject({ status: 404 });
  });
});

describe('credit limits', () => {
  test('are stored for known people and refused for others', async () => {
    const { client, limits } = await startTestPlatform();
    const mia = { email: 'MIA.member@acme.example', limit: 250 };
    const result = await client.limits.setUserLimits([mia, { email: 'nobody@acme.example', limit: 1 }]);
    expect(result).toEqual({ updated: [mia], errors: [{ email: 'nobody@acme.example', error: expect.any(String) }] });
    expect(Object.fromEntries(limits)).toEqual({ 'mia.member@acme.example': 250 });
  });

  test.each([
    ['no people', { users: [] }],
    ['101 people', { users: Array.from({ length: 101 }, () => ({ email: 'a@acme.example', limit: 1 })) }],
    ['a limit in words', { users: [{ email: 'a@acme.example', limit: 'much' }] }],
    ['no list', {}],
  ])('of %s are refused with 400', async (_, body) => {
    const { ask, limits } = await startTestPlatform();
    expect(await ask(LIMITS, { method: 'PUT', body })).toMatchObject({ status: 400 });
    expect(limits.size).toBe(0);
  });

  test('cannot be set by members', async () => {
    const { ask, apiKeys } = await startTestPlatform();
    const body = { users: [{ email: 'mia.member@acme.example', limit: 1 }] };
    expect(await ask(LIMITS, { method: 'PUT', body, key: apiKeys.member })).toMatchObject({ status: 403 });
  });
});

describe('any other path', () => {
  test('is 404', async () => {
    const { ask } = await startTestPlatform();
    expect(await ask('/api/v2/anything')).toMatchObject({ status: 404 });
    expect(await ask('/api/v0/computers', { method: 'DELETE' })).toMatchObject({ status: 404 });
  });
});
