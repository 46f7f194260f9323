import type { CreditsRow, ToolsRow } from '../../platform/endpoints/analytics-rows.ts';
import { ROUNDING } from '../../base/text/numbers.ts';
import { sumOf } from './figures.ts';
import { OTHER_TOOLS, toolName } from './tool-names.ts';

type Amounts = (readonly [name: string, amount: number])[];

export const NO_MODEL = 'no model told';
const UNKNOWN_TIER = 'unknown tier';

/** Credits by model; what the day has beyond its models stays visible. */
export function modelCredits(row: CreditsRow): Amounts {
  const amounts: Amounts = row.by_model.map((model) => [model.model_id, model.billable_tokens]);
  return withRest(amounts, NO_MODEL, row.billable_tokens);
}

/** Credits by tier. */
export function tierCredits(row: CreditsRow): Amounts {
  const amounts: Amounts = row.by_model.map((model) => [model.model_tier ?? UNKNOWN_TIER, model.billable_tokens]);
  return withRest(amounts, UNKNOWN_TIER, row.billable_tokens);
}

/** Calls by tool; names with leftovers of a parser, and calls without a name, are "other". */
export function toolCalls(row: ToolsRow): Amounts {
  const amounts: Amounts = row.by_tool.map(({ tool, invocations }) => [toolName(tool), invocations]);
  return withRest(amounts, OTHER_TOOLS, row.tool_calls);
}

function withRest(amounts: Amounts, name: string, total: number): Amounts {
  const rest = total - sumOf(amounts, ([, amount]) => amount);
  // Breakdowns of another kind than the total (rounded, for example) may add up to more; that is no negative rest. And
  // decimals leave a rest of their own when they are added up, which is none either.
  return rest > total * ROUNDING ? [...amounts, [name, rest]] : amounts;
}
