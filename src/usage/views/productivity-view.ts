import { formatPeriod } from '../../base/calendar.ts';
import { countOf } from '../../base/numbers.ts';
import type { Column } from '../../base/columns.ts';
import type { ProductivityRow } from '../../platform/endpoints/analytics-rows.ts';
import { changeWords } from '../sentences.ts';
import { shareLines } from '../measures/breakdown.ts';
import { byDay } from './day-table.ts';
import type { Known } from '../measures/figures.ts';
import { headline, list, note, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { figures, viewOf } from './paragraphs.ts';
import type { ProductivityReport } from '../reports/productivity-report.ts';
import type { View, ViewNotes } from './view.ts';

const MAX_NAMED = 8;

/** `/usage productivity` */
export function productivityView(report: ProductivityReport, notes: ViewNotes): View {
  return viewOf(
    `Productivity, ${formatPeriod(report.scope.period)}`,
    [
      headline(productivityHeadline(report)),
      figures([
        ['Commits', report.commits],
        ['Pull requests', report.pullRequests],
        ['Files created', report.filesCreated],
        ['Files edited', report.filesEdited],
        ['Credits for a commit, on average', ratioFigure(report.creditsPerCommit)],
        ['Credits for a pull request, on average', ratioFigure(report.creditsPerPullRequest)],
      ]),
      ...outputByDay(report.days),
      list('Languages, by file operations', shareLines(report.languages, MAX_NAMED, 'other language')),
      list(
        'File extensions',
        shareLines(
          report.extensions.map((item) => ({ ...item, name: extensionName(item.name) })),
          MAX_NAMED,
          'other extension',
        ),
      ),
      note(
        report.creditsPerCommit.kind === 'known'
          ? 'The averages share all credits out; not all of them went into commits or pull requests.'
          : '',
      ),
    ],
    notes,
    report.source,
  );
}

const extensionName = (extension: string) => (extension === '' ? 'no extension' : extension);

function productivityHeadline({ commits, pullRequests }: ProductivityReport): string {
  if (commits.kind === 'unreadable' || pullRequests.kind === 'unreadable') return 'The productivity could not be read';
  if (commits.kind === 'unpublished' || pullRequests.kind === 'unpublished')
    return 'The productivity is not published yet';
  const change = changeWords(commits.value);
  const amounts = `${countOf(commits.value.value, 'commit')} and ${countOf(pullRequests.value.value, 'pull request')}`;
  return change === '' ? amounts : `${amounts}, commits ${change}`;
}

/** An average; in words where there is none. */
function ratioFigure(ratio: Known<number | undefined>): string | Known<{ value: number }> {
  if (ratio.kind !== 'known') return ratio;
  return ratio.value === undefined ? 'there were none' : { kind: 'known', value: { value: ratio.value } };
}

function outputByDay(days: ProductivityReport['days']): Paragraph[] {
  const drawn: Column<ProductivityRow, number>[] = [
    { title: 'Commits', cell: (row) => row.git_commits },
    { title: 'Pull requests', cell: (row) => row.git_prs_created },
  ];
  return byDay({
    title: 'Commits and pull requests',
    kind: 'bar',
    gathering: 'sum',
    days,
    series: drawn,
    caption: 'Output by day, UTC',
    columns: [
      ...drawn,
      { title: 'Files created', cell: (row) => row.files_created },
      { title: 'Files edited', cell: (row) => row.files_edited },
    ],
  });
}
