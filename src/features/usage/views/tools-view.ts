import { formatDay } from '../../../core/base/time/calendar.ts';
import { formatCompact, formatShare } from '../../../core/base/text/numbers.ts';
import type { ToolsRow } from '../../../core/platform/endpoints/analytics-rows.ts';
import { changeWords, compactCount } from '../../../core/figures/measures/sentences.ts';
import type { Autonomy, DayRange, WeightedAverage } from '../../../core/figures/measures/autonomy.ts';
import { OTHER_TOOLS, shareLines, shortName } from '../../../core/figures/measures/breakdown.ts';
import {
  type LabelledFigure,
  type LayeredParagraph,
  type View,
  type ViewNotes,
  byDay,
  inMore,
  layeredFigures,
  viewOf,
} from './paragraphs.ts';
import type { Figure, Measurement } from '../../../core/figures/measures/figures.ts';
import { headline, list, note, type Paragraph } from '../../../core/slack/blocks/paragraphs.ts';
import type { PeopleOnDays } from '../reports/totals-report.ts';
import type { ToolsReport } from '../reports/tools-report.ts';

const MAX_NAMED = 5;
const MAX_LEVELS = 6;
/** The details have several such lists; the CSV names everything. */
const MAX_NAMED_IN_MORE = 3;

export function toolsView(report: ToolsReport, notes: ViewNotes): View {
  return viewOf('Tools', { source: report.source, notes }, [
    headline(toolsHeadline(report.calls)),
    ...callsByDay(report.days),
    list('Tools', shareLines(report.tools, MAX_NAMED, 'more tool')),
    inMore(
      note(
        report.tools.some(({ name }) => name === OTHER_TOOLS)
          ? '“other” counts calls whose tool name was garbled or missing.'
          : '',
      ),
    ),
    inMore(list('Tool servers', shareLines(report.servers, MAX_NAMED_IN_MORE, 'more server'))),
    inMore(list('Skills', shareLines(report.skills, MAX_NAMED_IN_MORE, 'more skill'))),
    inMore(list('Slash commands', shareLines(report.commands, MAX_NAMED_IN_MORE, 'more command'))),
    inMore(list('Hooks', shareLines(report.hooks, MAX_NAMED_IN_MORE, 'more hook'))),
    layeredFigures(useFigures(report), 4),
    ...autonomyParagraphs(report.autonomy).map(inMore),
  ]);
}

function toolsHeadline(calls: Measurement<Figure>): string {
  if (calls.kind === 'unreadable') return 'The tools could not be read';
  if (calls.kind === 'unpublished') return 'The tools are not published yet';
  const change = changeWords(calls.value);
  return `${compactCount(calls.value.value, 'tool call')}${change === '' ? '' : `, ${change}`}`;
}

function useFigures(report: ToolsReport): LabelledFigure[] {
  return [
    ['Skill uses', report.skillUses],
    ['Slash commands', report.commandUses],
    ['Hook runs', report.hookRuns],
    ...callsPerMessage(report.autonomy),
    ...peopleFigure('People with tool servers', report.serverUsers),
    ...peopleFigure('People on the web', report.webUsers),
  ];
}

function callsPerMessage(autonomy: Measurement<Autonomy>): LabelledFigure[] {
  const average = autonomy.kind === 'known' ? autonomy.value.callsPerTurn : undefined;
  return average ? [['Tool calls per message', formatCompact(average.value)]] : [];
}

function peopleFigure(label: string, people: Measurement<PeopleOnDays>): LabelledFigure[] {
  if (people.kind !== 'known') return [];
  const { averageDaily, peak } = people.value;
  return [
    [
      label,
      `${formatCompact(averageDaily)} on an average day, up to ${formatCompact(peak.daily)} (${formatDay(peak.day)})`,
    ],
  ];
}

function autonomyParagraphs(autonomy: Measurement<Autonomy>): Paragraph[] {
  if (autonomy.kind !== 'known') return [];
  const { levels, callsPerTurn, median, ninetieth, callsPerSession, turnsPerSession } = autonomy.value;
  return [
    list('Autonomy', [
      ...levelLine(levels),
      ...averageLine('Tool calls per message', callsPerTurn),
      ...rangeLine('Daily median', median),
      ...rangeLine('Daily 90th percentile', ninetieth),
      ...averageLine('Tool calls per session', callsPerSession),
      ...averageLine('People’s messages per session', turnsPerSession),
    ]),
  ];
}

function levelLine(levels: Autonomy['levels']): string[] {
  const shares = levels.slice(0, MAX_LEVELS).map(({ level, part }) => `${levelName(level)} ${formatShare(part, 1)}`);
  return shares.length === 0 ? [] : [`Tool calls by level: ${shares.join(', ')}`];
}

/** @example levelName('auto_high') // 'auto-high', as the platform writes it elsewhere */
function levelName(level: string): string {
  return shortName(level.replaceAll('_', '-'));
}

const averageLine = (label: string, average: WeightedAverage | undefined) =>
  average ? [`${label}: ${formatCompact(average.value)} on average, weighted by ${average.weightedBy}`] : [];

function rangeLine(label: string, range: DayRange | undefined): string[] {
  if (!range) return [];
  const [low, high] = [formatCompact(range.low), formatCompact(range.high)];
  return [low === high ? `${label}: ${low}` : `${label}: ${low} to ${high}`];
}

function callsByDay(days: ToolsReport['days']): LayeredParagraph[] {
  const calls = { title: 'Tool calls', cell: (row: ToolsRow) => row.tool_calls };
  return byDay({
    title: 'Tool calls',
    kind: 'bar',
    aggregation: 'sum',
    days,
    series: [calls],
    caption: 'Tools by day, UTC',
    columns: [
      calls,
      { title: 'Skills', cell: (row) => row.skills_invocations },
      { title: 'Slash commands', cell: (row) => row.slash_commands_invocations },
      { title: 'Hooks', cell: (row) => row.hooks_invocations },
    ],
  });
}
