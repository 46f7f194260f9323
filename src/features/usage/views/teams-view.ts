import type { Column } from '../../../core/base/text/columns.ts';
import { type Cost, formatCompact, formatPart, splitCost } from '../../../core/base/text/numbers.ts';
import type { Cell } from '../../../core/slack/blocks/blocks.ts';
import { clip } from '../../../core/base/text/markup.ts';
import { headline, note, numberCell, sentence, table } from '../../../core/slack/blocks/paragraphs.ts';
import { creditsHeadline } from '../../../core/figures/measures/sentences.ts';
import { type View, type ViewNotes, changeCell, shareCell, viewOf } from './paragraphs.ts';
import type { TeamLine, TeamsReport } from '../../teams/teams-report.ts';

export function teamsView(report: TeamsReport, notes: ViewNotes): View {
  const { scope, source, total, teams, cost } = report;
  const point = headline(creditsHeadline(total, scope, cost));
  if (teams.length === 0 && report.hidden.length === 0)
    return viewOf('Teams', { source, notes, hasNames: true }, [
      point,
      sentence('No teams yet. An admin of Quartermaster can choose them with /usage teams.'),
    ]);
  return viewOf('Teams', { source, notes, hasNames: true }, [
    point,
    ...(total.kind === 'known' && (teams.length > 0 || report.rest) ? [teamsTable(report, total.value.value)] : []),
    note(overlapWords(report)),
    note(hiddenWords(report)),
  ]);
}

function teamsTable({ teams, rest, cost, inSeveral, hidden }: TeamsReport, total: number) {
  const rows = [...teams, ...(rest ? [rest] : [])];
  const isWhole = rest !== undefined && inSeveral === 0 && hidden.length === 0;
  const moneyOf = cost && moneyColumn(cost, rows, isWhole);
  const isCompared = rows.some(({ before }) => before !== undefined);
  const hasActive = rows.some(({ active }) => active !== undefined);
  return table<TeamLine>({
    caption: 'Credits by team',
    columns: [
      { title: 'Team', cell: ({ name }) => clip(name, 60) },
      { title: 'Credits', cell: ({ value }) => numberCell(value) },
      ...(moneyOf ? [moneyOf] : []),
      { title: 'Share', cell: ({ value }) => shareCell(value, total) },
      ...(isCompared ? [{ title: 'Change', cell: (line: TeamLine) => changeCell(line, total) }] : []),
      { title: 'Members', cell: ({ members }) => (members === undefined ? '–' : numberCell(members)) },
      ...(hasActive ? [{ title: 'Active', cell: ({ active }: TeamLine) => numberCell(active ?? 0) }] : []),
    ],
    rows,
    pageSize: 10,
  });
}

/** Rows that are all of the total add up to its money as it is shown; others are rounded. */
function moneyColumn(total: Cost, rows: readonly TeamLine[], isWhole: boolean): Column<TeamLine, Cell> {
  const exactOf = ({ cost = { ...total, exact: 0n } }: TeamLine) => cost;
  const { parts, isRounded } = splitCost(total, new Map(rows.map((line) => [line.name, exactOf(line)])));
  const isSplit = isWhole && !isRounded;
  return {
    title: isSplit ? 'Money' : 'Money (rounded)',
    cell: (line) => formatPart((isSplit ? parts.get(line.name) : undefined) ?? exactOf(line), total, line.value),
  };
}

function hiddenWords({ hidden, rest }: TeamsReport): string {
  const names = [...hidden, ...(rest ? [] : ['people in no team'])];
  if (names.length === 0) return '';
  return `Not shown: ${names.join(', ')}. Alone or beside what was shown before, their figures would show what a few people used.`;
}

function overlapWords({ inSeveral }: TeamsReport): string {
  if (inSeveral === 0) return '';
  const who = inSeveral === 1 ? '1 person is' : `${formatCompact(inSeveral)} people are`;
  return `${who} in several teams and ${inSeveral === 1 ? 'counts' : 'count'} in each, so the rows add up to more than the total.`;
}
