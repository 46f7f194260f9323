import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestPlatform, sum, YESTERDAY } from './test-platform.ts';

const LIMITS = '/api/v0/organization/usage/limits/users';
const MEMBERS = '/api/v0/organization/users';
const CONTRACT_REPORTS = '/api/organization/maturity-level-reports';
const TODAYS_REPORTS = '/api/organization/agent-readiness-reports';

const startToday = () => startTestPlatform({ edition: 'today' });
const entry = (email: string, limit: unknown) => ({ users: [{ email, limit }] });
const reports = z.object({
  reports: z.array(z.object({ report: z.record(z.string(), z.object({ numerator: z.number().nullable() })) })),
});

describe('the edition of the contract', () => {
  test('answers 404 to the operations of today', async () => {
    const { ask } = await startTestPlatform();
    expect(await ask(TODAYS_REPORTS)).toMatchObject({ status: 404 });
    expect(await ask(LIMITS)).toMatchObject({ status: 404 });
    expect(await ask(MEMBERS)).toMatchObject({ status: 404 });
    const body = entry('mia.member@acme.example', 5.5);
    expect(await ask(LIMITS, { method: 'PUT', body })).toMatchObject({ status: 200 });
  });
});

describe('the edition of today', () => {
  test('have another address today, and some of 81 criteria are skipped', async () => {
    const { ask } = await startToday();
    expect(await ask(CONTRACT_REPORTS)).toMatchObject({ status: 404 });
    const { status, body } = await ask(TODAYS_REPORTS);
    expect(status).toBe(200);
    const criteria = reports.parse(body).reports.map(({ report }) => Object.values(report));
    expect(new Set(criteria.map(({ length }) => length))).toEqual(new Set([81]));
    for (const one of criteria) {
      const skipped = one.filter(({ numerator }) => numerator === null).length;
      expect(skipped).toBeGreaterThan(0);
      expect(skipped).toBeLessThan(30);
    }
  });

  test('can be filtered and paged at their address of today', async () => {
    const { ask } = await startToday();
    const ids = async (query: string) =>
      z
        .object({ reports: z.array(z.object({ reportId: z.string(), repoUrl: z.string() })) })
        .parse((await ask(`${TODAYS_REPORTS}?${query}`)).body).reports;
    const [first, second] = await ids('limit=2');
    expect(await ids(`limit=1&startAfter=${first?.reportId}`)).toEqual([second]);
    const ofWeb = await ids('repoId=repo_web');
    expect(new Set(ofWeb.map(({ repoUrl }) => repoUrl))).toEqual(new Set(['https://git.acme.example/acme/web']));
  });

  test('are listed today, in pages', async () => {
    const { ask, organization } = await startToday();
    const page = z.object({
      users: z.array(
        z.object({ id: z.string(), email: z.string(), createdAt: z.iso.datetime(), metadata: z.object() }),
      ),
      pagination: z.object({ hasMore: z.boolean(), nextCursor: z.string().nullable() }),
    });
    const listed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = cursor === '' ? 'limit=25' : `limit=25&cursor=${cursor}`;
      const { users, pagination } = page.parse((await ask(`${MEMBERS}?${query}`)).body);
      expect(users.length).toBeLessThanOrEqual(25);
      expect(pagination.hasMore).toBe(pagination.nextCursor !== null);
      listed.push(...users.map(({ email }) => email));
      cursor = pagination.nextCursor;
    }
    expect(new Set(listed).size).toBe(listed.length);
    const known = new Set(organization.people.flatMap(({ email }) => email ?? []));
    expect(listed.filter((email) => !known.has(email))).toEqual([]);
    expect(listed).toContain('mia.member@acme.example');
    expect(await ask(`${MEMBERS}?limit=101`)).toMatchObject({ status: 400 });
  });

  test('can be read today, and removed', async () => {
    const { ask, apiKeys, changeLimitsElsewhere } = await startToday();
    const email = 'mia.member@acme.example';
    expect(await ask(LIMITS)).toMatchObject({ status: 200, body: { globalLimit: 20_000_000, userLimits: [] } });
    await ask(LIMITS, { method: 'PUT', body: entry('Mia.Member@acme.example', 5_000_000) });
    expect(await ask(LIMITS)).toMatchObject({ body: { userLimits: [{ email, limit: 5_000_000 }] } });
    await ask(LIMITS, { method: 'PUT', body: entry(email, null) });
    expect(await ask(LIMITS)).toMatchObject({ body: { userLimits: [] } });
    changeLimitsElsewhere({ everybody: null, own: { [email]: 60_000_000 } });
    expect(await ask(LIMITS)).toMatchObject({
      body: { globalLimit: null, userLimits: [{ email, limit: 60_000_000 }] },
    });
    expect(await ask(LIMITS, { key: apiKeys.member })).toMatchObject({ status: 403 });
  });

  test.each([999_999, 0, 5_000_000.5])('refuses a limit of %s with 400, and says why', async (limit) => {
    const { ask, limits } = await startToday();
    const body = entry('mia.member@acme.example', limit);
    const refused = await ask(LIMITS, { method: 'PUT', body });
    // The documented error body of `/api/v0`, which has no request id.
    expect(refused).toEqual({
      status: 400,
      headers: expect.any(Headers),
      body: { title: 'Bad Request', status: 400, detail: expect.stringContaining('limit') },
    });
    expect(limits.size).toBe(0);
  });

  test('shows steps of computers only on request, and has one account on managed machines', async () => {
    const { ask } = await startToday();
    const withSteps = '/api/v0/computers?includeProvisioningSteps=true';
    const managed = { name: 'fresh-one', remoteUser: 'agent', provider: 'e2b' };
    expect(await ask('/api/v0/computers', { method: 'POST', body: managed })).toMatchObject({
      status: 201,
      body: { status: 'provisioning', remoteUser: 'factory-user' },
    });
    expect(JSON.stringify((await ask('/api/v0/computers')).body)).not.toContain('provisioningSteps');
    expect(JSON.stringify((await ask(withSteps)).body)).toContain('provisioningSteps');
    const own = { name: 'my-desk', remoteUser: 'mia', provider: 'byom' };
    expect(await ask('/api/v0/computers', { method: 'POST', body: own })).toMatchObject({
      body: { status: 'active', remoteUser: 'mia' },
    });
    for (const body of [
      { ...managed, provider: 'hosted' },
      { ...managed, name: 'Fresh One' },
    ])
      expect(await ask('/api/v0/computers', { method: 'POST', body })).toMatchObject({ status: 400 });
  });

  test('has people who use hundreds of thousands of credits a day', async () => {
    const { client } = await startToday();
    const { data } = await client.analytics.tokens({ startDate: YESTERDAY, endDate: YESTERDAY });
    const people = data.flatMap(({ by_user }) => by_user ?? []);
    const mean = sum(people, ({ billable_tokens }) => billable_tokens ?? 0) / people.length;
    expect(mean).toBeGreaterThan(100_000);
    expect(mean).toBeLessThan(1_000_000);
  });
});
