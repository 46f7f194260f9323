import { chart, dataTable, type Block } from '../slack/blocks.ts';
import { formatDay, type Day } from '../slack/periods.ts';
import { formatNumber } from '../slack/text.ts';
import type { DayCredits } from './report.ts';
import { dayStateWords } from './sentences.ts';

/** Slack draws at most this many points; more are put together by weeks. */
const MOST_POINTS = 20;

interface Point {
  label: string;
  credits: number;
}

/** Days, or from 21 on whole weeks (Monday to Sunday, cut at the ends of the period), of which some days are published. */
export function pointsOf(days: readonly DayCredits[]): { unit: 'day' | 'week'; points: Point[]; leftOut: number } {
  const published = days.flatMap(({ day, credits }) => (credits === undefined ? [] : [{ day, credits }]));
  if (published.length <= MOST_POINTS) {
    return {
      unit: 'day',
      leftOut: 0,
      points: published.map(({ day, credits }) => ({ label: formatDay(day), credits })),
    };
  }
  const weeks: { first: Day; credits: number }[] = [];
  for (const { day, credits } of published) {
    const week = weeks.at(-1);
    if (week && !isMonday(day)) week.credits += credits;
    else weeks.push({ first: day, credits });
  }
  const shown = weeks.slice(-MOST_POINTS);
  return {
    unit: 'week',
    leftOut: weeks.length - shown.length,
    points: shown.map(({ first, credits }) => ({ label: formatDay(first), credits })),
  };
}

const isMonday = (day: Day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 1;

/** Credits by day as a chart with its numbers beside it. Nothing for a single day: the headline says it all. */
export function creditsByDay(days: readonly DayCredits[]): Block[] {
  if (days.length < 2) return [];
  const { unit, points, leftOut } = pointsOf(days);
  const title =
    unit === 'day'
      ? 'Standard Credits by day'
      : `Standard Credits by week${leftOut > 0 ? `, last ${points.length}` : ''}`;
  const table = dataTable({
    caption: 'Standard Credits by day, UTC',
    columns: ['Day', 'Credits', 'State'],
    rows: days.map(({ day, state, credits }) => [
      formatDay(day),
      credits === undefined ? '–' : { value: credits, text: formatNumber(credits) },
      dayStateWords(state),
    ]),
    pageSize: 7,
  });
  if (points.length < 2) return [table];
  const drawn = chart({
    kind: unit === 'day' && points.length > 10 ? 'line' : 'bar',
    title,
    categories: points.map((point) => point.label),
    series: [{ name: 'Standard Credits', values: points.map((point) => Math.round(point.credits)) }],
  });
  return [drawn, table];
}
