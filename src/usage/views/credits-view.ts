import { formatPeriod } from '../../base/calendar.ts';
import { formatNumber } from '../../base/numbers.ts';
import { creditsHeadline } from '../sentences.ts';
import { shareLines } from '../measures/breakdown.ts';
import type { CreditsReport } from '../reports/credits-report.ts';
import type { DayRow } from '../measures/day-rows.ts';
import { byDay } from './day-table.ts';
import type { Known } from '../measures/figures.ts';
import { headline, list, note, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { figures, viewOf } from './paragraphs.ts';
import type { View, ViewNotes } from './view.ts';

const MAX_NAMED = 8;

/** `/usage credits` */
export function creditsView(report: CreditsReport, notes: ViewNotes): View {
  const { scope, credits, models, tiers, input, output, cacheRead, cacheWrite } = report;
  return viewOf(
    `Credits, ${formatPeriod(scope.period)}`,
    [
      headline(creditsHeadline(credits, scope), personDayWords(report.perActivePersonDay)),
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
  return byDay({
    title: 'Standard Credits',
    gathering: 'sum',
    days,
    series: [{ title: 'Standard Credits', cell: (row) => row.billable_tokens }],
    caption: 'Standard Credits by day, UTC',
    columns: [{ title: 'Credits', cell: (row) => row.billable_tokens }],
  });
}
