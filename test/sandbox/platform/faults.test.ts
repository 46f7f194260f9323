import { describe, expect, test } from 'vitest';
import { type Fault, createFaults } from '../../../src/sandbox/platform/server/faults.ts';
import { collect, failureOf } from '../../core/platform/test-client.ts';
import { span, startTestPlatform } from './test-platform.ts';
import { eventually } from '../../support/waiting.ts';

const COMPUTER = { name: 'lost', remoteUser: 'agent' };

function draw(seed: number): string {
  const faults = createFaults(seed);
  faults.add({ kind: 'html', probability: 0.5 });
  return Array.from({ length: 40 }, () => faults.take('GET', '/')?.kind ?? '-').join('');
}

describe('a fault', () => {
  test.each<[Fault, string, number]>([
    [{ kind: 'status', status: 503 }, 'server_error', 4],
    [{ kind: 'rate_limit' }, 'rate_limited', 4],
    [{ kind: 'drop_before' }, 'network', 4],
    [{ kind: 'drop_after' }, 'network', 5],
    [{ kind: 'cut_body' }, 'cut_body', 5],
    [{ kind: 'html' }, 'not_json', 5],
    [{ kind: 'empty' }, 'empty_body', 5],
    [{ kind: 'wrong_shape' }, 'wrong_shape', 5],
  ])('of %o appears as %s to a POST, and leaves %i computers', async (fault, code, computers) => {
    const { client, faults } = await startTestPlatform();
    faults.add({ ...fault, times: 1 });
    expect(await failureOf(client.computers.create(COMPUTER))).toMatchObject({ code });
    expect(await client.computers.list()).toHaveLength(computers);
  });

  test('affects only matching requests, as often as configured', async () => {
    const { ask, faults } = await startTestPlatform();
    faults.add({ kind: 'status', status: 418, match: { method: 'get', path: /computers$/ }, times: 2 });
    const statuses = [];
    for (const path of [
      '/api/v0/computers',
      '/api/organization/maturity-level-reports',
      '/api/v0/computers',
      '/api/v0/computers',
    ]) {
      statuses.push((await ask(path)).status);
    }
    expect(statuses).toEqual([418, 200, 418, 200]);
  });

  test('can be removed, alone or with all others', async () => {
    const { ask, faults } = await startTestPlatform();
    const takeBack = faults.add({ kind: 'status', match: { path: '/api/v0' } });
    takeBack();
    expect((await ask('/api/v0/computers')).status).toBe(200);
    faults.addWorstMood();
    faults.clear();
    expect(faults.list()).toEqual([]);
  });

  test('carries its Retry-After unchanged', async () => {
    const { ask, faults } = await startTestPlatform();
    faults.add({ kind: 'rate_limit', retryAfter: '-7', times: 1 });
    faults.add({ kind: 'status', status: 503, retryAfter: 30, times: 1 });
    expect((await ask('/api/v0/computers')).headers.get('retry-after')).toBe('-7');
    expect((await ask('/api/v0/computers')).headers.get('retry-after')).toBe('30');
  });

  test('by chance is the same for the same seed', () => {
    expect(draw(1)).toBe(draw(1));
    expect(draw(1)).not.toBe(draw(2));
    expect(draw(1)).toContain('-');
  });

  test('of shuffled pages changes the order and nothing else', async () => {
    const { client, faults } = await startTestPlatform();
    const period = { startDate: '2026-11-16', endDate: '2026-11-18' };
    const straight = (await client.analytics.users(period)).data;
    faults.add({ kind: 'shuffle_pages' });
    const shuffled = (await client.analytics.users(period)).data;
    expect(shuffled).not.toEqual(straight);
    expect(new Set(shuffled.map((row) => JSON.stringify(row)))).toEqual(
      new Set(straight.map((row) => JSON.stringify(row))),
    );
  });

  test('of shuffled pages does not hide a readiness report', async () => {
    const { client, faults } = await startTestPlatform();
    const all = await collect(client.readiness.eachReport());
    faults.add({ kind: 'shuffle_pages', times: 1 });
    const reports = await collect(client.readiness.eachReport({ limit: 6 }));
    expect(new Set(reports.map(({ reportId }) => reportId))).toEqual(new Set(all.map(({ reportId }) => reportId)));
  });

  test('of a repeated cursor makes every listing endless', async () => {
    // More people than a page holds: a page that is not full and has nothing new is the last.
    const { client, faults, sessionIds } = await startTestPlatform({ people: 400 });
    faults.add({ kind: 'repeat_cursor' });
    const listings: AsyncIterable<unknown>[] = [
      client.analytics.userPages({ startDate: '2026-11-16', endDate: '2026-11-16' }),
      client.readiness.eachReport(),
      client.controls.eachChange({ limit: 2 }),
      client.sessions.eachMessage(sessionIds[0] ?? ''),
    ];
    for (const listing of listings)
      expect(await failureOf(collect(listing))).toMatchObject({ code: 'pagination_loop' });
  });

  test('of a limit that took effect leaves the client in doubt, and a repeat settles it', async () => {
    const { client, faults, limits, requests } = await startTestPlatform();
    faults.add({ kind: 'drop_after', times: 1 });
    const users = [{ email: 'mia.member@acme.example', limit: 9 }];
    // The wait before the repeat is on a stopped clock, so the caller gives up there.
    const controller = new AbortController();
    const call = failureOf(client.limits.setUserLimits(users, { signal: controller.signal }));
    await eventually(() => requests[0]?.status, 'the platform’s answer');
    controller.abort();
    expect(await call).toMatchObject({ code: 'cancelled', outcomeUnknown: true });
    expect(limits.get('mia.member@acme.example')).toBe(9);
    expect(await client.limits.setUserLimits(users)).toMatchObject({ updated: users });
  });
});

describe('the request log', () => {
  test('contains method, path, query, role, status and fault of each request', async () => {
    const { ask, faults, requests, apiKeys } = await startTestPlatform();
    await ask(`/api/v1/analytics/tokens${span()}`, { key: apiKeys.member });
    faults.add({ kind: 'html' });
    await ask('/api/v0/computers').catch(() => undefined);
    expect(requests).toMatchObject([
      {
        method: 'GET',
        path: '/api/v1/analytics/tokens',
        query: { startDate: '2026-11-19', endDate: '2026-11-19' },
        role: 'member',
        status: 403,
      },
      { path: '/api/v0/computers', query: {}, role: 'manager', status: 200, fault: 'html' },
    ]);
  });
});
