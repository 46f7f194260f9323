import { DAYS_IN_A_WEEK, formatPeriod, lengthOf, plusDays } from '../../../core/base/time/calendar.ts';
import { countOf, formatCompact } from '../../../core/base/text/numbers.ts';
import { chartParagraph, list, NOTHING, table, type Paragraph, noteAt } from '../../../core/slack/blocks/paragraphs.ts';
import type { Facts } from '../usage-facts.ts';
import { insightParagraphs, movedLists, shortMoves, summaryFigures, timelineText } from '../views/summary-view.ts';
import { shareLines } from '../../../core/figures/measures/breakdown.ts';
import { type DayRow, type Measurement, type ReportScope, dayRowsOf } from '../../../core/figures/measures/figures.ts';
import { pointsOf, unitWords } from '../../../core/figures/measures/sentences.ts';
import type { GroupReport } from '../reports/group-report.ts';
import { isAsUsual, type SummaryReport } from '../reports/summary-report.ts';
import { dayTable, figures, viewOf } from '../views/paragraphs.ts';
import { groupView } from '../views/group-view.ts';
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
  const unit = unitWords(points);
  // The days of one week are identified by their weekday alone.
  const isWeek = points.unit === 'day' && points.labels.length <= DAYS_IN_A_WEEK;
  const numbers = points.labels.map((label, index) => {
    const name = isWeek ? (label.split(' ')[0] ?? label) : label;
    return `${name} ${formatCompact(values[index] ?? 0)}`;
  });
  const { blocks } = chartParagraph({
    kind: 'bar',
    title: `Credits ${unit}`,
    categories: points.labels,
    series: [{ name: 'Credits', values }],
  });
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

/** The same for a team or a person, whose usual amounts are unknown. */
export function groupSummarySection(report: GroupReport): SectionParts {
  const { scope, credits, cost } = report;
  const view = groupView(report, NO_NOTES);
  return {
    point: digestHeadline({ scope, credits, cost, of: scope.label }),
    paragraphs: [{ blocks: view.blocks.slice(1), lines: view.lines.slice(1) }],
    figures: { 'Standard Credits': credits },
    isQuiet: false,
  };
}
