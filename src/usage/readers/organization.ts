import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPeopleFold } from '../measures/people-fold.ts';
import type { DaysOptions } from '../../analytics/days.ts';
import type { Part } from '../../analytics/facts.ts';
import type { ActivityRow } from '../../platform/endpoints/analytics-rows.ts';
import type { Audience } from '../../slack/people/audience.ts';
import type { Period } from '../../calendar.ts';
import { buildMoves } from '../insight/moves.ts';
import { movesView } from '../insight/moves-view.ts';
import type { UsageDeps } from '../deps.ts';
import { foldedWithQuietDays, rangeToRead, settleBy, todayOf, withQuietDays, type SettledPeriod } from './period.ts';
import type { RequestFor, UsageViewName } from '../commands.ts';
import { buildActivityReport } from '../reports/activity-report.ts';
import { activityView } from '../views/activity-view.ts';
import { buildCreditsReport } from '../views/credits-report.ts';
import { creditsView } from '../views/credits-view.ts';
import type { FaultyPart, ReportScope } from '../measures/figures.ts';
import { buildModelsReport } from '../reports/models-report.ts';
import { modelsView } from '../views/models-view.ts';
import { createPeopleSpendFold, type PeopleSpend } from '../measures/people-spend.ts';
import { peopleView } from '../views/people-view.ts';
import { buildPeopleReport } from '../reports/people-report.ts';
import { buildProductivityReport } from '../views/productivity-report.ts';
import { productivityView } from '../views/productivity-view.ts';
import { buildSummaryReport } from '../views/summary-report.ts';
import { summaryView } from '../views/summary-view.ts';
import { buildToolsReport } from '../reports/tools-report.ts';
import { toolsView } from '../views/tools-view.ts';
import type { AddressedView, View, ViewNotes } from '../views/view.ts';

/** What the organization's figures are asked for. */
export interface OrganizationAsk<Readers extends Audience = Audience> {
  request: RequestFor<Readers>;
  /** Cut to what exists. */
  period: Period;
  readers: Readers;
  /** Whether it is told what else happened: for managers, and for what they share. */
  isExplained: boolean;
  /** For the reading that takes longest: what it says of its progress is what the person is told. */
  slowest: DaysOptions;
}

/** A report, ready to be put into words once its faults have got theirs. */
export interface ReadView<Readers extends Audience = Audience> {
  scope: ReportScope;
  notes: string[];
  faults: readonly FaultyPart[];
  /** How many sources there are; when none could be read, the fault is the answer. */
  sourceCount: number;
  show(notes: ViewNotes): ShownView<Readers>;
}

export interface ShownView<Readers extends Audience> {
  view: AddressedView<Readers>;
  /** Where a table goes on that did not fit. */
  next?: number | undefined;
}

type ViewReader = <Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
) => Promise<ReadView<Readers>>;

const VIEW_READERS: Record<UsageViewName, ViewReader> = {
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
export function readOrganizationView<Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
): Promise<ReadView<Readers>> {
  return VIEW_READERS[ask.request.view](deps, ask);
}

/** A member's own part is shown, so the credits of people are read for everybody who has an e-mail. */
async function readSummary<Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
): Promise<ReadView<Readers>> {
  const { range, activity, settled } = await settleByActivity(deps, ask, true);
  const { readers } = ask;
  const isOwnShown = readers.kind === 'person' && readers.email !== undefined;
  const [credits, productivity, people, timeline] = await Promise.all([
    deps.days.credits(range, ask.slowest),
    deps.days.productivity(range),
    readers.naming || isOwnShown ? readSpend(deps, ask, settled.scope) : undefined,
    ask.isExplained ? deps.timeline(settled.scope.period) : [],
  ]);
  const facts = { credits: withQuietDays(credits, activity), activity, productivity, people, timeline };
  const report = buildSummaryReport(facts, { ...settled.scope, readers });
  return readView(ask.readers, settled, report.faults, 3, (notes) => ({ view: summaryView(report, notes) }));
}

async function readCredits<Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
): Promise<ReadView<Readers>> {
  const { range, activity, settled } = await settleByActivity(deps, ask);
  const credits = withQuietDays(await deps.days.credits(range, ask.slowest), activity);
  const report = buildCreditsReport({ credits, activity }, settled.scope);
  return readView(ask.readers, settled, report.faults, 2, (notes) => ({ view: creditsView(report, notes) }));
}

async function readModels<Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
): Promise<ReadView<Readers>> {
  const { range, activity, settled } = await settleByActivity(deps, ask);
  const credits = withQuietDays(await deps.days.credits(range, ask.slowest), activity);
  const report = buildModelsReport({ credits }, settled.scope);
  return readView(ask.readers, settled, report.faults, 1, (notes) => ({ view: modelsView(report, notes) }));
}

async function readTools<Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
): Promise<ReadView<Readers>> {
  const { range, activity, settled } = await settleByActivity(deps, ask);
  const tools = await deps.days.tools(range);
  const report = buildToolsReport({ tools, activity }, settled.scope);
  return readView(ask.readers, settled, report.faults, 2, (notes) => ({ view: toolsView(report, notes) }));
}

async function readActivity<Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
): Promise<ReadView<Readers>> {
  const { activity, settled } = await settleByActivity(deps, ask);
  const report = buildActivityReport({ activity }, settled.scope);
  return readView(ask.readers, settled, report.faults, 1, (notes) => ({ view: activityView(report, notes) }));
}

async function readProductivity<Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
): Promise<ReadView<Readers>> {
  const { range, activity, settled } = await settleByActivity(deps, ask);
  const [productivity, credits] = await Promise.all([
    deps.days.productivity(range),
    deps.days.credits(range, ask.slowest),
  ]);
  const facts = { productivity, credits: withQuietDays(credits, activity) };
  const report = buildProductivityReport(facts, settled.scope);
  return readView(ask.readers, settled, report.faults, 2, (notes) => ({ view: productivityView(report, notes) }));
}

async function readPeople<Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
): Promise<ReadView<Readers>> {
  const { naming } = ask.readers;
  if (!naming) throw new Error('Rows of people were asked for without the right to name them');
  const { activity, settled } = await settleByActivity(deps, ask);
  const fold = createPeopleFold();
  const read = await deps.days.users(settled.scope.period, (row) => fold.add(row), ask.slowest);
  const days = foldedWithQuietDays(read, activity);
  // Each of these steps takes its time with thousands of people.
  await nextTurn();
  const people = fold.people();
  await nextTurn();
  const report = buildPeopleReport({ days, people }, settled.scope);
  return readView(ask.readers, settled, report.faults, 1, (notes) =>
    peopleView(report, notes, naming, ask.request.offset),
  );
}

async function readMoves<Readers extends Audience>(
  deps: UsageDeps,
  ask: OrganizationAsk<Readers>,
): Promise<ReadView<Readers>> {
  const { range, activity, settled } = await settleByActivity(deps, ask);
  const [credits, tools, people, teams, timeline] = await Promise.all([
    deps.days.credits(range, ask.slowest),
    deps.days.tools(range),
    ask.readers.naming ? readSpend(deps, ask, settled.scope) : undefined,
    ask.readers.naming ? deps.people.teams() : [],
    ask.isExplained ? deps.timeline(settled.scope.period) : [],
  ]);
  const facts = {
    credits: withQuietDays(credits, activity),
    tools,
    people,
    teams: teams.map(({ handle, emails }) => ({ label: `@${handle}`, emails })),
    timeline,
  };
  const report = buildMoves(facts, settled.scope, ask.readers.naming);
  return readView(ask.readers, settled, report.faults, 2, (notes) => ({ view: movesView(report, notes, ask.readers) }));
}

/** Reads the activity first, one small call: it tells which days are published. */
async function settleByActivity(
  deps: UsageDeps,
  { request, period }: OrganizationAsk,
  isExplained = false,
): Promise<{ range: Period; activity: Part<ActivityRow>; settled: SettledPeriod }> {
  const today = todayOf(deps);
  const range = rangeToRead(request.period, period, today, isExplained);
  const activity = await deps.days.activity(range);
  return { range, activity, settled: settleBy(request.period, period, activity, today) };
}

async function readSpend(deps: UsageDeps, ask: OrganizationAsk, scope: ReportScope): Promise<PeopleSpend> {
  const { period, comparedWith } = scope;
  const fold = createPeopleSpendFold(period, comparedWith);
  const range = { first: comparedWith?.first ?? period.first, last: period.last };
  const days = await deps.days.peopleCredits(range, (row) => fold.add(row));
  await nextTurn();
  const people = fold.people();
  await nextTurn();
  return { days, people };
}

export function readView<Readers extends Audience>(
  readers: Readers,
  { scope, notes }: SettledPeriod,
  faults: readonly FaultyPart[],
  sourceCount: number,
  show: (notes: ViewNotes) => { view: View; next?: number | undefined },
): ReadView<Readers> {
  const addressed = (under: ViewNotes) => {
    const shown = show(under);
    return { ...shown, view: { ...shown.view, readers } };
  };
  return { scope, notes, faults, sourceCount, show: addressed };
}
