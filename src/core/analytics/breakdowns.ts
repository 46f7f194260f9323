import type { AnalyticsPeriod } from '../platform/endpoints/analytics-range.ts';
import type { Analytics } from '../platform/endpoints/analytics.ts';
import type { ActivityRow, Envelope, TokensRow, ToolsRow } from '../platform/endpoints/analytics-rows.ts';

// A day’s row may lack a breakdown: its figures are then read again with grouping, documented as separate rows.

const lacksTools = (row: ToolsRow) => row.by_tool.length === 0 && row.tool_calls > 0;
const lacksClients = (row: ActivityRow) =>
  Object.keys(row.daily_active_users_by_client).length === 0 && row.daily_active_users > 0;
const lacksModels = (row: TokensRow) => row.by_model.length === 0 && row.billable_tokens > 0;

/** Fills in the rows that lack a breakdown; the grouped rows are read only if one does. */
async function filled<Row extends { date: string }, Grouped extends { date: string }>(
  answer: Envelope<Row>,
  lacks: (row: Row) => boolean,
  readGrouped: () => Promise<Envelope<Grouped>>,
  fill: (rows: readonly Grouped[]) => Partial<Row>,
): Promise<Envelope<Row>> {
  if (!answer.data.some(lacks)) return answer;
  const grouped = Map.groupBy((await readGrouped()).data, ({ date }) => date);
  const data = answer.data.map((row) => (lacks(row) ? { ...row, ...fill(grouped.get(row.date) ?? []) } : row));
  return { ...answer, data };
}

/** Adds the missing tools of days from `group_by=tool_name`. */
export const withToolNames = (
  analytics: Pick<Analytics, 'toolsByName'>,
  range: AnalyticsPeriod,
  answer: Envelope<ToolsRow>,
): Promise<Envelope<ToolsRow>> =>
  filled(
    answer,
    lacksTools,
    () => analytics.toolsByName(range),
    (rows) => ({
      by_tool: rows.map((one) => ({ tool: one.group_key, invocations: one.tool_calls })),
    }),
  );

/** Adds the missing clients of days from `group_by=client`. */
export const withClients = (
  analytics: Pick<Analytics, 'activityByClient'>,
  range: AnalyticsPeriod,
  answer: Envelope<ActivityRow>,
): Promise<Envelope<ActivityRow>> =>
  filled(
    answer,
    lacksClients,
    () => analytics.activityByClient(range),
    (rows) => ({
      daily_active_users_by_client: Object.fromEntries(rows.map((one) => [one.group_key, one.daily_active_users])),
    }),
  );

/** Adds the missing models of days from `group_by=model`, which has no tiers. */
export const withModels = (
  analytics: Pick<Analytics, 'tokensByModel'>,
  range: AnalyticsPeriod,
  answer: Envelope<TokensRow>,
): Promise<Envelope<TokensRow>> =>
  filled(
    answer,
    lacksModels,
    () => analytics.tokensByModel(range),
    (rows) => ({
      by_model: rows.map(({ group_key, billable_tokens, input_tokens, output_tokens }) => ({
        model_id: group_key,
        model_tier: null,
        billable_tokens,
        input_tokens,
        output_tokens,
      })),
    }),
  );
