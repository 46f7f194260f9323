import { formatCompact } from '../../../core/base/text/numbers.ts';
import { creditsHeadline } from '../../../core/figures/measures/sentences.ts';
import { shareLines } from '../../../core/figures/measures/breakdown.ts';
import type { CreditsReport } from '../reports/totals-report.ts';
import type { Measurement } from '../../../core/figures/measures/figures.ts';
import { type View, type ViewNotes, creditsChart, figures, inMore, viewOf } from './paragraphs.ts';
import { headline, list, note } from '../../../core/slack/blocks/paragraphs.ts';

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
