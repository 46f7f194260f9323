import type { Day, Period } from '../../../base/time/calendar.ts';
import type { DailyCreditsRow } from '../../../analytics/facts.ts';
import { forecastPeriod } from '../../../figures/insight/forecast.ts';
import { sumOf } from '../../../figures/measures/figures.ts';
import type { Thresholds } from './budget.ts';

export type Basis = keyof Thresholds;

export interface Threshold {
  basis: Basis;
  percent: number;
}

/** How a period of a budget stands, as far as days are published. */
export interface Figures {
  period: Period;
  /** The last published day of the period; nothing before its first. */
  through: Day | undefined;
  spent: number;
  /** To the end of the period; missing where there are too few days to say, or the period is over. */
  expected: number | undefined;
  range: { lower: number; upper: number } | undefined;
}

/** The days that figures are worked out from, as they were when somebody looked. */
export interface AsOf {
  through: Day;
  /** The day on which it was looked at: what is settled, and so what a forecast rests on, follows from it. */
  today: Day;
}

/** @param rows published days in their order, from before the period on; those after `asOf.through` do not count */
export function figuresOf(period: Period, rows: readonly DailyCreditsRow[], { through: until, today }: AsOf): Figures {
  const known = rows.filter(({ date }) => date <= until);
  const within = known.filter(({ date }) => date >= period.first && date <= period.last);
  const through = within.at(-1)?.date;
  const spent = sumOf(within, (row) => row.billable_tokens);
  const none = { period, through, spent, expected: undefined, range: undefined };
  if (through === undefined || through >= period.last || today > period.last) return none;
  const forecast = forecastPeriod(period, within, known, today);
  if (forecast.kind !== 'known') return none;
  const { expected, range } = forecast.value;
  return { period, through, spent, expected, range };
}

/** What became of a threshold of a period. */
export interface Mark extends Threshold {
  /** The amount that the budget had. */
  credits: number;
  /** Counts up where a threshold that was withdrawn is crossed again. */
  round: number;
  /** `passed`: already when the budget, its amount or its people became what they are. */
  /** `withheld`: neither its readers nor the owner of the budget may see it. */
  state: 'told' | 'passed' | 'withdrawn' | 'withheld';
  asOf: AsOf;
}

/** Which thresholds figures have reached. Pure. */
export function reached(thresholds: Thresholds, credits: number, figures: Figures): Threshold[] {
  const all = BASES.flatMap((basis) => thresholds[basis].map((percent) => ({ basis, percent })));
  return all.filter((threshold) => isReached(threshold, credits, figures));
}

const BASES = ['actual', 'forecast'] as const;

function isReached({ basis, percent }: Threshold, credits: number, { spent, expected }: Figures): boolean {
  const amount = basis === 'actual' ? spent : expected;
  return amount !== undefined && amount > 0 && amount * 100 >= credits * percent;
}

export interface Decision {
  /** Crossed, and not told before. */
  tell: (Threshold & { round: number })[];
  /** Told, and not so by what is published now. */
  withdraw: Mark[];
}

/**
 * What is to be told about a period of a budget. Pure.
 *
 * A forecast goes up and down by itself: what was said of it is withdrawn only if the days that it rested on turned out to be
 * others.
 *
 * @param marks those of this period
 * @param figuresAt the figures as somebody saw them then, from what is published now
 */
export function decide(
  budget: { credits: number; thresholds: Thresholds },
  figures: Figures,
  marks: readonly Mark[],
  figuresAt: (mark: Mark) => Figures,
): Decision {
  const now = reached(budget.thresholds, budget.credits, figures);
  const tell = now.flatMap((threshold) => {
    const round = roundOf(threshold, budget.credits, marks);
    if (round === undefined) return [];
    // What is spent is no longer a forecast.
    if (threshold.basis === 'forecast' && figures.spent * 100 >= budget.credits * threshold.percent) return [];
    return [{ ...threshold, round }];
  });
  const withdraw = marks.filter(
    (mark) => mark.state === 'told' && !isTrue(mark, figures) && !isTrue(mark, figuresAt(mark)),
  );
  return { tell, withdraw };
}

function isTrue(mark: Mark, figures: Figures): boolean {
  // What was forecast and then spent came true.
  const isSpent = figures.spent * 100 >= mark.credits * mark.percent;
  return isSpent || isReached(mark, mark.credits, figures);
}

/** How often a threshold of an amount was withdrawn before; nothing where it counts as crossed already. */
export function roundOf(threshold: Threshold, credits: number, marks: readonly Mark[]): number | undefined {
  const earlier = marks.filter((mark) => mark.credits === credits && isSame(mark, threshold));
  return earlier.some(({ state }) => state !== 'withdrawn') ? undefined : earlier.length;
}

export const isSame = (one: Threshold, other: Threshold) => one.basis === other.basis && one.percent === other.percent;

/** The one that a message about several names: the most that was used, else the most that is expected. */
export function highest<Item extends Threshold>(thresholds: readonly Item[]): Item | undefined {
  return thresholds.toSorted(
    (a, b) => Number(b.basis === 'actual') - Number(a.basis === 'actual') || b.percent - a.percent,
  )[0];
}
