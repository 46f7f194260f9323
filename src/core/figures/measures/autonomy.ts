import type { OrganizationFacts } from '../../analytics/day-facts.ts';
import type { ToolsRow } from '../../platform/endpoints/analytics-rows.ts';
import { knownOf, rowsWithin, type Measurement, type ReportScope } from './figures.ts';
import { sumOf } from '../../base/statistics.ts';

/** An average over days of different size, with its weights: a plain average of averages would be wrong. */
export interface WeightedAverage {
  value: number;
  weightedBy: 'messages' | 'sessions' | 'tool calls';
}

/** The lowest and the highest day; percentiles of several days have no average. */
export interface DayRange {
  low: number;
  high: number;
}

/** How much work was done without asking the user. Values that no day reported are undefined. */
export interface Autonomy {
  /** The share of tool calls at each level, largest first. */
  levels: { level: string; part: number }[];
  callsPerTurn: WeightedAverage | undefined;
  median: DayRange | undefined;
  ninetieth: DayRange | undefined;
  callsPerSession: WeightedAverage | undefined;
  turnsPerSession: WeightedAverage | undefined;
}

export function autonomyOf(
  tools: OrganizationFacts['tools'],
  activity: OrganizationFacts['activity'],
  { period }: ReportScope,
): Measurement<Autonomy> {
  return knownOf(tools, period, (rows) => {
    // The document does not name the base of its averages; their own denominators are the fair weight.
    const activeRows = new Map(rowsWithin(activity, period).map((row) => [row.date, row]));
    const isWhole = rows.every((row) => activeRows.has(row.date));
    const turns = (row: ToolsRow) => (isWhole ? (activeRows.get(row.date)?.user_messages ?? 0) : row.tool_calls);
    const sessions = (row: ToolsRow) => (isWhole ? (activeRows.get(row.date)?.sessions ?? 0) : row.tool_calls);
    const average = (
      value: (row: ToolsRow) => number | null,
      weight: (row: ToolsRow) => number,
      weightedBy: WeightedAverage['weightedBy'],
    ): WeightedAverage | undefined => {
      const reported = rows.filter((row) => value(row) !== null);
      const weights = sumOf(reported, weight);
      if (weights === 0) return undefined;
      const sum = sumOf(reported, (row) => (value(row) ?? 0) * weight(row));
      return { value: sum / weights, weightedBy: isWhole ? weightedBy : 'tool calls' };
    };
    const worked = rows.filter((row) => turns(row) > 0);
    return {
      levels: levelsOf(rows),
      callsPerTurn: average((row) => row.autonomy_ratio_avg, turns, 'messages'),
      median: rangeOf(worked, (row) => row.autonomy_ratio_p50),
      ninetieth: rangeOf(worked, (row) => row.autonomy_ratio_p90),
      callsPerSession: average((row) => row.tool_calls_per_session_avg, sessions, 'sessions'),
      turnsPerSession: average((row) => row.user_turns_per_session_avg, sessions, 'sessions'),
    };
  });
}

function rangeOf(rows: readonly ToolsRow[], value: (row: ToolsRow) => number | null) {
  const values = rows.flatMap((row) => value(row) ?? []);
  return values.length === 0 ? undefined : { low: Math.min(...values), high: Math.max(...values) };
}

function levelsOf(rows: readonly ToolsRow[]): Autonomy['levels'] {
  // A day without levels is not a day on which all work was done by hand.
  const reported = rows.filter((row) => Object.keys(row.tool_autonomy_level_ratio).length > 0);
  const calls = sumOf(reported, (row) => row.tool_calls);
  if (calls === 0) return [];
  const sums = new Map<string, number>();
  for (const row of reported) {
    for (const [level, part] of Object.entries(row.tool_autonomy_level_ratio)) {
      sums.set(level, (sums.get(level) ?? 0) + part * row.tool_calls);
    }
  }
  return [...sums]
    .map(([level, sum]) => ({ level, part: sum / calls }))
    .filter(({ part }) => part > 0)
    .toSorted((a, b) => b.part - a.part || (a.level < b.level ? -1 : 1));
}
