import type { Column } from '../../../core/base/text/columns.ts';
import type { ProductivityRow } from '../../../core/platform/endpoints/analytics-rows.ts';
import { changeWords, compactCount } from '../../../core/figures/measures/sentences.ts';
import { shareLines } from '../../../core/figures/measures/breakdown.ts';
import {
  type LayeredParagraph,
  type View,
  type ViewNotes,
  byDay,
  inMore,
  layeredFigures,
  viewOf,
} from './paragraphs.ts';
import type { Measurement } from '../../../core/figures/measures/figures.ts';
import { headline, list, note } from '../../../core/slack/blocks/paragraphs.ts';
import type { ProductivityReport } from '../reports/productivity-report.ts';

const MAX_NAMED = 8;
const MAX_IN_SHORT = 4;

export function productivityView(report: ProductivityReport, notes: ViewNotes): View {
  return viewOf('Productivity', { source: report.source, notes }, [
    headline(productivityHeadline(report)),
    ...outputByDay(report.days),
    layeredFigures(
      [
        ['Commits', report.commits],
        ['Pull requests', report.pullRequests],
        ['Credits per commit', ratioFigure(report.creditsPerCommit)],
        ['Credits per pull request', ratioFigure(report.creditsPerPullRequest)],
        ['Files created', report.filesCreated],
        ['Files edited', report.filesEdited],
      ],
      4,
    ),
    list('Languages, by file operations', shareLines(report.languages, MAX_IN_SHORT, 'other language')),
    inMore(
      list(
        'File extensions',
        shareLines(
          report.extensions.map((item) => ({ ...item, name: extensionName(item.name) })),
          MAX_NAMED,
          'other extension',
        ),
      ),
    ),
    inMore(
      note(
        report.creditsPerCommit.kind === 'known'
          ? 'Credits per commit: all credits ÷ all commits, and likewise per pull request; not every credit goes into one.'
          : '',
      ),
    ),
  ]);
}

const extensionName = (extension: string) => (extension === '' ? 'no extension' : extension);

function productivityHeadline({ commits, pullRequests }: ProductivityReport): string {
  if (commits.kind === 'unreadable' || pullRequests.kind === 'unreadable') return 'The productivity could not be read';
  if (commits.kind === 'unpublished' || pullRequests.kind === 'unpublished')
    return 'The productivity is not published yet';
  const change = changeWords(commits.value);
  const amounts = `${compactCount(commits.value.value, 'commit')} and ${compactCount(pullRequests.value.value, 'pull request')}`;
  return change === '' ? amounts : `${amounts}, commits ${change}`;
}

function ratioFigure(ratio: Measurement<number | undefined>): string | Measurement<{ value: number }> {
  if (ratio.kind !== 'known') return ratio;
  return ratio.value === undefined ? 'none' : { kind: 'known', value: { value: ratio.value } };
}

function outputByDay(days: ProductivityReport['days']): LayeredParagraph[] {
  const drawn: Column<ProductivityRow, number>[] = [
    { title: 'Commits', cell: (row) => row.git_commits },
    { title: 'Pull requests', cell: (row) => row.git_prs_created },
  ];
  return byDay({
    title: 'Commits and pull requests',
    kind: 'bar',
    aggregation: 'sum',
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
