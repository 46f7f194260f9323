import { analyticsRoutes } from '../../../src/sandbox/platform/routes/analytics-routes.ts';
import { describe, expect, test } from 'vitest';
import { collectPages } from '../../core/platform/test-client.ts';
import { NOW, PERIOD, span, startTestPlatform, sum, YESTERDAY } from './test-platform.ts';

const BASE = '/api/v1/analytics';
const PATHS = analyticsRoutes.map(({ path }) => path);

describe('analytics', () => {
  test('answer credits by day, by model and by person', async () => {
    const { client } = await startTestPlatform();
    const { data, meta } = await client.analytics.tokens(PERIOD);
    expect(data.map(({ date }) => date)).toHaveLength(10);
    expect(meta).toMatchObject({ start_date: PERIOD.startDate, end_date: PERIOD.endDate, org_id: expect.any(String) });
    expect(data[0]?.by_user[0]).toMatchObject({ user_id: expect.any(String), billable_tokens: expect.any(Number) });
    expect(data[0]?.by_model[0]?.model_tier).toMatch(/^(standard|thinking)$/);
  });

  test('answer group_by=model with one row for each day and model', async () => {
    const { client } = await startTestPlatform();
    const [rows, grouped] = [await client.analytics.tokens(PERIOD), await client.analytics.tokensByModel(PERIOD)];
    expect(sum(grouped.data, (row) => row.billable_tokens)).toBe(sum(rows.data, (row) => row.billable_tokens));
    expect(new Set(grouped.data.map(({ date, group_key }) => `${date} ${group_key}`)).size).toBe(grouped.data.length);
  });

  test('answer tools by day, and group_by=tool_name with one row for each day and tool', async () => {
    const { client } = await startTestPlatform();
    const [rows, grouped] = [await client.analytics.tools(PERIOD), await client.analytics.toolsByName(PERIOD)];
    expect(sum(grouped.data, (row) => row.tool_calls)).toBe(sum(rows.data, (row) => row.tool_calls));
    expect(rows.data[0]?.hooks_by_event[0]).toMatchObject({ event: expect.any(String), count: expect.any(Number) });
  });

  test('answer activity by day, and group_by=client with one row for each day and client', async () => {
    const { client } = await startTestPlatform();
    const [rows, grouped] = [await client.analytics.activity(PERIOD), await client.analytics.activityByClient(PERIOD)];
    for (const { date, daily_active_users_by_client: clients } of rows.data) {
      const same = grouped.data.filter((row) => row.date === date);
      expect(Object.fromEntries(same.map((row) => [row.group_key, row.daily_active_users]))).toEqual(clients);
    }
    for (const row of rows.data) {
      const [weekly, monthly] = [row.weekly_active_users ?? Number.NaN, row.monthly_active_users ?? Number.NaN];
      expect(row.daily_active_users).toBeLessThanOrEqual(weekly);
      expect(weekly).toBeLessThanOrEqual(monthly);
    }
  });

  test('answer productivity by day', async () => {
    const { client } = await startTestPlatform();
    const { data } = await client.analytics.productivity(PERIOD);
    expect(sum(data, (row) => row.git_commits)).toBeGreaterThan(0);
  });

  test('answer people page by page, in pages of 20 unless another limit is requested', async () => {
    const { client, requests } = await startTestPlatform();
    const page = await client.analytics.users(PERIOD);
    expect(new Set(page.data.map(({ user_id }) => user_id)).size).toBe(20);
    expect(page.meta).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const small = await client.analytics.users({ ...PERIOD, limit: 3, cursor: page.meta.next_cursor ?? '' });
    expect(new Set(small.data.map(({ user_id }) => user_id)).size).toBe(3);
    expect(requests).toHaveLength(2);
  });

  test('answer every person once over all pages, with the credits of /tokens', async () => {
    const { client } = await startTestPlatform({ people: 230 });
    const rows = await collectPages(client.analytics.userPages(PERIOD));
    const { data } = await client.analytics.tokens(PERIOD);
    expect(sum(rows, (row) => row.billable_tokens ?? Number.NaN)).toBe(sum(data, (row) => row.billable_tokens));
    const unknown = new Set(rows.filter(({ user_email }) => user_email === null).map(({ user_id }) => user_id));
    expect(unknown.size).toBeGreaterThan(0);
    const inTokens = data.flatMap(({ by_user }) => by_user).filter(({ user_email }) => user_email === null);
    expect(new Set(inTokens.map(({ user_id }) => user_id))).toEqual(unknown);
  });

  test('are a function of the seed', async () => {
    const [one, same, other] = [
      await startTestPlatform(),
      await startTestPlatform(),
      await startTestPlatform({ seed: 2 }),
    ];
    const answer = await one.client.analytics.tokens(PERIOD);
    expect(await same.client.analytics.tokens(PERIOD)).toEqual(answer);
    expect((await other.client.analytics.tokens(PERIOD)).data).not.toEqual(answer.data);
  });
});

describe('analytics refuse', () => {
  test('a missing or wrong key with 401, and a member with 403', async () => {
    const { ask, apiKeys } = await startTestPlatform();
    for (const path of PATHS) {
      expect(await ask(path + span(), { key: null })).toMatchObject({ status: 401 });
      expect(await ask(path + span(), { key: 'wrong' })).toMatchObject({ status: 401 });
      expect(await ask(path + span(), { key: apiKeys.jwt })).toMatchObject({ status: 401 });
      expect(await ask(path + span(), { key: apiKeys.member })).toMatchObject({ status: 403 });
    }
  });

  test('with the documented error body', async () => {
    const { ask } = await startTestPlatform();
    const { body } = await ask(`${BASE}/tokens${span('yesterday')}`);
    const texts = { title: expect.any(String), detail: expect.any(String), requestId: expect.any(String) };
    expect(body).toEqual({ ...texts, status: 400 });
  });

  test.each([
    ['a missing day', '?startDate=2026-11-10'],
    ['a day that does not exist', span('2026-02-30')],
    ['a day in another format', span('10.11.2026')],
    ['today', span('2026-11-20')],
    ['a future day', span(YESTERDAY, '2026-12-24')],
    ['a day before the first', span('2026-01-13', YESTERDAY)],
    ['an end before the beginning', span('2026-11-12', '2026-11-11')],
  ])('%s with 400', async (_, query) => {
    const { ask } = await startTestPlatform();
    for (const path of PATHS) expect(await ask(path + query)).toMatchObject({ status: 400 });
  });

  test.each(['0', '101', '1.5', '-1', 'all', ''])('a page of "%s" people with 400', async (limit) => {
    const { ask } = await startTestPlatform();
    expect(await ask(`${BASE}/users${span()}&limit=${limit}`)).toMatchObject({ status: 400 });
  });

  test('an unknown group_by with 400', async () => {
    const { ask } = await startTestPlatform();
    for (const path of PATHS.filter((each) => !each.endsWith('/users')))
      expect(await ask(`${path}${span()}&group_by=team`)).toMatchObject({ status: 400 });
  });
});

describe('the daily batch', () => {
  test('delivers a day two hours after its end: until then its rows are absent', async () => {
    const { client, clock } = await startTestPlatform();
    const today = { startDate: YESTERDAY, endDate: '2026-11-20' };
    const rows = async () => (await client.analytics.tokens(today)).data.map(({ date }) => date);
    clock.moveTo(new Date('2026-11-21T01:59:59Z'));
    expect(await rows()).toEqual([YESTERDAY]);
    clock.moveTo(new Date('2026-11-21T02:00:00Z'));
    expect(await rows()).toEqual([YESTERDAY, '2026-11-20']);
  });

  test('can be set to another time of delivery', async () => {
    const { client, clock } = await startTestPlatform({ publishDelayMs: 9 * 3_600_000 });
    clock.moveTo(new Date('2026-11-20T08:59:00Z'));
    expect((await client.analytics.activity({ startDate: YESTERDAY, endDate: YESTERDAY })).data).toEqual([]);
    clock.moveTo(NOW);
    expect((await client.analytics.activity({ startDate: YESTERDAY, endDate: YESTERDAY })).data).toHaveLength(1);
  });

  test('can hold back a day in every endpoint, and release it', async () => {
    const { ask, holdDay, releaseDay } = await startTestPlatform();
    holdDay(YESTERDAY);
    for (const path of PATHS) expect(await ask(path + span())).toMatchObject({ status: 200, body: { data: [] } });
    releaseDay(YESTERDAY);
    for (const path of PATHS) expect(await ask(path + span())).not.toMatchObject({ body: { data: [] } });
  });

  test('can revise a day in every endpoint alike, and undo that', async () => {
    const { client, reviseDay } = await startTestPlatform();
    const day = { startDate: YESTERDAY, endDate: YESTERDAY };
    const read = async () => {
      const [tokens] = (await client.analytics.tokens(day)).data;
      const people = await collectPages(client.analytics.userPages(day));
      const [tools] = (await client.analytics.tools(day)).data;
      return {
        credits: tokens?.billable_tokens ?? 0,
        ofPeople: sum(people, (row) => row.billable_tokens ?? Number.NaN),
        calls: tools?.tool_calls,
      };
    };
    const before = await read();
    reviseDay(YESTERDAY, 1.5);
    const after = await read();
    expect(after.credits).toBe(after.ofPeople);
    expect(after.credits / before.credits).toBeGreaterThan(1.2);
    expect(after.calls).toBeGreaterThan(before.calls ?? 0);
    reviseDay(YESTERDAY, 1);
    expect(await read()).toEqual(before);
  });
});
