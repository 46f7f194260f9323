import { formatCompact } from '../../../core/base/text/numbers.ts';
import { creditsHeadline } from '../../../core/figures/measures/sentences.ts';
import { shareLines } from '../../../core/figures/measures/breakdown.ts';
import type { CreditsReport } from '../reports/credits-report.ts';
import type { DayRow } from '../../../core/figures/measures/day-rows.ts';
import { byDay } from './day-table.ts';
import type { Measurement } from '../../../core/figures/measures/figures.ts';
import { headline, list, note } from '../../../core/slack/blocks/paragraphs.ts';
import { figures, inMore, viewOf, type LayeredParagraph } from './paragraphs.ts';
import type { View, ViewNotes } from './view-parts.ts';

const MAX_NAMED = 8;
const MAX_IN_SHORT = 4;

export function creditsView(report: CreditsReport, notes: ViewNotes): View {
  const { scope, credits, cost, models, modelCosts, tiers, tierCosts, input, output, cacheRead, cacheWrite } = report;
  const modelLines = (most: number) => shareLines(models, most, 'other model', undefined, modelCosts);
  return viewOf('Credits', { source: report.source, notes }, [
    headline(creditsHeadline(credits, scope, cost), personDayWords(report.perActivePersonDay)),
    ...creditsChart(report.days),
    {
      whole: list('By model', modelLines(MAX_NAMED)),
      short: list('By model', modelLines(MAX_IN_SHORT)),
      more: list('By model', models.length > MAX_IN_SHORT + 1 ? modelLines(MAX_NAMED) : []),
    },
    list('By tier', shareLines(tiers, MAX_IN_SHORT, 'other tier', undefined, tierCosts)),
    inMore(
      figures([
        ['Input tokens', input],
        ['Output tokens', output],
        ['Cache reads', cacheRead],
        ['Cache writes', cacheWrite],
      ]),
    ),
    inMore(note(cacheWords(report.cacheReadsPerInput))),
  ]);
}

function personDayWords(ratio: Measurement<number | undefined>): string {
  if (ratio.kind !== 'known' || ratio.value === undefined) return '';
  return `${formatCompact(ratio.value)} a day for each active person.`;
}

function cacheWords(ratio: Measurement<number | undefined>): string {
  if (ratio.kind !== 'known' || ratio.value === undefined) return '';
  return `${formatCompact(ratio.value * 100)} cache reads per 100 input tokens. Cached tokens cost fewer credits.`;
}

export function creditsChart(days: readonly DayRow<{ billable_tokens: number }>[]): LayeredParagraph[] {
  return byDay({
    title: 'Credits',
    aggregation: 'sum',
    days,
    series: [{ title: 'Credits', cell: (row) => row.billable_tokens }],
    caption: 'Credits by day, UTC',
    columns: [{ title: 'Credits', cell: (row) => row.billable_tokens }],
  });
}
