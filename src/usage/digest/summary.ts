import type { Part } from '../../analytics/facts.ts';
import type { CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import { daysOf, formatDay, formatPeriod, lengthOf, plusDays, type Period } from '../../base/calendar.ts';
import { countOf } from '../../base/numbers.ts';
import type { Facts } from '../facts.ts';
import { NO_NOTES, type SectionParts } from './content.ts';
import { creditsHeadline } from '../sentences.ts';
import { buildCreditsReport } from '../reports/credits-report.ts';
import { creditsByDay, creditsView } from '../views/credits-view.ts';
import { dayRowsOf } from '../measures/day-rows.ts';
import type { Known, ReportScope } from '../measures/figures.ts';
import type { GroupReport } from '../reports/group-report.ts';
import { groupView } from '../views/group-view.ts';
import { note } from '../../slack/blocks/paragraphs.ts';
import { figures } from '../views/paragraphs.ts';
import type { SummaryReport } from '../reports/summary-report.ts';
import { insightParagraphs, summaryFigures } from '../views/summary-view.ts';
import { sourceText } from '../measures/source.ts';

/** A digest of one day shows the week that ends with it. */
const CHART_DAYS = 7;
/** A longer period always has something to say. */
const MAX_QUIET_DAYS = 3;
/** A larger change against the compared days is worth more than a line. */
const QUIET_CHANGE = 0.25;

/** The figures of a period, and what a manager would ask next. */
export function summarySection(report: SummaryReport, facts: Pick<Facts, 'credits' | 'activity'>): SectionParts {
  const { scope } = report;
  const { credits } = facts;
  const active: Known<{ value: number }> =
    report.active.kind === 'known' ? { kind: 'known', value: { value: report.active.value.daily } } : report.active;
  return {
    point: pointOf(report),
    paragraphs: [
      ...insightParagraphs(report),
      figures(summaryFigures(report)),
      ...creditsByDay(dayRowsOf(credits, chartScope(scope))),
      note(sourceText(report.source)),
    ],
    detail: creditsView(buildCreditsReport(facts, scope), NO_NOTES),
    figures: {
      'Standard Credits': report.credits,
      'Active people': active,
      Sessions: report.sessions,
      Messages: report.messages,
      Commits: report.commits,
      'Pull requests': report.pullRequests,
    },
    isQuiet: isQuiet(credits, report) && hasMovedLittle(report.credits) && report.moves.timeline.length === 0,
  };
}

/** One sentence that can be repeated: when, how much, how it moved, by how many. */
function pointOf({ scope, credits, active }: SummaryReport): string {
  const when = dayWords(scope.period);
  if (credits.kind === 'unpublished') return `${when} is not published yet.`;
  const people =
    active.kind === 'known' && lengthOf(scope.period) === 1
      ? `, by ${countOf(active.value.daily, 'active person', 'active people')}`
      : '';
  return `${when}: ${creditsHeadline(credits, scope)}${people}.`;
}

function chartScope(scope: ReportScope): ReportScope {
  const { first, last } = scope.period;
  const week = plusDays(last, 1 - CHART_DAYS);
  return { ...scope, period: { first: first < week ? first : week, last } };
}

/** Did every day stay like its weekday? Not known to be is not quiet. */
function isQuiet(credits: Part<CreditsRow>, { scope: { period }, unusual }: SummaryReport): boolean {
  if (credits.kind === 'unreadable' || !unusual || lengthOf(period) > MAX_QUIET_DAYS) return false;
  const published = new Set(credits.rows.map((row) => row.date));
  return (
    daysOf(period).every((day) => published.has(day)) && unusual.unusual.length === 0 && unusual.unknown.length === 0
  );
}

/** "Down 39 %, nothing unusual" may be true and is not believed: the day that it is compared with may have been the odd one. */
function hasMovedLittle(credits: SummaryReport['credits']): boolean {
  if (credits.kind !== 'known' || credits.value.before === undefined) return true;
  return Math.abs(credits.value.value - credits.value.before) <= credits.value.before * QUIET_CHANGE;
}

/** The same of a team or a person. */
export function groupSummarySection(report: GroupReport): SectionParts {
  const { scope, credits } = report;
  const view = groupView(report, NO_NOTES);
  return {
    point: `${dayWords(scope.period)}, ${scope.label}: ${creditsHeadline(credits, scope)}.`,
    paragraphs: [{ blocks: view.blocks.slice(1), lines: view.lines.slice(1) }],
    figures: { 'Standard Credits': credits },
    isQuiet: false,
  };
}

const dayWords = (period: Period) => (lengthOf(period) === 1 ? formatDay(period.last) : formatPeriod(period));
