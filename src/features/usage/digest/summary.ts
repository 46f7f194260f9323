import {
  DAYS_IN_A_WEEK,
  formatDay,
  formatPeriod,
  lengthOf,
  plusDays,
  type Period,
} from '../../../core/base/time/calendar.ts';
import { countOf, formatCompact } from '../../../core/base/text/numbers.ts';
import {
  chartParagraph,
  list,
  NOTHING,
  note,
  noteAt,
  numberCell,
  sentence,
  table,
  type Paragraph,
} from '../../../core/slack/blocks/paragraphs.ts';
import type { Facts } from '../usage-facts.ts';
import {
  insightParagraphs,
  movedLists,
  shortLines,
  shortMoves,
  summaryFigures,
  timelineText,
} from '../views/summary-view.ts';
import { shareLines } from '../../../core/figures/measures/breakdown.ts';
import { type DayRow, type Measurement, type ReportScope, dayRowsOf } from '../../../core/figures/measures/figures.ts';
import { pointsOf, unitWords } from '../../../core/figures/measures/sentences.ts';
import type { GroupReport } from '../reports/group-report.ts';
import { isAsUsual, sumsOf, type SummaryReport } from '../reports/summary-report.ts';
import { dayTable, figures, viewOf, type View } from '../views/paragraphs.ts';
import { groupTotals, groupView, missingNote, NO_BREAKDOWN } from '../views/group-view.ts';
import { forecastSentences } from '../../../core/figures/insight/forecast.ts';
import type { GroupCourse } from './group-course.ts';
import { NO_NOTES, type SectionParts } from './content.ts';
import { digestHeadline } from './headline.ts';

const MAX_LINES = 2;
const MAX_MODELS = 8;
/** A digest of one day shows the week that ends with it. */
const CHART_DAYS = DAYS_IN_A_WEEK;
/** A larger change against the compared days deserves more than one line. */
const QUIET_CHANGE = 0.25;

/** Compares the amount with the usual one, lists the main changes and draws one chart; figures are in the thread. */
export function summarySection(report: SummaryReport, facts: Pick<Facts, 'credits' | 'activity'>): SectionParts {
  const { scope } = report;
  const { credits } = facts;
  const active: Measurement<{ value: number }> =
    report.active.kind === 'known' ? { kind: 'known', value: { value: report.active.value.daily } } : report.active;
  const days = dayRowsOf(credits, chartScope(scope));
  return {
    point: pointOf(report),
    paragraphs: [...movedParagraphs(report), chartOfDays(days), sourceNote(report.source)],
    detail: {
      ...viewOf('Usage', { source: report.source, notes: NO_NOTES }, [
        ...insightParagraphs(report),
        figures(summaryFigures(report)),
        table(dayTable('Credits by day, UTC', days, [{ title: 'Credits', cell: (row) => row.billable_tokens }])),
        list('By model', shareLines(report.models, MAX_MODELS, 'other model')),
      ]),
      title: `Details for ${formatPeriod(scope.period, scope.today)}`,
    },
    figures: {
      'Standard Credits': report.credits,
      'Active people': active,
      Sessions: report.sessions,
      Messages: report.messages,
      Commits: report.commits,
      'Pull requests': report.pullRequests,
    },
    needsAttention: !isAsUsual(report),
    isQuiet: isAsUsual(report) && hasMovedLittle(report.credits) && report.moves.timeline.length === 0,
  };
}

function pointOf(report: SummaryReport): string | undefined {
  const { scope, active } = report;
  const point = digestHeadline(report);
  if (point === undefined || active.kind !== 'known' || lengthOf(scope.period) > 1) return point;
  const { daily } = active.value;
  if (daily === 0) return point;
  return `${point} ${countOf(daily, 'person was', 'people were')} active.`;
}

/** The largest changes, except on days as usual, and the latest timeline event. */
function movedParagraphs(report: SummaryReport): Paragraph[] {
  const { scope, moves } = report;
  const last = moves.timeline.at(-1);
  const left = moves.timeline.length - 1;
  const more = left > 0 ? ` (and ${countOf(left, 'more event')} in the thread)` : '';
  const events = last ? [`${timelineText(last, scope.readers)}${more}`] : [];
  const moved = scope.comparedWith && !isAsUsual(report) ? movedLists(shortMoves(moves, MAX_LINES)) : [];
  return [...moved, list('What else happened', events)];
}

/** Draws a chart; its numbers are in the plain text, and in a table in the thread. */
function chartOfDays(days: readonly DayRow<{ billable_tokens: number }>[]): Paragraph {
  const published = days.flatMap(({ day, row }) => (row ? [{ day, values: [row.billable_tokens] }] : []));
  const points = pointsOf(published, 'sum');
  const [values = []] = points.values;
  // The days of one week are identified by their weekday alone.
  const isWeek = points.unit === 'day' && points.labels.length <= DAYS_IN_A_WEEK;
  const bars = points.labels.map((label, index) => ({
    label,
    name: isWeek ? (label.split(' ')[0] ?? label) : label,
    value: values[index] ?? 0,
  }));
  return barChart(unitWords(points), bars);
}

interface Bar {
  label: string;
  /** In the plain text. */
  name: string;
  value: number;
}

function barChart(unit: string, bars: readonly Bar[]): Paragraph {
  const { blocks } = chartParagraph({
    kind: 'bar',
    title: `Credits ${unit}`,
    categories: bars.map(({ label }) => label),
    series: [{ name: 'Credits', values: bars.map(({ value }) => value) }],
  });
  const numbers = bars.map(({ name, value }) => `${name} ${formatCompact(value)}`);
  return { blocks, lines: numbers.length < 2 ? [] : [`Credits ${unit}: ${numbers.join(', ')}.`] };
}

function sourceNote({ days, readAt }: SummaryReport['source']): Paragraph {
  if (!readAt) return NOTHING;
  const mayChange = days.some(({ state }) => state !== 'settled') ? '; may still change' : '';
  return noteAt('UTC days, read', readAt, `${mayChange}.`);
}

function chartScope(scope: ReportScope): ReportScope {
  const { first, last } = scope.period;
  const week = plusDays(last, 1 - CHART_DAYS);
  return { ...scope, period: { first: first < week ? first : week, last } };
}

/** “Down 39 %, nothing unusual” may be true, but readers doubt it: the compared day may have been the unusual one. */
function hasMovedLittle(credits: SummaryReport['credits']): boolean {
  if (credits.kind !== 'known' || credits.value.before === undefined) return true;
  return Math.abs(credits.value.value - credits.value.before) <= credits.value.before * QUIET_CHANGE;
}

/** The same for a team or a person. @param course undefined for a few days, which have no chart and no forecast */
export function groupSummarySection(report: GroupReport, course: GroupCourse | undefined): SectionParts {
  const { scope, credits, cost } = report;
  const base = { figures: { 'Standard Credits': credits }, isQuiet: false };
  if (!course) {
    const view = groupView(report, NO_NOTES);
    return {
      ...base,
      point: digestHeadline({ scope, credits, cost, of: scope.label }),
      paragraphs: [{ blocks: view.blocks.slice(1), lines: view.lines.slice(1) }],
    };
  }
  const { chart, forecast, unusual } = course;
  const hasDetail = chart !== undefined || (forecast !== undefined && forecast.kind !== 'withheld');
  return {
    ...base,
    point: digestHeadline({ scope, credits, cost, unusual, of: scope.label }),
    paragraphs: [
      list('Largest changes by day', movedDays(course, MAX_LINES)),
      courseChart(course, scope),
      groupTotals(report).whole,
      missingNote(report),
      note(withheldWords(course, scope)),
      sourceNote(report.source),
    ],
    ...(hasDetail ? { detail: courseDetail(report, course) } : {}),
  };
}

const MAX_IN_DETAIL = 5;

function courseDetail({ scope, source }: GroupReport, course: GroupCourse): View {
  const { chart, unusual } = course;
  return {
    ...viewOf('Usage', { source, notes: NO_NOTES }, [
      list('Largest changes by day', movedDays(course, MAX_IN_DETAIL)),
      list(
        'Unusual days',
        (unusual?.unusual ?? []).map((day) => day.sentence),
      ),
      ...courseForecast(course),
      note(NO_BREAKDOWN),
      table({
        caption: 'Credits by day, UTC',
        columns: [
          { title: 'Days', cell: ({ block }) => blockLabel(block, scope) },
          { title: 'Credits', cell: ({ value }) => numberCell(value) },
        ],
        rows: chart?.amounts ?? [],
      }),
    ]),
    title: `Details for ${formatPeriod(scope.period, scope.today)}`,
  };
}

/** A chart of more days shows weeks. */
const MAX_DAYS = 20;

const blockLabel = ({ first, last }: Period, { today }: Pick<ReportScope, 'today'>): string =>
  first === last ? formatDay(first) : formatPeriod({ first, last }, today);

function movedDays({ moved }: GroupCourse, maxLines: number): string[] {
  const moves = moved.map(({ block, value, before }) => ({
    name: block.first === block.last ? formatDay(block.first) : formatPeriod(block, block.last),
    value,
    before,
  }));
  return shortLines({ kind: 'known', value: { ...sumsOf(moves), moves } }, maxLines);
}

function courseChart({ chart }: GroupCourse, scope: ReportScope): Paragraph {
  if (!chart) return NOTHING;
  const { amounts, isByDay } = chart;
  if (isByDay) {
    const days = amounts.map(({ block, value }) => ({
      day: block.first,
      state: 'settled' as const,
      row: { billable_tokens: value },
    }));
    return chartOfDays(days);
  }
  const bars = amounts.map(({ block, value }) => {
    const label = blockLabel(block, scope);
    return { label, name: label, value };
  });
  return barChart(lengthOf(scope.period) > MAX_DAYS ? 'by week' : 'by day, weekends with their Friday', bars);
}

function courseForecast({ forecast }: GroupCourse): Paragraph[] {
  if (!forecast || forecast.kind === 'withheld') return [];
  const [goes = '', basis = ''] = forecastSentences(forecast);
  return [forecast.kind === 'known' ? sentence(goes) : note(goes), note(basis)];
}

/** @example withheldWords(course, scope) // 'The forecast of @web stays private: it could reveal the use of few people.' */
function withheldWords({ chart, forecast }: GroupCourse, { label }: GroupReport['scope']): string {
  const isForecastWithheld = forecast?.kind === 'withheld';
  if (chart && !isForecastWithheld) return '';
  const what = chart ? 'The forecast' : isForecastWithheld ? 'Single days and the forecast' : 'Single days';
  return `${what} of ${label} ${chart ? 'stays' : 'stay'} private: ${chart ? 'it' : 'they'} could reveal the use of few people.`;
}
