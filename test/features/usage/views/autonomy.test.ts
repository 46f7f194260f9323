import { describe, expect, test } from 'vitest';
import type { Part } from '../../../../src/core/analytics/day-facts.ts';
import { toolsRow, type ActivityRow, type ToolsRow } from '../../../../src/core/platform/endpoints/analytics-rows.ts';
import { PlatformError } from '../../../../src/core/platform/errors.ts';
import { autonomyOf } from '../../../../src/core/figures/measures/autonomy.ts';
import { READ_AT } from './generated.ts';

const scope = { period: { first: '2026-03-02', last: '2026-03-04' }, comparedWith: undefined, today: '2026-03-06' };
const part = <Row>(rows: readonly Row[]): Part<Row> => ({ kind: 'read', rows, readAt: READ_AT });
const unreadable = {
  kind: 'unreadable',
  fault: new PlatformError({ code: 'timeout', method: 'GET', path: '/x', detail: 'x' }),
} as const;

const tools = (date: string, change: Partial<ToolsRow>) =>
  toolsRow.parse({
    date,
    tool_calls: 0,
    mcp_users_with_mcp: 0,
    skills_invocations: 0,
    slash_commands_invocations: 0,
    hooks_invocations: 0,
    web_users: 0,
    ...change,
  });
const activity = (date: string, user_messages: number): ActivityRow => ({
  date,
  daily_active_users: 1,
  weekly_active_users: 1,
  monthly_active_users: 1,
  daily_active_users_by_client: {},
  sessions: user_messages,
  messages: user_messages,
  user_messages,
});
const known = (...of: Parameters<typeof autonomyOf>) => {
  const autonomy = autonomyOf(...of);
  return autonomy.kind === 'known' ? autonomy.value : undefined;
};

describe('autonomy over several days', () => {
  const days = [
    tools('2026-03-02', {
      tool_calls: 90,
      autonomy_ratio_avg: 9,
      autonomy_ratio_p50: 8,
      tool_autonomy_level_ratio: { manual: 1 },
    }),
    tools('2026-03-03', { tool_calls: 10, autonomy_ratio_avg: 1, autonomy_ratio_p50: 2 }),
  ];

  test('weighs averages by the messages of each day', () => {
    const messages = part([activity('2026-03-02', 10), activity('2026-03-03', 30)]);
    expect(known(part(days), messages, scope)?.callsPerTurn).toEqual({ value: 3, weightedBy: 'messages' });
  });

  test.each([
    ['could not be read', unreadable],
    ['lacks a day', part([activity('2026-03-02', 10)])],
  ])('weighs them by tool calls if the activity %s', (_, messages) => {
    expect(known(part(days), messages, scope)?.callsPerTurn).toEqual({ value: 8.2, weightedBy: 'tool calls' });
  });

  test('shows percentiles as a range, never as an average', () => {
    expect(known(part(days), unreadable, scope)?.median).toEqual({ low: 2, high: 8 });
  });

  test('uses levels only from the days that have them', () => {
    expect(known(part(days), unreadable, scope)?.levels).toEqual([{ level: 'manual', part: 1 }]);
  });

  test('leaves out values that no day has, and a day without active people', () => {
    const quiet = tools('2026-03-04', { autonomy_ratio_p50: 0, autonomy_ratio_p90: 0 });
    expect(known(part([...days, quiet]), unreadable, scope)).toMatchObject({
      median: { low: 2, high: 8 },
      ninetieth: undefined,
      callsPerSession: undefined,
    });
  });
});
