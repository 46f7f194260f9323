import { formatPeriod } from '../../calendar.ts';
import { formatNumber } from '../../numbers.ts';
import { creditsHeadline } from '../sentences.ts';
import { shareLines } from '../measures/breakdown.ts';
import type { CreditsReport } from './credits-report.ts';
import { dayTable, dayValues, type DayRow } from './day-table.ts';
import type { Known } from '../measures/figures.ts';
import { drawing, headline, list, note, table, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { figures, viewOf } from './paragraphs.ts';
import { pointsOf, unitWords, weekNote } from '../measures/series.ts';
import type { View, ViewNotes } from './view.ts';

const MAX_NAMED = 8;

/** `/usage credits` */
export function creditsView(report: CreditsReport, notes: ViewNotes): View {
  const { scope, credits, models, tiers, input, output, cacheRead, cacheWrite } = report;
  return viewOf(
    `Credits, ${formatPeriod(scope.period)}`,
    [
      headline(creditsHeadline(credits, scope.comparedWith), personDayWords(report.perActivePersonDay)),
      ...creditsByDay(report.days),
      list('By model', shareLines(models, MAX_NAMED, 'other model')),
      list('By tier', shareLines(tiers, MAX_NAMED, 'other tier')),
      figures([
        ['Input tokens', input],
        ['Output tokens', output],
        ['Cache reads', cacheRead],
        ['Cache writes', cacheWrite],
      ]),
      note(cacheWords(report.cacheReadsPerInput)),
    ],
    notes,
    report.source,
  );
}

function personDayWords(ratio: Known<number | undefined>): string {
  if (ratio.kind !== 'known' || ratio.value === undefined) return '';
  return `${formatNumber(ratio.value)} on average for each active person and day.`;
}

function cacheWords(ratio: Known<number | undefined>): string {
  if (ratio.kind !== 'known' || ratio.value === undefined) return '';
  return `Cache reads: ${formatNumber(ratio.value * 100)} for each 100 input tokens. Credits are counted with a discount for the cache.`;
}

/** Credits by day as a chart with its numbers beside it. */
export function creditsByDay(days: readonly DayRow<{ billable_tokens: number }>[]): Paragraph[] {
  const points = pointsOf(
    dayValues(days, (row) => [row.billable_tokens]),
    'sum',
  );
  return [
    drawing({
      kind: points.labels.length > 10 && points.unit === 'day' ? 'line' : 'bar',
      title: `Standard Credits ${unitWords(points)}`,
      categories: points.labels,
      series: points.values.map((values) => ({ name: 'Standard Credits', values })),
    }),
    table(dayTable('Standard Credits by day, UTC', days, [['Credits', (row) => row.billable_tokens]])),
    note(days.length < 2 ? '' : weekNote(points, 'sum')),
  ];
}
