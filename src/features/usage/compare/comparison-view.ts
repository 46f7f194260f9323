import { formatDate, formatPeriod, type Day } from '../../../core/base/time/calendar.ts';
import { aboutCost, costNote, countOf, formatCompact } from '../../../core/base/text/numbers.ts';
import { clip } from '../../../core/base/text/markup.ts';
import {
  chartWithTextNumbers,
  headline,
  note,
  numberCell,
  table,
  type Paragraph,
} from '../../../core/slack/blocks/paragraphs.ts';
import { type Source, joinSources } from '../../../core/figures/measures/figures.ts';
import { sourceNote } from '../views/paragraphs.ts';
import { pointsOfSides, type Comparison, type SideFigures } from './comparison.ts';

const OTHER_WEEKDAYS = 'The sides have different weekdays, so they aren’t compared.';

/** @param sources of both sides; `today` of the first: the year of this date is left out */
export function comparisonParagraphs(
  comparison: Comparison,
  notes: readonly string[],
  sources: readonly [Source, Source],
): Paragraph[] {
  const { sides, hasOtherWeekdays } = comparison;
  const [{ today }] = sources;
  const titles = titlesOf(sides, today);
  return [
    headline(headlineWords(comparison, titles)),
    ...chartOf(comparison, titles),
    table({
      caption: 'Credits of both sides',
      columns: [
        { title: 'Figure', cell: (row: FigureRow) => row.title },
        { title: clip(titles[0], 40), cell: (row: FigureRow) => amountCell(row.values[0]) },
        { title: clip(titles[1], 40), cell: (row: FigureRow) => amountCell(row.values[1]) },
        { title: 'Difference', cell: (row: FigureRow) => row.difference },
      ],
      rows: figureRows(comparison),
    }),
    note(
      [
        ...sides.flatMap((side, index) => gapWords(side, titles[index] ?? '')),
        ...(hasOtherWeekdays ? [OTHER_WEEKDAYS] : []),
        ...notes,
      ].join(' '),
    ),
    note(daysWords(comparison, titles, today)),
    sourceNote(joinSources(sources)),
  ];
}

function daysWords(comparison: Comparison, titles: Titles, today: Day): string {
  const periods = comparison.sides.map(({ period }) => formatPeriod(period, today));
  const isNamed = titles.every((title, index) => title.includes(periods[index] ?? ''));
  const named = [...new Set(periods)].join(' and ');
  const short = pointsOfSides(comparison).unit === 'week' ? ' The last week of a side may be shorter.' : '';
  return `UTC days${isNamed ? '' : `, ${named}`}.${short}`;
}

type Titles = readonly [string, string];

/** The labels, or the periods if both sides are about the same people or model. */
export function titlesOf([one, other]: Comparison['sides'], today: Day): Titles {
  const [first, second] = [formatPeriod(one.period, today), formatPeriod(other.period, today)];
  if (one.label === other.label) return [first, second];
  return first === second ? [one.label, other.label] : [`${one.label}, ${first}`, `${other.label}, ${second}`];
}

/** @example headlineWords(comparison, ['@web', '@mobile']) // '@web: 4.2 M credits, 26% less than @mobile (5.7 M)' */
function headlineWords({ sides, base, isAdjusted }: Comparison, [first, second]: Titles): string {
  const [one, other] = sides;
  if (one.credits === undefined || other.credits === undefined || base === undefined)
    return `${first}: ${creditsWords(one)}. ${second}: ${creditsWords(other)}`;
  const adjusted = isAdjusted ? '; adjusted for weekdays' : '';
  return `${first}: ${creditsWords(one)}, ${differenceWords(one.credits, base, isAdjusted ? one.days : undefined)} ${second} (${formatCompact(other.credits)}${moneyWords(other)}${adjusted})`;
}

const creditsWords = ({ credits, cost }: SideFigures) =>
  credits === undefined ? 'not published yet' : `${formatCompact(credits)} credits${costNote(cost)}`;

const moneyWords = ({ cost }: SideFigures) => (cost === undefined || cost.exact === 0n ? '' : `, ${aboutCost(cost)}`);

/** @param days of the first side, if the base is adjusted: the sides may have different numbers of days */
function differenceWords(value: number, base: number, days: number | undefined): string {
  const aDay = days === undefined ? '' : ' a day';
  const percent = base === 0 ? undefined : Math.round((value / base - 1) * 100);
  if (percent === 0 || value === base) return `about the same${aDay} as`;
  const amount =
    percent === undefined || percent > 200
      ? formatCompact(Math.abs(value - base) / (days ?? 1))
      : `${Math.abs(percent)}%`;
  return `${amount} ${value > base ? 'more' : 'less'}${aDay} than`;
}

interface FigureRow {
  title: string;
  values: readonly [number | undefined, number | undefined];
  difference: string;
}

const amountCell = (value: number | undefined) => (value === undefined ? '–' : numberCell(Math.round(value)));

const perDay = ({ credits, days, unpublishedDays }: SideFigures) =>
  credits === undefined ? undefined : credits / (days - unpublishedDays);

function figureRows({ sides, base, isAdjusted }: Comparison): FigureRow[] {
  const [one, other] = sides;
  const difference = (value: number | undefined, compared: number | undefined) =>
    value === undefined || compared === undefined || base === undefined ? '–' : signedWords(value - compared);
  const means = [perDay(one), perDay(other)] as const;
  return [
    { title: 'Credits', values: [one.credits, other.credits], difference: difference(one.credits, other.credits) },
    ...(isAdjusted
      ? [
          {
            title: 'On the same weekdays',
            values: [one.credits, base] as const,
            difference: difference(one.credits, base),
          },
        ]
      : []),
    { title: 'Credits a day', values: means, difference: difference(...means) },
    { title: 'Days', values: [one.days, other.days], difference: signedWords(one.days - other.days) },
  ];
}

/** @example signedWords(-1_470_000) // '−1.47 M' */
const signedWords = (change: number) =>
  Math.round(change) === 0 ? '0' : `${change > 0 ? '+' : '−'}${formatCompact(Math.abs(change))}`;

function chartOf(comparison: Comparison, titles: Titles): Paragraph[] {
  if (comparison.sides.some(({ byDay, credits }) => byDay.length === 0 || credits === undefined)) return [];
  const { unit, dates, values } = pointsOfSides(comparison);
  const positions = values[0].map((_, index) => `${unit === 'day' ? 'Day' : 'Week'} ${index + 1}`);
  const categories = dates?.map((day) => formatDate(day)) ?? positions;
  if (categories.length < 2) return [];
  const series = values.map((each, index) => ({ name: clip(titles[index] ?? '', 40), values: each }));
  const from = dates && unit === 'week' ? ', from the day named' : '';
  return [chartWithTextNumbers({ kind: 'bar', title: `Credits by ${unit}${from}`, categories, series })];
}

const gapWords = ({ unpublishedDays }: SideFigures, title: string): string[] =>
  unpublishedDays === 0
    ? []
    : [`${countOf(unpublishedDays, 'day')} of ${title} not published, so the sides aren’t compared.`];
