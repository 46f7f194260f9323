import type { Column } from '../../../core/base/text/columns.ts';
import type { Cell } from '../../../core/slack/blocks/blocks.ts';
import { headline, note, table, noteAt } from '../../../core/slack/blocks/paragraphs.ts';
import { clip } from '../../../core/base/text/markup.ts';
import { countOf, formatNumber } from '../../../core/base/text/numbers.ts';
import type { Overview, OverviewRow } from '../reports/overview.ts';
import { changeOf } from '../reports/comparison.ts';
import { marksOf } from '../reports/reports-fold.ts';
import { ageWords, checksCell, comparisonCell, criteriaWords, toPoints, unreadableWords } from './sentences.ts';

/** With the longest names shown, this many rows stay within Slack’s character limit. */
const MAX_ROWS = 120;
const MAX_NAME_LENGTH = 60;

export function overviewPage(overview: Overview, offset: number, now: Date) {
  const { rows } = overview;
  const visibleRows = rows.slice(offset, offset + MAX_ROWS);
  const last = offset + visibleRows.length;
  const hiddenCount = rows.length - last;
  return {
    paragraphs: [
      headline(overviewHeadline(overview), movedWords(overview)),
      table({
        caption: offset === 0 ? 'Repositories, least ready first' : `Repositories ${offset + 1} to ${last}`,
        columns: columnsAt(now),
        rows: visibleRows,
        pageSize: 10,
      }),
      note(
        hiddenCount > 0
          ? `And ${countOf(hiddenCount, 'more repository', 'more repositories')}; the CSV has all of them.`
          : '',
      ),
      note('Readiness: the share of checks that pass. A criterion passes when all sub-applications pass it.'),
      note(unreadableWords(overview.unreadable).trim()),
      noteAt('By the latest report of each, read', overview.readAt),
    ],
    next: hiddenCount > 0 ? last : undefined,
  };
}

function overviewHeadline({ rows, all, ready, filter }: Overview): string {
  if (all === 0) return 'There are no readiness reports yet';
  if (rows.length === 0) return `None of ${formatNumber(all)} repositories has “${filter}” in its name`;
  const which = filter === '' ? '' : ` with “${filter}” in its name`;
  if (rows.length === 1) return `The one repository${which} ${ready === 1 ? 'passes' : 'does not pass'} everything`;
  const verb = ready === 1 ? 'passes' : 'pass';
  return `${formatNumber(ready)} of ${formatNumber(rows.length)} repositories${which} ${verb} everything`;
}

function movedWords({ rows, better, worse }: Overview): string {
  if (rows.length === 0) return '';
  if (better + worse === 0) return 'No changes since the previous reports of the same branches.';
  return `Since the previous reports of the same branches, ${formatNumber(worse)} fell and ${formatNumber(better)} rose.`;
}

const columnsAt = (now: Date): Column<OverviewRow, Cell>[] => [
  { title: 'Repository', cell: ({ reports }) => clip(reports.repository.label, MAX_NAME_LENGTH) },
  { title: 'Checks', cell: ({ score }) => checksCell(score) },
  { title: 'Criteria', cell: ({ score }) => ({ value: score.passed, text: criteriaWords(score) }) },
  {
    title: 'Change',
    cell: ({ comparison }) => ({ value: toPoints(changeOf(comparison) ?? 0), text: comparisonCell(comparison) }),
  },
  { title: 'Report', cell: ({ reports }) => ageWords(reports.latest.createdAt, now) },
  { title: 'Branch', cell: ({ reports }) => clip(reports.latest.branch ?? '–', 30) },
  { title: 'Marks', cell: ({ reports }) => marksOf(reports.latest).join(', ') || '–' },
];
