import { formatDay, formatPeriod } from '../../base/calendar.ts';
import { formatNumber, formatShare } from '../../base/numbers.ts';
import type { ToolsRow } from '../../platform/endpoints/analytics-rows.ts';
import { changeWords } from '../sentences.ts';
import type { Autonomy, DayRange, WeightedAverage } from '../measures/autonomy.ts';
import { shareLines, shortName } from '../measures/breakdown.ts';
import { byDay } from './day-table.ts';
import type { Figure, Known } from '../measures/figures.ts';
import { headline, list, note, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { figures, viewOf, type LabelledFigure } from './paragraphs.ts';
import { OTHER_TOOLS } from '../measures/tool-names.ts';
import type { PeopleOnDays, ToolsReport } from '../reports/tools-report.ts';
import type { View, ViewNotes } from './view.ts';

const MAX_TOOLS = 8;
const MAX_NAMED = 5;

/** `/usage tools` */
export function toolsView(report: ToolsReport, notes: ViewNotes): View {
  return viewOf(
    `Tools, ${formatPeriod(report.scope.period)}`,
    [
      headline(toolsHeadline(report.calls)),
      list('Tools', shareLines(report.tools, MAX_TOOLS, 'more tool')),
      note(
        report.tools.some(({ name }) => name === OTHER_TOOLS)
          ? '“other” counts calls whose tool name came in garbled or not at all.'
          : '',
      ),
      ...callsByDay(report.days),
      list('Tool servers', shareLines(report.servers, MAX_NAMED, 'more server')),
      list('Skills', shareLines(report.skills, MAX_NAMED, 'more skill')),
      list('Slash commands', shareLines(report.commands, MAX_NAMED, 'more command')),
      list('Hooks', shareLines(report.hooks, MAX_NAMED, 'more hook')),
      figures(useFigures(report)),
      ...autonomyParagraphs(report.autonomy),
    ],
    notes,
    report.source,
  );
}

function toolsHeadline(calls: Known<Figure>): string {
  if (calls.kind === 'unreadable') return 'The tools could not be read';
  if (calls.kind === 'unpublished') return 'The tools are not published yet';
  const change = changeWords(calls.value);
  return `${formatNumber(calls.value.value)} tool calls${change === '' ? '' : `, ${change}`}`;
}

function useFigures(report: ToolsReport): LabelledFigure[] {
  return [
    ['Skill uses', report.skillUses],
    ['Slash commands', report.commandUses],
    ['Hook runs', report.hookRuns],
    ...peopleFigure('People with tool servers', report.serverUsers),
    ...peopleFigure('People on the web', report.webUsers),
  ];
}

function peopleFigure(label: string, people: Known<PeopleOnDays>): LabelledFigure[] {
  if (people.kind !== 'known') return [];
  const { averageDaily, peak } = people.value;
  return [
    [
      label,
      `${formatNumber(averageDaily)} on an average day, at most ${formatNumber(peak.daily)} (${formatDay(peak.day)})`,
    ],
  ];
}

function autonomyParagraphs(autonomy: Known<Autonomy>): Paragraph[] {
  if (autonomy.kind !== 'known') return [];
  const { levels, callsPerTurn, median, ninetieth, callsPerSession, turnsPerSession } = autonomy.value;
  return [
    list(
      'Autonomy, part of the tool calls',
      levels.slice(0, 6).map(({ level, part }) => `${levelName(level)}: ${formatShare(part, 1)}`),
    ),
    list('How far it goes alone', [
      ...averageLine('Tool calls for each message', callsPerTurn),
      ...rangeLine('Median on a day', median),
      ...rangeLine('90th percentile on a day', ninetieth),
      ...averageLine('Tool calls in a session', callsPerSession),
      ...averageLine('People’s messages in a session', turnsPerSession),
    ]),
  ];
}

/** @example levelName('auto_high') // 'auto-high', as the platform writes it elsewhere */
function levelName(level: string): string {
  return shortName(level.replaceAll('_', '-'));
}

const averageLine = (label: string, average: WeightedAverage | undefined) =>
  average ? [`${label}: ${formatNumber(average.value)} on average, weighted by ${average.weightedBy}`] : [];

function rangeLine(label: string, range: DayRange | undefined): string[] {
  if (!range) return [];
  const [low, high] = [formatNumber(range.low), formatNumber(range.high)];
  return [low === high ? `${label}: ${low}` : `${label}: ${low} to ${high}`];
}

function callsByDay(days: ToolsReport['days']): Paragraph[] {
  const calls = { title: 'Tool calls', cell: (row: ToolsRow) => row.tool_calls };
  return byDay({
    title: 'Tool calls',
    kind: 'bar',
    gathering: 'sum',
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
