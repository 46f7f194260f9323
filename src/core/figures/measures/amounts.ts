import type { CreditsRow, ToolsRow } from '../../platform/endpoints/analytics-rows.ts';
import { ROUNDING } from '../../base/text/numbers.ts';
import { amountsByName, type AmountsOf } from './breakdown.ts';
import { sumOf } from '../../base/statistics.ts';

type Amounts = (readonly [name: string, amount: number])[];

export const NO_MODEL = 'no model named';
const UNKNOWN_TIER = 'unknown tier';

/** Returns credits by model; credits of the day beyond its models remain visible as `NO_MODEL`. */
export function modelCredits(row: CreditsRow): Amounts {
  const amounts: Amounts = row.by_model.map((model) => [model.model_id, model.billable_tokens]);
  return withRest(amounts, NO_MODEL, row.billable_tokens);
}

export function tierCredits(row: CreditsRow): Amounts {
  const amounts: Amounts = row.by_model.map((model) => [model.model_tier ?? UNKNOWN_TIER, model.billable_tokens]);
  return withRest(amounts, UNKNOWN_TIER, row.billable_tokens);
}

/** Returns calls by tool; names with parsing artifacts, and calls without a name, are "other". */
export function toolCalls(row: ToolsRow): Amounts {
  const amounts: Amounts = row.by_tool.map(({ tool, invocations }) => [toolName(tool), invocations]);
  return withRest(amounts, OTHER_TOOLS, row.tool_calls);
}

function withRest(amounts: Amounts, name: string, total: number): Amounts {
  const rest = total - sumOf(amounts, ([, amount]) => amount);
  // A breakdown may exceed the total, for example if it is rounded: that is no negative rest.
  // Adding decimals leaves a tiny rest, which is none either.
  return rest > total * ROUNDING ? [...amounts, [name, rest]] : amounts;
}

export const OTHER_TOOLS = 'other';

/** Names with other characters (markup, quotes, blanks) are parsing artifacts: 0.006 % by the platform’s document. */
const TOOL_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}$/;

/** @example toolName('mcp__github__search') // 'mcp__github__search'; toolName('Read</tool_name>') // 'other' */
export function toolName(name: string): string {
  return TOOL_NAME.test(name) ? name : OTHER_TOOLS;
}

/** Returns calls by server; names that differ only in letter case are merged under the most frequent spelling. */
export function serverCalls(rows: readonly ToolsRow[]): AmountsOf<ToolsRow> {
  const spellings = amountsByName(rows, serversOf);
  const best = new Map<string, string>();
  for (const [name, calls] of spellings) {
    const key = name.toLowerCase();
    const bestName = best.get(key);
    const most = bestName === undefined ? -1 : (spellings.get(bestName) ?? 0);
    if (calls > most || (calls === most && bestName !== undefined && name < bestName)) best.set(key, name);
  }
  return (row) => serversOf(row).map(([name, calls]) => [best.get(name.toLowerCase()) ?? name, calls] as const);
}

function serversOf(row: ToolsRow): (readonly [name: string, calls: number])[] {
  return row.mcp_by_server.map(({ server, invocations }) => [server, invocations]);
}
