import type { ToolsRow } from '../../platform/endpoints/analytics-rows.ts';
import { amountsByName, type AmountsOf } from './breakdown.ts';

/** Calls by server, those that differ in letter case under the spelling that was used most. */
export function serverCalls(rows: readonly ToolsRow[]): AmountsOf<ToolsRow> {
  const spellings = amountsByName(rows, serversOf);
  const best = new Map<string, string>();
  for (const [name, calls] of spellings) {
    const key = name.toLowerCase();
    const known = best.get(key);
    const most = known === undefined ? -1 : (spellings.get(known) ?? 0);
    if (calls > most || (calls === most && known !== undefined && name < known)) best.set(key, name);
  }
  return (row) => serversOf(row).map(([name, calls]) => [best.get(name.toLowerCase()) ?? name, calls] as const);
}

function serversOf(row: ToolsRow): (readonly [name: string, calls: number])[] {
  return row.mcp_by_server.map(({ server, invocations }) => [server, invocations]);
}
