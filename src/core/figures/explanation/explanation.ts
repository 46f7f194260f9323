import type { Resource } from '../../analytics/reading/analytics-day-table.ts';
import { formatMonth, formatDay, formatPeriod, type Period } from '../../base/time/calendar.ts';
import { countOf, formatNumber } from '../../base/text/numbers.ts';
import type { DayRow, Figure, Measurement, ReportScope } from '../measures/figures.ts';
import { sumOf } from '../../base/statistics.ts';

/** A part of a sum; its value is undefined if it is not published. */
export interface Term {
  name: string;
  value: number | undefined;
}

/** A figure of an answer or digest, as *How was this worked out?* explains it. Labels differ within one answer. */
export interface ExplainedPart {
  label: string;
  value: Measurement<number>;
  formula: string;
  /** The facts that it was computed from, whose stored days show when they were read. */
  facts: readonly Resource[];
  days: Period;
  terms?: readonly Term[];
}

const MAX_DAYS_BY_NAME = 31;
const MAX_TERMS = 10;

/** Returns one term for each day or, in a longer period, for each month. */
export function termsByDay<Row>(days: readonly DayRow<Row>[], measure: (row: Row) => number): Term[] {
  if (days.length < 2) return [];
  if (days.length <= MAX_DAYS_BY_NAME)
    return days.map(({ day, row }) => ({ name: formatDay(day), value: row && measure(row) }));
  const months = Map.groupBy(days, ({ day }) => day.slice(0, 7));
  return [...months.values()].flatMap((some) => {
    const published = some.flatMap(({ row }) => (row ? [row] : []));
    const [first] = some;
    if (!first) return [];
    return [{ name: formatMonth(first.day), value: published.length === 0 ? undefined : sumOf(published, measure) }];
  });
}

/** Returns the largest items and the sum of the others. @param noun such as `other model` */
export function largestTerms(
  items: readonly { name: string; value: number }[],
  noun: string,
  plural = `${noun}s`,
): Term[] {
  const used = items.filter(({ value }) => value !== 0);
  const visible = used.length === MAX_TERMS + 1 ? used : used.slice(0, MAX_TERMS);
  const rest = used.slice(visible.length);
  const restTerm = { name: countOf(rest.length, noun, plural), value: sumOf(rest, ({ value }) => value) };
  return [...visible.map(({ name, value }) => ({ name, value })), ...(rest.length > 0 ? [restTerm] : [])];
}

/** Returns a function that explains a figure of the period of a report, computed from these facts. */
export const explainer =
  ({ period }: Pick<ReportScope, 'period'>, ...facts: Resource[]) =>
  (
    label: string,
    value: number | Measurement<number | Figure>,
    formula: string,
    terms: readonly Term[] = [],
  ): ExplainedPart => ({
    label,
    value: numberOf(value),
    formula,
    facts,
    days: period,
    terms,
  });

export const ifKnown = <Value>(
  value: Measurement<Value> | { kind: 'not_comparable' } | undefined,
  explain: (value: Value) => ExplainedPart[],
): ExplainedPart[] => (value?.kind === 'known' ? explain(value.value) : []);

/** Explains the figure with which a figure of the same formula is compared, if there is one. */
export function explainCompared(
  figure: Measurement<Figure>,
  { comparedWith, period, today }: Pick<ReportScope, 'period' | 'comparedWith' | 'today'>,
  label: string,
  facts: Resource,
): ExplainedPart[] {
  if (figure.kind !== 'known' || figure.value.before === undefined || !comparedWith) return [];
  const { before, was } = figure.value;
  const adjusted =
    was === undefined
      ? ''
      : ` For the percentage, each weekday counts as often as in ${formatPeriod(period, today)}, which makes ${formatNumber(before)}.`;
  const explain = explainer({ period: comparedWith }, facts);
  return [
    explain(
      `${label}, ${formatPeriod(comparedWith, today)}`,
      was ?? before,
      `The same sum, to compare with.${adjusted}`,
    ),
  ];
}

function numberOf(value: number | Measurement<number | Figure>): Measurement<number> {
  if (typeof value === 'number') return { kind: 'known', value };
  if (value.kind !== 'known') return value;
  return { kind: 'known', value: typeof value.value === 'number' ? value.value : value.value.value };
}
