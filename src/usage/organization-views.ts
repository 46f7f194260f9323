import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPeopleFold } from './views/people-fold.ts';
import type { DaysOptions } from '../analytics/days.ts';
import type { Part } from '../analytics/facts.ts';
import type { ActivityRow } from '../platform/analytics-rows.ts';
import type { Person } from '../slack/people.ts';
import type { Period } from '../slack/periods.ts';
import { buildMoves } from './insight/moves.ts';
import { movesView } from './insight/moves-view.ts';
import type { UsageParts } from './parts.ts';
import { foldedWithQuietDays, rangeToRead, settleBy, todayOf, withQuietDays, type SettledPeriod } from './reading.ts';
import type { UsageRequest, UsageViewName } from './request.ts';
import { buildActivityReport } from './views/activity-report.ts';
import { activityView } from './views/activity-view.ts';
import { buildCreditsReport } from './views/credits-report.ts';
import { creditsView } from './views/credits-view.ts';
import type { FaultyPart, ReportWish } from './views/figures.ts';
import { buildModelsReport } from './views/models-report.ts';
import { modelsView } from './views/models-view.ts';
import { createPeopleSpendFold, type PeopleSpend } from './views/people-spend.ts';
import { peopleView } from './views/people-view.ts';
import { buildPeopleReport } from './views/people-report.ts';
import { buildProductivityReport } from './views/productivity-report.ts';
import { productivityView } from './views/productivity-view.ts';
import { buildSummaryReport } from './views/summary-report.ts';
import { summaryView } from './views/summary-view.ts';
import { buildToolsReport } from './views/tools-report.ts';
import { toolsView } from './views/tools-view.ts';
import type { View, ViewNotes } from './views/view.ts';

/** What the organization's figures are asked for. */
export interface OrganizationAsk {
  request: UsageRequest;
  /** Cut to what exists. */
  period: Period;
  asker: Person;
  /** Whether single people may be named. */
  withNames: boolean;
  /** For the reading that takes longest: what it says of its progress is what the person is told. */
  slowest: DaysOptions;
}

/** A report, ready to be put into words once its faults have got theirs. */
export interface ReadView {
  wish: ReportWish;
  notes: string[];
  faults: readonly FaultyPart[];
  /** How many parts there are; when none could be read, the fault is the answer. */
  parts: number;
  show(notes: ViewNotes): ShownView;
}

export interface ShownView {
  view: View;
  /** Where a table goes on that did not fit. */
  next?: number | undefined;
}

type Reader = (parts: UsageParts, ask: OrganizationAsk) => Promise<ReadView>;

const READERS: Record<UsageViewName, Reader> = {
  summary: readSummary,
  credits: readCredits,
  models: readModels,
  tools: readTools,
  activity: readActivity,
  productivity: readProductivity,
  people: readPeople,
  moved: readMoves,
};

/** Reads what a view of the organization needs, with the smallest calls that hold it. */
export function readOrganizationView(parts: UsageParts, ask: OrganizationAsk): Promise<ReadView> {
  return READERS[ask.request.view](parts, ask);
}

/** A member's own part is shown, so the credits of people are read for everybody who has an e-mail. */
async function readSummary(parts: UsageParts, ask: OrganizationAsk): Promise<ReadView> {
  const { range, activity, settled } = await settleByActivity(parts, ask, true);
  const ownEmail = ask.withNames || ask.asker.role !== 'member' ? undefined : ask.asker.email;
  const [credits, productivity, people, happenings] = await Promise.all([
    parts.days.credits(range, ask.slowest),
    parts.days.productivity(range),
    ask.withNames || ownEmail !== undefined ? readSpend(parts, ask, settled.wish) : undefined,
    ask.asker.role === 'member' ? [] : parts.happenings(settled.wish.period),
  ]);
  const facts = { credits: withQuietDays(credits, activity), activity, productivity, people, happenings };
  const report = buildSummaryReport(facts, { ...settled.wish, withNames: ask.withNames, ownEmail });
  return readView(settled, report.faults, 3, (notes) => ({ view: summaryView(report, notes) }));
}

async function readCredits(parts: UsageParts, ask: OrganizationAsk): Promise<ReadView> {
  const { range, activity, settled } = await settleByActivity(parts, ask);
  const credits = withQuietDays(await parts.days.credits(range, ask.slowest), activity);
  const report = buildCreditsReport({ credits, activity }, settled.wish);
  return readView(settled, report.faults, 2, (notes) => ({ view: creditsView(report, notes) }));
}

async function readModels(parts: UsageParts, ask: OrganizationAsk): Promise<ReadView> {
  const { range, activity, settled } = await settleByActivity(parts, ask);
  const credits = withQuietDays(await parts.days.credits(range, ask.slowest), activity);
  const report = buildModelsReport({ credits }, settled.wish);
  return readView(settled, report.faults, 1, (notes) => ({ view: modelsView(report, notes) }));
}

async function readTools(parts: UsageParts, ask: OrganizationAsk): Promise<ReadView> {
  const { range, activity, settled } = await settleByActivity(parts, ask);
  const tools = await parts.days.tools(range);
  const report = buildToolsReport({ tools, activity }, settled.wish);
  return readView(settled, report.faults, 2, (notes) => ({ view: toolsView(report, notes) }));
}

async function readActivity(parts: UsageParts, ask: OrganizationAsk): Promise<ReadView> {
  const { activity, settled } = await settleByActivity(parts, ask);
  const report = buildActivityReport({ activity }, settled.wish);
  return readView(settled, report.faults, 1, (notes) => ({ view: activityView(report, notes) }));
}

async function readProductivity(parts: UsageParts, ask: OrganizationAsk): Promise<ReadView> {
  const { range, activity, settled } = await settleByActivity(parts, ask);
  const [productivity, credits] = await Promise.all([
    parts.days.productivity(range),
    parts.days.credits(range, ask.slowest),
  ]);
  const facts = { productivity, credits: withQuietDays(credits, activity) };
  const report = buildProductivityReport(facts, settled.wish);
  return readView(settled, report.faults, 2, (notes) => ({ view: productivityView(report, notes) }));
}

async function readPeople(parts: UsageParts, ask: OrganizationAsk): Promise<ReadView> {
  const { activity, settled } = await settleByActivity(parts, ask);
  const fold = createPeopleFold();
  const read = await parts.days.users(settled.wish.period, (row) => fold.add(row), ask.slowest);
  const days = foldedWithQuietDays(read, activity);
  // Each of these steps takes its time with thousands of people.
  await nextTurn();
  const people = fold.people();
  await nextTurn();
  const report = buildPeopleReport({ days, people }, settled.wish);
  return readView(settled, report.faults, 1, (notes) => peopleView(report, notes, ask.request.offset));
}

async function readMoves(parts: UsageParts, ask: OrganizationAsk): Promise<ReadView> {
  const { range, activity, settled } = await settleByActivity(parts, ask);
  const [credits, tools, people, teams, happenings] = await Promise.all([
    parts.days.credits(range, ask.slowest),
    parts.days.tools(range),
    ask.withNames ? readSpend(parts, ask, settled.wish) : undefined,
    ask.withNames ? parts.people.teams() : [],
    ask.asker.role === 'member' ? [] : parts.happenings(settled.wish.period),
  ]);
  const facts = {
    credits: withQuietDays(credits, activity),
    tools,
    people,
    teams: teams.map(({ handle, emails }) => ({ label: `@${handle}`, emails })),
    happenings,
  };
  const report = buildMoves(facts, settled.wish, ask.withNames);
  return readView(settled, report.faults, 2, (notes) => ({ view: movesView(report, notes) }));
}

/** Reads the activity first, one small call: it tells which days are published. */
async function settleByActivity(
  parts: UsageParts,
  { request, period }: OrganizationAsk,
  isExplained = false,
): Promise<{ range: Period; activity: Part<ActivityRow>; settled: SettledPeriod }> {
  const today = todayOf(parts);
  const range = rangeToRead(request.period, period, today, isExplained);
  const activity = await parts.days.activity(range);
  return { range, activity, settled: settleBy(request.period, period, activity, today) };
}

async function readSpend(parts: UsageParts, ask: OrganizationAsk, wish: ReportWish): Promise<PeopleSpend> {
  const { period, comparedWith } = wish;
  const fold = createPeopleSpendFold(period, comparedWith);
  const range = { first: comparedWith?.first ?? period.first, last: period.last };
  const days = await parts.days.peopleCredits(range, (row) => fold.add(row));
  await nextTurn();
  const people = fold.people();
  await nextTurn();
  return { days, people };
}

export function readView(
  { wish, notes }: SettledPeriod,
  faults: readonly FaultyPart[],
  parts: number,
  show: ReadView['show'],
): ReadView {
  return { wish, notes, faults, parts, show };
}
