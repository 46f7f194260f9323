import { formatDay, daysOf, formatPeriod, type Day } from '../../../core/base/time/calendar.ts';
import { formatNumber } from '../../../core/base/text/numbers.ts';
import type { ExplainedPart } from '../../../core/figures/explanation/explanation.ts';
import type { Comparison } from './comparison.ts';
import { titlesOf } from './comparison-view.ts';

const MAX_DAYS_BY_NAME = 31;

/** Explains each side, and the difference in the direction in which they were typed. */
export function explainComparison({ sides, base, isAdjusted }: Comparison, today: Day): ExplainedPart[] {
  const titles = titlesOf(sides, today);
  const [one, other] = sides;
  const parts = sides.map(({ label, period, credits, byDay }, index): ExplainedPart => {
    const days = daysOf(period);
    const hasTerms = byDay.length > 1 && byDay.length <= MAX_DAYS_BY_NAME;
    return {
      label: titles[index] ?? label,
      value: credits === undefined ? { kind: 'unpublished' } : { kind: 'known', value: credits },
      formula: `The sum of the Standard Credits of ${label.replace(/^The /, 'the ')} on these days.`,
      facts: ['tokens'],
      days: period,
      terms: hasTerms ? byDay.map((value, at) => ({ name: formatDay(days[at] ?? ''), value })) : [],
    };
  });
  if (one.credits === undefined || base === undefined) return parts;
  const adjusted = isAdjusted
    ? ` Each weekday of the second side counts as often as in ${formatPeriod(one.period, today)}, which makes ${formatNumber(base)}.`
    : '';
  return [
    ...parts,
    {
      label: 'Difference',
      value: { kind: 'known', value: one.credits - base },
      formula: `The first side minus the second.${adjusted}`,
      facts: ['tokens'],
      days: other.period,
    },
  ];
}
