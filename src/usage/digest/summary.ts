import { dayStateOf } from '../../analytics/day-state.ts';
import type { Part } from '../../analytics/facts.ts';
import type { ForChannel } from '../../slack/people/audience.ts';
import type { DigestQuery } from '../../feature.ts';
import type { CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import { daysOf, formatDay, formatPeriod, lengthOf, plusDays } from '../../calendar.ts';
import { countOf } from '../../numbers.ts';
import { content, DIGEST_OPTIONS, rangeOf, reportScope, type SectionContent } from './content.ts';
import { readGroup } from './people.ts';
import { isUsual } from '../insight/unusual.ts';
import type { UsageDeps } from '../deps.ts';
import { withQuietDays } from '../readers/period.ts';
import { creditsHeadline } from '../sentences.ts';
import { buildCreditsReport } from '../views/credits-report.ts';
import { creditsByDay, creditsView } from '../views/credits-view.ts';
import { dayRowsOf } from '../views/day-table.ts';
import type { Known, ReportScope } from '../measures/figures.ts';
import { groupView } from '../views/group-view.ts';
import { note } from '../../slack/blocks/paragraphs.ts';
import { figures } from '../views/paragraphs.ts';
import { buildSummaryReport, type SummaryReport } from '../views/summary-report.ts';
import { insightParagraphs, summaryFigures } from '../views/summary-view.ts';
import { sourceText } from '../measures/source.ts';

/** A digest of one day shows the week that ends with it. */
const CHART_DAYS = 7;
/** A longer period always has something to say. */
const MAX_QUIET_DAYS = 3;
/** A larger change against the compared days is worth more than a line. */
const QUIET_CHANGE = 0.25;
const NO_NOTES = { notes: [], faults: [] };

/** The figures of a period, and what a manager would ask next. */
export async function readSummarySection(
  deps: UsageDeps,
  digest: DigestQuery,
  readers: ForChannel,
): Promise<SectionContent> {
  if (digest.people) return readTeamSummary(deps, digest, digest.people);
  const scope = reportScope(deps, digest);
  const range = rangeOf(scope, true);
  const [read, activity, productivity, timeline] = await Promise.all([
    deps.days.credits(range, DIGEST_OPTIONS),
    deps.days.activity(range, DIGEST_OPTIONS),
    deps.days.productivity(range, DIGEST_OPTIONS),
    deps.timeline(scope.period),
  ]);
  const credits = withQuietDays(read, activity);
  const facts = { credits, activity, productivity, timeline };
  const report = buildSummaryReport(facts, { ...scope, readers });
  const active: Known<{ value: number }> =
    report.active.kind === 'known' ? { kind: 'known', value: { value: report.active.value.daily } } : report.active;
  return content({
    source: report.source,
    faults: report.faults,
    point: pointOf(report),
    paragraphs: [
      ...insightParagraphs(report),
      figures(summaryFigures(report)),
      ...creditsByDay(dayRowsOf(credits, chartScope(scope))),
      note(sourceText(report.source)),
    ],
    detail: creditsView(buildCreditsReport({ credits, activity }, scope), NO_NOTES),
    figures: {
      'Standard Credits': report.credits,
      'Active people': active,
      Sessions: report.sessions,
      Messages: report.messages,
      Commits: report.commits,
      'Pull requests': report.pullRequests,
    },
    isQuiet: isQuiet(credits, scope) && hasMovedLittle(report.credits) && timeline.length === 0,
  });
}

/** One sentence that can be repeated: when, how much, how it moved, by how many. */
function pointOf({ scope, credits, active }: SummaryReport): string {
  const when = scope.period.first === scope.period.last ? formatDay(scope.period.last) : formatPeriod(scope.period);
  if (credits.kind === 'unpublished') return `${when} is not published yet.`;
  const people =
    active.kind === 'known' && lengthOf(scope.period) === 1
      ? `, by ${countOf(active.value.daily, 'active person', 'active people')}`
      : '';
  return `${when}: ${creditsHeadline(credits, scope.comparedWith)}${people}.`;
}

function chartScope(scope: ReportScope): ReportScope {
  const { first, last } = scope.period;
  const week = plusDays(last, 1 - CHART_DAYS);
  return { ...scope, period: { first: first < week ? first : week, last } };
}

/** Did every day stay like its weekday? Not known to be is not quiet. */
function isQuiet(credits: Part<CreditsRow>, { period, today }: ReportScope): boolean {
  if (credits.kind === 'unreadable' || lengthOf(period) > MAX_QUIET_DAYS) return false;
  const amounts = credits.rows.map((row) => ({ day: row.date, amount: row.billable_tokens }));
  const published = new Set(credits.rows.map((row) => row.date));
  return daysOf(period).every(
    (day) => dayStateOf(day, published.has(day), today) !== 'unpublished' && isUsual(amounts, day),
  );
}

/** "Down 39 %, nothing unusual" may be true and is not believed: the day that it is compared with may have been the odd one. */
function hasMovedLittle(credits: SummaryReport['credits']): boolean {
  if (credits.kind !== 'known' || credits.value.before === undefined) return true;
  return Math.abs(credits.value.value - credits.value.before) <= credits.value.before * QUIET_CHANGE;
}

async function readTeamSummary(
  deps: UsageDeps,
  digest: DigestQuery,
  people: readonly string[],
): Promise<SectionContent> {
  const scope = reportScope(deps, digest);
  const report = await readGroup(deps, digest, people, undefined);
  const when = scope.period.first === scope.period.last ? formatDay(scope.period.last) : formatPeriod(scope.period);
  const view = groupView(report, NO_NOTES);
  return content({
    source: report.source,
    faults: report.faults,
    point: `${when}, ${digest.about}: ${creditsHeadline(report.credits, scope.comparedWith)}.`,
    paragraphs: [{ blocks: view.blocks.slice(1), lines: view.lines.slice(1) }],
    figures: { 'Standard Credits': report.credits },
    isQuiet: false,
  });
}
