import type { Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { Column } from '../../../core/base/text/columns.ts';
import { csvHeader, csvRows } from '../../../core/base/text/csv.ts';
import { answerWithFile } from '../../../core/slack/interactions/file-answer.ts';
import { markup, own } from '../../../core/base/text/markup.ts';
import { changeOf } from '../reports/comparison.ts';
import { buildOverview, type OverviewRow } from '../reports/overview.ts';
import type { ReadinessDeps } from '../readiness-deps.ts';
import type { Readings } from '../reports/reading.ts';
import { toPoints, unreadableWords } from './sentences.ts';

const COLUMNS: readonly Column<OverviewRow>[] = [
  { title: 'Repository', cell: ({ reports }) => reports.repository.label },
  { title: 'Address', cell: ({ reports }) => reports.repository.url ?? '' },
  { title: 'Criteria passed', cell: ({ score }) => score.passed },
  { title: 'Criteria', cell: ({ score }) => score.criteria },
  { title: 'Checks passed', cell: ({ score }) => score.numerator },
  { title: 'Checks', cell: ({ score }) => score.denominator },
  { title: 'Change in points', cell: ({ comparison }) => pointsCell(changeOf(comparison)) },
  { title: 'Report of', cell: ({ reports }) => timeWords(new Date(reports.latest.createdAt)) },
  { title: 'Commit', cell: ({ reports }) => reports.latest.commitHash ?? '' },
  { title: 'Branch', cell: ({ reports }) => reports.latest.branch ?? '' },
  { title: 'Local changes', cell: ({ reports }) => (reports.latest.hasLocalChanges ? 'yes' : '') },
  { title: 'Unpushed commits', cell: ({ reports }) => (reports.latest.hasNonRemoteCommits ? 'yes' : '') },
  { title: 'Report id', cell: ({ reports }) => reports.latest.reportId },
];

const pointsCell = (change: number | undefined) => (change === undefined ? '' : toPoints(change));

const timeWords = (date: Date) => (Number.isNaN(date.getTime()) ? '' : date.toISOString());

export async function sendOverviewCsv(
  { readings, files, clock }: ReadinessDeps & { readings: Readings },
  filter: string,
  interaction: Interaction,
): Promise<void> {
  interaction.reply.progress('Reading the reports …');
  const { rows, unreadable } = buildOverview(await readings.all(), filter);
  const name = `readiness-${clock.now().toISOString().slice(0, 10)}.csv`;
  const content = csvHeader(COLUMNS) + csvRows(COLUMNS, rows);
  const comment = markup`The latest readiness report of each repository.${own(unreadableWords(unreadable))}`;
  await answerWithFile(files, interaction, { name, title: 'Readiness', content, comment });
}
