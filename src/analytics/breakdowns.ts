import type { AnalyticsPeriod } from '../platform/endpoints/analytics-range.ts';
import type { Analytics } from '../platform/endpoints/analytics.ts';
import type { ActivityRow, Envelope, TokensRow, ToolsRow } from '../platform/endpoints/analytics-rows.ts';

// A day’s row may lack a breakdown: its figures are then read again with grouping, documented as separate rows.

const lacksTools = (row: ToolsRow) => row.by_tool.length === 0 && row.tool_calls > 0;
const lacksClients = (row: ActivityRow) =>
  Object.keys(row.daily_active_users_by_client).length === 0 && row.daily_active_users > 0;
const lacksModels = (row: TokensRow) => row.by_model.length === 0 && row.billable_tokens > 0;

/** Adds the missing tools of days from `group_by=tool_name`. */
export async function withToolNames(
  analytics: Pick<Analytics, 'toolsByName'>,
  range: AnalyticsPeriod,
  answer: Envelope<ToolsRow>,
): Promise<Envelope<ToolsRow>> {
  if (!answer.data.some(lacksTools)) return answer;
  const grouped = Map.groupBy((await analytics.toolsByName(range)).data, ({ date }) => date);
  const data = answer.data.map((row) => {
    const rows = lacksTools(row) ? (grouped.get(row.date) ?? []) : undefined;
    return rows ? { ...row, by_tool: rows.map((one) => ({ tool: one.group_key, invocations: one.tool_calls })) } : row;
  });
  return { ...answer, data };
}

/** Adds the missing clients of days from `group_by=client`. */
export async function withClients(
  analytics: Pick<Analytics, 'activityByClient'>,
  range: AnalyticsPeriod,
  answer: Envelope<ActivityRow>,
): Promise<Envelope<ActivityRow>> {
  if (!answer.data.some(lacksClients)) return answer;
  const grouped = Map.groupBy((await analytics.activityByClient(range)).data, ({ date }) => date);
  const data = answer.data.map((row) => {
    const rows = lacksClients(row) ? (grouped.get(row.date) ?? []) : undefined;
    if (!rows) return row;
    const clients = Object.fromEntries(rows.map((one) => [one.group_key, one.daily_active_users]));
    return { ...row, daily_active_users_by_client: clients };
  });
  return { ...answer, data };
}

/** Adds the missing models of days from `group_by=model`, which has no tiers. */
export async function withModels(
  analytics: Pick<Analytics, 'tokensByModel'>,
  range: AnalyticsPeriod,
  answer: Envelope<TokensRow>,
): Promise<Envelope<TokensRow>> {
  if (!answer.data.some(lacksModels)) return answer;
  const grouped = Map.groupBy((await analytics.tokensByModel(range)).data, ({ date }) => date);
  const data = answer.data.map((row) => {
    const rows = lacksModels(row) ? (grouped.get(row.date) ?? []) : undefined;
    if (!rows) return row;
    const by_model = rows.map(({ group_key, billable_tokens, input_tokens, output_tokens }) => ({
      model_id: group_key,
      model_tier: null,
      billable_tokens,
      input_tokens,
      output_tokens,
    }));
    return { ...row, by_model };
  });
  return { ...answer, data };
}
