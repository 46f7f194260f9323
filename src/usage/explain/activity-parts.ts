import { formatDay, lengthOf } from '../../base/time/calendar.ts';
import { largestTerms, explainSum, termsByDay, type ExplainedPart } from '../../figures/explanation/explanation.ts';
import type { Figure, Known } from '../../figures/measures/figures.ts';
import type { ActivityReport } from '../reports/activity-report.ts';
import type { ToolsReport } from '../reports/tools-report.ts';
import { sumOf } from '../../figures/measures/figures.ts';

/** Numbers of people are never added over days, because a person would count on each day. */
export function activeParts({ scope, active }: Pick<ActivityReport, 'scope' | 'active'>): ExplainedPart[] {
  const facts = ['activity'] as const;
  if (active.kind !== 'known')
    return [
      { label: 'Active people', value: active, formula: 'As the platform counts them.', facts, days: scope.period },
    ];
  const { day, daily, weekly, monthly, averageDaily } = active.value;
  const counted = (label: string, value: number | undefined, formula: string): ExplainedPart[] =>
    value === undefined
      ? []
      : [{ label, value: { kind: 'known', value }, formula, facts, days: { first: day, last: day } }];
  const through = `The platform’s own count through ${formatDay(day)}; each person counts once.`;
  const average: ExplainedPart = {
    label: 'Active people on an average day',
    value: { kind: 'known', value: averageDaily },
    formula: 'The sum of each day’s count ÷ the number of published days.',
    facts,
    days: scope.period,
  };
  return [
    ...counted(`Active people on ${formatDay(day)}`, daily, 'The platform’s own count for that day.'),
    ...counted('Active people in 7 days', weekly, through),
    ...counted('Active people in 30 days', monthly, through),
    ...(lengthOf(scope.period) > 1 ? [average] : []),
  ];
}

export function explainActivity(report: ActivityReport): ExplainedPart[] {
  const { scope, days, sessions, messages, userMessages, clients } = report;
  const facts = ['activity'] as const;
  const sum = (label: string, figure: Known<Figure>) =>
    explainSum(figure, { label, formula: `The sum of each day’s ${label.toLowerCase()}.`, scope, facts });
  return [
    ...activeParts(report),
    { ...sum('Sessions', sessions), terms: termsByDay(days, (row) => row.sessions) },
    sum('Messages', messages),
    sum('Messages by people', userMessages),
    ...clients.slice(0, 5).map(({ client, averageDaily }): ExplainedPart => ({
      label: `People a day, ${client}`,
      value: { kind: 'known', value: averageDaily },
      formula: 'The sum of each day’s count ÷ the number of published days.',
      facts,
      days: scope.period,
    })),
  ];
}

export function explainTools(report: ToolsReport): ExplainedPart[] {
  const { scope, days, calls, tools, skillUses, commandUses, hookRuns, autonomy } = report;
  const facts = ['tools'] as const;
  const sum = (label: string, figure: Known<Figure>) =>
    explainSum(figure, { label, formula: 'The sum over these days.', scope, facts });
  const average = autonomy.kind === 'known' ? autonomy.value.callsPerTurn : undefined;
  return [
    { ...sum('Tool calls', calls), terms: termsByDay(days, (row) => row.tool_calls) },
    {
      ...sum('Calls by tool', { kind: 'known', value: { value: sumOf(tools, ({ value }) => value) } }),
      formula: 'For each tool, the sum of its calls on these days.',
      terms: largestTerms(tools, 'other tool'),
    },
    sum('Skill uses', skillUses),
    sum('Slash commands', commandUses),
    sum('Hook runs', hookRuns),
    ...(average
      ? [
          {
            label: 'Tool calls per message',
            value: { kind: 'known', value: average.value } as const,
            formula: `The average of the days’ averages, each day weighted by its ${average.weightedBy}.`,
            facts: ['tools', 'activity'] as const,
            days: scope.period,
          },
        ]
      : []),
  ];
}
