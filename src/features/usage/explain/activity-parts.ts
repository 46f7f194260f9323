import { formatDay, lengthOf } from '../../../core/base/time/calendar.ts';
import {
  explainer,
  ifKnown,
  largestTerms,
  termsByDay,
  type ExplainedPart,
} from '../../../core/figures/explanation/explanation.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import type { ActivityReport } from '../reports/totals-report.ts';
import type { ToolsReport } from '../reports/tools-report.ts';

const AVERAGE = 'The sum of each day’s count ÷ the number of published days.';

/** Numbers of people are never added over days, because a person would count on each day. */
export function activeParts({ scope, active }: Pick<ActivityReport, 'scope' | 'active'>): ExplainedPart[] {
  const explain = explainer(scope, 'activity');
  if (active.kind !== 'known') return [explain('Active people', active, 'As the platform counts them.')];
  const { day, daily, weekly, monthly, averageDaily } = active.value;
  const explainDay = explainer({ period: { first: day, last: day } }, 'activity');
  const counted = (label: string, value: number | undefined, formula: string) =>
    value === undefined ? [] : [explainDay(label, value, formula)];
  const through = `The platform’s own count through ${formatDay(day)}; each person counts once.`;
  return [
    ...counted(`Active people on ${formatDay(day)}`, daily, 'The platform’s own count for that day.'),
    ...counted('Active people in 7 days', weekly, through),
    ...counted('Active people in 30 days', monthly, through),
    ...(lengthOf(scope.period) > 1 ? [explain('Active people on an average day', averageDaily, AVERAGE)] : []),
  ];
}

export function explainActivity(report: ActivityReport): ExplainedPart[] {
  const { scope, days, sessions, messages, userMessages, clients } = report;
  const explain = explainer(scope, 'activity');
  const sessionsByDay = termsByDay(days, (row) => row.sessions);
  return [
    ...activeParts(report),
    explain('Sessions', sessions, 'The sum of each day’s sessions.', sessionsByDay),
    explain('Messages', messages, 'The sum of each day’s messages.'),
    explain('Messages by people', userMessages, 'The sum of each day’s messages by people.'),
    ...clients.slice(0, 5).map(({ client, averageDaily }) => explain(`People a day, ${client}`, averageDaily, AVERAGE)),
  ];
}

export function explainTools(report: ToolsReport): ExplainedPart[] {
  const { scope, days, calls, tools, skillUses, commandUses, hookRuns, autonomy } = report;
  const explain = explainer(scope, 'tools');
  const formula = 'The sum over these days.';
  const callsByDay = termsByDay(days, (row) => row.tool_calls);
  const [allCalls, callsByTool] = [sumOf(tools, ({ value }) => value), largestTerms(tools, 'other tool')];
  return [
    explain('Tool calls', calls, formula, callsByDay),
    explain('Calls by tool', allCalls, 'For each tool, the sum of its calls on these days.', callsByTool),
    explain('Skill uses', skillUses, formula),
    explain('Slash commands', commandUses, formula),
    explain('Hook runs', hookRuns, formula),
    ...ifKnown(autonomy, ({ callsPerTurn: average }) =>
      average
        ? [
            explainer(scope, 'tools', 'activity')(
              'Tool calls per message',
              average.value,
              `The average of the days’ averages, each day weighted by its ${average.weightedBy}.`,
            ),
          ]
        : [],
    ),
  ];
}
