import { describe, expect, test } from 'vitest';
import { withClients, withModels, withToolNames } from '../../../src/core/analytics/reading/resources.ts';
import type { Envelope } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { startTestPlatform, PERIOD } from '../../sandbox/platform/test-platform.ts';

describe('a breakdown that is missing from a day', () => {
  test('of tools, clients and models is requested by group, and has the same totals', async () => {
    const { client, requests } = await startTestPlatform();
    const { analytics } = client;
    const [tools, activity, tokens] = await Promise.all([
      analytics.tools(PERIOD),
      analytics.activity(PERIOD),
      analytics.tokens(PERIOD),
    ]);
    const without = <Row extends object>(answer: Envelope<Row>, empty: Partial<Row>) => ({
      ...answer,
      data: answer.data.map((row, index) => (index % 2 === 0 ? { ...row, ...empty } : row)),
    });
    const counts = (row: { by_tool: { tool: string; invocations: number }[] }) =>
      Object.fromEntries(row.by_tool.map(({ tool, invocations }) => [tool, invocations]));
    const filled = await withToolNames(analytics, PERIOD, without(tools, { by_tool: [] }));
    expect(filled.data.map(counts)).toEqual(tools.data.map(counts));
    const clients = await withClients(analytics, PERIOD, without(activity, { daily_active_users_by_client: {} }));
    expect(clients.data).toEqual(activity.data);
    const credits = (row: { by_model: { model_id: string; billable_tokens: number }[] }) => {
      const sums: Record<string, number> = {};
      for (const one of row.by_model) sums[one.model_id] = (sums[one.model_id] ?? 0) + one.billable_tokens;
      return sums;
    };
    const models = await withModels(analytics, PERIOD, without(tokens, { by_model: [] }));
    expect(models.data.map(credits)).toEqual(tokens.data.map(credits));
    const grouped = requests.flatMap(({ query }) => query['group_by'] ?? []);
    expect(grouped.toSorted()).toEqual(['client', 'model', 'tool_name']);
  });

  test('is not requested if nothing is missing', async () => {
    const { client, requests } = await startTestPlatform();
    const { analytics } = client;
    await withToolNames(analytics, PERIOD, await analytics.tools(PERIOD));
    await withClients(analytics, PERIOD, await analytics.activity(PERIOD));
    await withModels(analytics, PERIOD, await analytics.tokens(PERIOD));
    expect(requests).toHaveLength(3);
  });
});
