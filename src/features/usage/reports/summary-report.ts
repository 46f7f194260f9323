import type { DailyCreditsRow, OrganizationFacts, Part } from '../../../core/analytics/day-facts.ts';
import type {
  ActivityRow,
  CreditsRow,
  ProductivityRow,
  ToolsRow,
} from '../../../core/platform/endpoints/analytics-rows.ts';
import type { TimelineEvent } from '../../../core/feature.ts';
import type { Audience, NamingPermission } from '../../../core/slack/people/audience.ts';
import {
  type AmountsOf,
  type NamedFigure,
  breakdownOf,
  creditsCost,
  modelCredits,
  toolCalls,
} from '../../../core/figures/measures/breakdown.ts';
import {
  type DatedRow,
  type Measurement,
  type ReportScope,
  dayRowsOf,
  faultsOf,
  figureOf,
  isComparable,
  knownOf,
  rowsWithin,
  sourceOf,
} from '../../../core/figures/measures/figures.ts';
import { personName } from '../../../core/figures/measures/sentences.ts';
import {
  type PeopleSpend,
  partOfDays,
  spendByName,
  spendOf,
  spendOfAll,
} from '../../../core/figures/measures/people-spend.ts';
import { lengthOf } from '../../../core/base/time/calendar.ts';
import { isCurrent } from '../../../core/analytics/period.ts';
import { forecastMonth } from '../../../core/figures/insight/forecast.ts';
import { amountsOf, unusualDays, dayOffBand } from '../../../core/figures/insight/unusual.ts';
import { activePeople } from './totals-report.ts';
import type { PriceList } from '../../../core/figures/money/price-list.ts';

export interface Move {
  name: string;
  value: number;
  before: number;
  /** Whether it was used on any day that was read before the period; undefined if unknown. */
  wasUsedEarlier?: boolean;
}

/** All moves, in no order; they add up to the change of the total, except for teams. */
export interface Moves extends MoveSums {
  moves: readonly Move[];
}

interface MoveSums {
  total: { value: number; before: number };
  /** The sum of the changes in each direction, both positive. */
  rises: number;
  falls: number;
}

/** `not_comparable`: a day of either period is not published, or there is no earlier period. */
export type KnownMoves = Measurement<Moves> | { kind: 'not_comparable' };

/** A group of people; a person may be in several teams. */
export interface Team {
  label: string;
  /** In lower case. */
  emails: readonly string[];
}

export interface MovesFacts {
  credits: Part<CreditsRow>;
  tools?: Part<ToolsRow> | undefined;
  /** Only if the reader may see single people. */
  people?: PeopleSpend | undefined;
  teams?: readonly Team[] | undefined;
  timeline?: readonly TimelineEvent[] | undefined;
}

/** @param naming permits a list of single people; teams are listed whenever they are given */
export function buildMoves(facts: MovesFacts, scope: ReportScope, naming: NamingPermission | undefined) {
  const { credits, tools, people, teams = [], timeline = [] } = facts;
  const { first, last } = scope.period;
  return {
    scope,
    credits: figureOf(credits, scope, (row) => row.billable_tokens),
    byModel: movesOf(credits, scope, modelCredits),
    byPerson: people && naming ? personMoves(people, scope, naming) : undefined,
    byTeam: people && teams.length > 0 ? teamMoves(people, scope, teams) : undefined,
    /** In calls, not in credits. */
    byTool: tools && movesOf(tools, scope, toolCalls),
    timeline: timeline
      .filter(({ day }) => day >= first && day <= last)
      .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
    source: sourceOf([credits, tools, people && partOfDays(people.days)], scope),
    faults: faultsOf({ credits, tools, people: people?.days }),
  };
}

export type MovesReport = ReturnType<typeof buildMoves>;

function movesOf<Row extends DatedRow>(part: Part<Row>, scope: ReportScope, amounts: AmountsOf<Row>): KnownMoves {
  if (part.kind === 'unreadable') return { kind: 'unreadable' };
  if (rowsWithin(part, scope.period).length === 0) return { kind: 'unpublished' };
  if (!isComparable(part, scope)) return { kind: 'not_comparable' };
  const usedEarlier = namesUsedEarlier(part, scope, amounts);
  const moves = breakdownOf(part, scope, amounts).map((figure) => ({
    ...toMove(figure),
    wasUsedEarlier: usedEarlier.has(figure.name),
  }));
  return { kind: 'known', value: { ...sumsOf(moves), moves } };
}

/** An item that was idle only in the compared days is not new: all days that were read before the period count. */
function namesUsedEarlier<Row extends DatedRow>(part: Part<Row>, { period }: ReportScope, amounts: AmountsOf<Row>) {
  const rows = part.kind === 'read' ? part.rows.filter(({ date }) => date < period.first) : [];
  return new Set(rows.flatMap((row) => [...amounts(row)].flatMap(([name, amount]) => (amount === 0 ? [] : [name]))));
}

const toMove = ({ name, value, before = 0 }: NamedFigure): Move => ({ name, value, before });

export function sumsOf(moves: readonly Move[]): MoveSums {
  const sums = { total: { value: 0, before: 0 }, rises: 0, falls: 0 };
  for (const move of moves) {
    sums.total.value += move.value;
    sums.total.before += move.before;
    const change = changeOf(move);
    if (change > 0) sums.rises += change;
    else sums.falls -= change;
  }
  return sums;
}

export function changeOf({ value, before }: { value: number; before: number }): number {
  return value - before;
}

export const largestChangeFirst = (a: Move, b: Move): number =>
  Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

export function personMoves(people: PeopleSpend, scope: ReportScope, naming: NamingPermission): KnownMoves {
  const part = partOfDays(people.days);
  const moves = knownOf(part, scope.period, () =>
    people.people.map((person): Move => ({
      name: personName(person, naming),
      value: person.credits,
      before: person.before,
    })),
  );
  if (moves.kind !== 'known') return moves;
  if (!isComparable(part, scope)) return { kind: 'not_comparable' };
  return { kind: 'known', value: { ...sumsOf(moves.value), moves: moves.value } };
}

/** People can be in several teams, so the total is that of all people, not the sum of the teams. */
function teamMoves(people: PeopleSpend, scope: ReportScope, teams: readonly Team[]): KnownMoves {
  const everybody = spendOfAll(people, scope);
  if (everybody.kind !== 'known') return everybody;
  if (!isComparable(partOfDays(people.days), scope)) return { kind: 'not_comparable' };
  const moves = teams.map(({ label, emails }): Move => ({ name: label, ...spendOf(people.people, emails) }));
  return { kind: 'known', value: { ...sumsOf(moves), total: everybody.value, moves } };
}

/** If the total changed by less than this share, shares of the change mean nothing. */
const LEAST_TOTAL_CHANGE = 0.01;
/** If opposite moves exceed this share of the total change, shares of the change mean nothing. */
const MAX_OPPOSED = 0.5;

/** Returns undefined if a share would mislead: the total hardly changed, or moves oppose it or exceed it. */
export function explainedShare({ total, rises, falls }: MoveSums, move: Move): number | undefined {
  const change = changeOf(total);
  if (Math.abs(change) < Math.max(1, total.before * LEAST_TOTAL_CHANGE)) return undefined;
  const opposed = change > 0 ? falls : rises;
  if (opposed > Math.abs(change) * MAX_OPPOSED) return undefined;
  const share = changeOf(move) / change;
  return share > 0 && share <= 1 ? share : undefined;
}

export type SummaryFacts = Pick<OrganizationFacts, 'credits' | 'activity' | 'productivity'> & {
  history: Part<DailyCreditsRow>;
  people?: PeopleSpend | undefined;
  timeline?: readonly TimelineEvent[] | undefined;
  prices?: PriceList | undefined;
};

export interface SummaryScope extends ReportScope {
  /** A single reader also sees their own part; people are named only to readers with that right. */
  readers: Audience;
}

type DailyFacts = Pick<SummaryFacts, 'credits' | 'history'>;

/** What the days before say about the period. Pure. */
export function judgePeriod({ credits, history }: DailyFacts, { period }: ReportScope) {
  return {
    usual: dayOffBand(history, period),
    unusual: history.kind === 'read' ? unusualDays(amountsOf(credits), amountsOf(history), period) : undefined,
  };
}

/** Undefined for a period that ended long ago, because the forecast is about this month. Pure. */
export function forecastAfter({ credits, history }: DailyFacts, scope: ReportScope) {
  return isCurrent(scope) ? forecastMonth(credits, history, scope.today) : undefined;
}

const outlookOf = (facts: DailyFacts, scope: ReportScope) => ({
  ...judgePeriod(facts, scope),
  forecast: forecastAfter(facts, scope),
});

export function buildSummaryReport(facts: SummaryFacts, scope: SummaryScope, outlook = outlookOf(facts, scope)) {
  const { credits, history, activity, productivity, people } = facts;
  const { naming } = scope.readers;
  const ownEmail = scope.readers.kind === 'person' ? scope.readers.email : undefined;
  const ofActivity = (measure: (row: ActivityRow) => number) => figureOf(activity, scope, measure);
  const ofProductivity = (measure: (row: ProductivityRow) => number) => figureOf(productivity, scope, measure);
  return {
    scope: { ...scope, usual: outlook.usual },
    credits: figureOf(credits, scope, (row) => row.billable_tokens),
    cost: creditsCost(facts.prices, credits, scope.period),
    days: dayRowsOf(credits, scope),
    models: breakdownOf(credits, scope, modelCredits),
    active: activePeople(activity, scope),
    sessions: ofActivity((row) => row.sessions),
    messages: ofActivity((row) => row.messages),
    commits: ofProductivity((row) => row.git_commits),
    pullRequests: ofProductivity((row) => row.git_prs_created),
    filesCreated: ofProductivity((row) => row.files_created),
    filesEdited: ofProductivity((row) => row.files_edited),
    people: people && naming ? topSpend(people, scope, naming) : undefined,
    own: people && ownEmail !== undefined ? ownSpend(people, scope, ownEmail) : undefined,
    moves: buildMoves({ credits, people, timeline: facts.timeline }, scope, naming),
    unusual: outlook.unusual,
    forecast: outlook.forecast,
    source: sourceOf([credits, activity, productivity], scope, people?.missingValues),
    faults: faultsOf({ credits, history, activity, productivity, people: people?.days }),
  };
}

export type SummaryReport = ReturnType<typeof buildSummaryReport>;

/** In a longer period, days as usual can still add up to a change that matters. */
const MAX_JUDGED_DAYS = 3;

/** Whether each day of a short period was usual for its weekday; a day that cannot be judged is not. Pure. */
export function isAsUsual({ scope: { period }, unusual }: SummaryReport): boolean {
  const days = lengthOf(period);
  if (!unusual || days > MAX_JUDGED_DAYS || unusual.ranges.length < days) return false;
  return unusual.unusual.length === 0 && unusual.unknown.length === 0;
}

function topSpend(people: PeopleSpend, scope: ReportScope, naming: NamingPermission): Measurement<NamedFigure[]> {
  const spend = spendByName(people, scope, naming);
  if (spend.kind !== 'known') return spend;
  return { kind: 'known', value: spend.value.filter(({ value }) => value > 0) };
}

function ownSpend({ days, people }: PeopleSpend, { period }: ReportScope, email: string): Measurement<number> {
  return knownOf(partOfDays(days), period, () => spendOf(people, [email]).value);
}
