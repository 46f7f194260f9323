import type { OrganizationFacts, Part } from '../../../core/analytics/day-facts.ts';
import type {
  ActivityRow,
  CreditsRow,
  ProductivityRow,
  ToolsRow,
} from '../../../core/platform/endpoints/analytics-rows.ts';
import type { Period } from '../../../core/base/time/calendar.ts';
import { csvLines, type CsvCell } from '../../../core/base/text/csv.ts';
import {
  type AmountsOf,
  amountsByName,
  modelCredits,
  serverCalls,
  tierCredits,
  toolCalls,
} from '../../../core/figures/measures/breakdown.ts';
import { NO_PRICES, type PriceList } from '../../../core/figures/money/price-list.ts';
import { PRICE_TITLES, priceCells } from './price-columns.ts';
import { rowsWithin, type DatedRow } from '../../../core/figures/measures/figures.ts';
import { hookName } from '../reports/tools-report.ts';

export interface CsvDefinition<Row extends keyof OrganizationFacts> {
  name: string;
  /** A remark beside the file, if its name is not that of the view. */
  note?: string;
  needs: readonly Row[];
  rows(facts: Pick<OrganizationFacts, Row>, period: Period): CsvCell[][];
}

const HEADER = ['Day', 'Of', 'Name', 'Measure', 'Value'];
const WHOLE = 'organization';
const CREDITS_MEASURE = 'Standard Credits';

/** Writes one line for each published day, item and measure; facts that could not be read have no lines. */
export function organizationCsv<Row extends keyof OrganizationFacts>(
  facts: Pick<OrganizationFacts, Row>,
  csv: CsvDefinition<Row>,
  period: Period,
  prices: PriceList = NO_PRICES,
): string {
  const rows = csv.rows(facts, period);
  if (prices.isEmpty) return csvLines([HEADER, ...rows]);
  const cells = rows.map((row) => [...row, ...priceCells(isCredits(row) ? prices.on(String(row[0])) : undefined)]);
  return csvLines([[...HEADER, ...PRICE_TITLES], ...cells]);
}

const isCredits = ([, , , measure]: CsvCell[]) => measure === CREDITS_MEASURE;

/** An incomplete file would look complete, so none is sent. */
export function throwIfUnreadable(part: Part<unknown>): void {
  if (part.kind === 'unreadable') throw part.fault;
}

type RowsOfDay<Row> = (row: Row) => CsvCell[][];

function rowsOf<Row extends DatedRow>(part: Part<Row>, period: Period, kinds: readonly RowsOfDay<Row>[]): CsvCell[][] {
  return rowsWithin(part, period).flatMap((row) =>
    kinds.flatMap((kind) => kind(row).map((cells) => [row.date, ...cells])),
  );
}

type Measures<Row> = readonly (readonly [measure: string, value: (row: Row) => number | null])[];

/** A value that the platform left out has no line. */
function wholes<Row>(measures: Measures<Row>): RowsOfDay<Row> {
  return (row) =>
    measures.flatMap(([measure, value]) => {
      const cell = value(row);
      return cell === null ? [] : [[WHOLE, '', measure, cell]];
    });
}

type Breakdown<Row> = readonly [of: string, measure: string, amounts: AmountsOf<Row>];

function breakdowns<Row>(list: readonly Breakdown<Row>[]): RowsOfDay<Row>[] {
  return list.map(
    ([of, measure, amounts]) =>
      (row) =>
        [...amountsByName([row], amounts)].map(([name, amount]) => [of, name, measure, amount]),
  );
}

const CREDITS: Measures<CreditsRow> = [
  [CREDITS_MEASURE, (row) => row.billable_tokens],
  ['Input tokens', (row) => row.input_tokens],
  ['Output tokens', (row) => row.output_tokens],
  ['Cache reads', (row) => row.cache_read_tokens],
  ['Cache writes', (row) => row.cache_write_tokens],
];
const CREDITS_BY_MODEL: Breakdown<CreditsRow> = ['model', CREDITS_MEASURE, modelCredits];
const TOKENS_BY_MODEL: Breakdown<CreditsRow>[] = [
  ['model', 'Input tokens', (row) => row.by_model.map((model) => [model.model_id, model.input_tokens])],
  ['model', 'Output tokens', (row) => row.by_model.map((model) => [model.model_id, model.output_tokens])],
];

const ACTIVITY: Measures<ActivityRow> = [
  ['Active people', (row) => row.daily_active_users],
  ['Active people in 7 days', (row) => row.weekly_active_users],
  ['Active people in 30 days', (row) => row.monthly_active_users],
  ['Sessions', (row) => row.sessions],
  ['Messages', (row) => row.messages],
  ['Messages by people', (row) => row.user_messages],
];
const BY_CLIENT: Breakdown<ActivityRow> = [
  'client',
  'Active people',
  (row) => Object.entries(row.daily_active_users_by_client),
];

const OUTPUT: Measures<ProductivityRow> = [
  ['Commits', (row) => row.git_commits],
  ['Pull requests', (row) => row.git_prs_created],
  ['Files created', (row) => row.files_created],
  ['Files edited', (row) => row.files_edited],
];
const OUTPUT_BREAKDOWNS: Breakdown<ProductivityRow>[] = [
  ['language', 'File operations', (row) => row.by_language.map(({ language, count }) => [language, count])],
  ['extension', 'File operations', (row) => row.by_extension.map(({ extension, count }) => [extension, count])],
];

const TOOLS: Measures<ToolsRow> = [
  ['Tool calls', (row) => row.tool_calls],
  ['Skills', (row) => row.skills_invocations],
  ['Slash commands', (row) => row.slash_commands_invocations],
  ['Hooks', (row) => row.hooks_invocations],
  ['People with tool servers', (row) => row.mcp_users_with_mcp],
  ['People on the web', (row) => row.web_users],
  ['Tool calls per message, average', (row) => row.autonomy_ratio_avg],
  ['Tool calls per message, median', (row) => row.autonomy_ratio_p50],
  ['Tool calls per message, 90th percentile', (row) => row.autonomy_ratio_p90],
  ['Tool calls per session, average', (row) => row.tool_calls_per_session_avg],
  ['Messages by people per session, average', (row) => row.user_turns_per_session_avg],
];
function toolBreakdowns(tools: OrganizationFacts['tools']): Breakdown<ToolsRow>[] {
  return [
    ['autonomy level', 'Part of tool calls', (row) => Object.entries(row.tool_autonomy_level_ratio)],
    ['tool', 'Tool calls', toolCalls],
    ['tool server', 'Calls', serverCalls(tools.kind === 'read' ? tools.rows : [])],
    ['skill', 'Uses', (row) => row.skills_by_name.map(({ name, count }) => [name, count])],
    ['slash command', 'Uses', (row) => row.slash_commands_by_name.map(({ name, count }) => [name, count])],
    ['hook', 'Runs', (row) => row.hooks_by_event.map((hook) => [hookName(hook), hook.count])],
  ];
}

type Facts<Row extends keyof OrganizationFacts> = Pick<OrganizationFacts, Row>;
const creditRows = ({ credits }: Facts<'credits'>, period: Period) => rowsOf(credits, period, [wholes(CREDITS)]);
const activityRows = ({ activity }: Facts<'activity'>, period: Period) =>
  rowsOf(activity, period, [wholes(ACTIVITY), ...breakdowns([BY_CLIENT])]);
const outputRows = ({ productivity }: Facts<'productivity'>, period: Period) =>
  rowsOf(productivity, period, [wholes(OUTPUT), ...breakdowns(OUTPUT_BREAKDOWNS)]);

export const SUMMARY_CSV: CsvDefinition<'credits' | 'activity' | 'productivity'> = {
  name: 'summary',
  needs: ['credits', 'activity', 'productivity'],
  rows: (facts, period) => [...creditRows(facts, period), ...activityRows(facts, period), ...outputRows(facts, period)],
};
export const CREDITS_CSV: CsvDefinition<'credits'> = {
  name: 'credits',
  needs: ['credits'],
  rows: (facts, period) => [
    ...creditRows(facts, period),
    ...rowsOf(
      facts.credits,
      period,
      breakdowns([CREDITS_BY_MODEL, ['tier', CREDITS_MEASURE, tierCredits], ...TOKENS_BY_MODEL]),
    ),
  ],
};
export const MODELS_CSV: CsvDefinition<'credits'> = {
  name: 'models',
  needs: ['credits'],
  rows: ({ credits }, period) => rowsOf(credits, period, breakdowns([CREDITS_BY_MODEL, ...TOKENS_BY_MODEL])),
};
export const TOOLS_CSV: CsvDefinition<'tools'> = {
  name: 'tools',
  needs: ['tools'],
  rows: ({ tools }, period) => rowsOf(tools, period, [wholes(TOOLS), ...breakdowns(toolBreakdowns(tools))]),
};
export const ACTIVITY_CSV: CsvDefinition<'activity'> = { name: 'activity', needs: ['activity'], rows: activityRows };
export const PRODUCTIVITY_CSV: CsvDefinition<'productivity'> = {
  name: 'productivity',
  needs: ['productivity'],
  rows: outputRows,
};
