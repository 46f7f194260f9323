import type { OrganizationFacts } from '../../../core/analytics/day-facts.ts';
import type { ToolsRow } from '../../../core/platform/endpoints/analytics-rows.ts';
import { spreadOf } from './totals-report.ts';
import { type AmountsOf, breakdownOf, serverCalls, toolCalls } from '../../../core/figures/measures/breakdown.ts';
import { autonomyOf } from '../../../core/figures/measures/autonomy.ts';
import {
  type ReportScope,
  dayRowsOf,
  faultsOf,
  figureOf,
  knownOf,
  sourceOf,
} from '../../../core/figures/measures/figures.ts';

/** @param facts activity only provides the weights of averages; without it, tool calls do */
export function buildToolsReport(
  { tools, activity }: Pick<OrganizationFacts, 'tools' | 'activity'>,
  scope: ReportScope,
) {
  const figure = (measure: (row: ToolsRow) => number) => figureOf(tools, scope, measure);
  const named = (amounts: AmountsOf<ToolsRow>) => breakdownOf(tools, scope, amounts);
  const users = (measure: (row: ToolsRow) => number) => knownOf(tools, scope.period, (rows) => spreadOf(rows, measure));
  return {
    scope,
    calls: figure((row) => row.tool_calls),
    tools: named(toolCalls),
    servers: named(serverCalls(tools.kind === 'read' ? tools.rows : [])),
    serverUsers: users((row) => row.mcp_users_with_mcp),
    webUsers: users((row) => row.web_users),
    skillUses: figure((row) => row.skills_invocations),
    skills: named((row) => row.skills_by_name.map(({ name, count }) => [name, count])),
    commandUses: figure((row) => row.slash_commands_invocations),
    commands: named((row) => row.slash_commands_by_name.map(({ name, count }) => [name, count])),
    hookRuns: figure((row) => row.hooks_invocations),
    /** By event and matcher. The command of a hook may contain anything, and is not shown. */
    hooks: named((row) => row.hooks_by_event.map((hook) => [hookName(hook), hook.count])),
    autonomy: autonomyOf(tools, activity, scope),
    days: dayRowsOf(tools, scope),
    source: sourceOf([tools, activity], scope),
    faults: faultsOf({ tools, activity }),
  };
}

export type ToolsReport = ReturnType<typeof buildToolsReport>;

export function hookName({ event, matcher }: { event: string; matcher: string | null }): string {
  return matcher ? `${event} (${matcher})` : event;
}
