import type { Part } from '../../../core/analytics/day-facts.ts';
import type { CreditsRow, ToolsRow } from '../../../core/platform/endpoints/analytics-rows.ts';
import type { TimelineEvent } from '../../../core/feature.ts';
import type { NamingPermission } from '../../../core/slack/people/audience.ts';
import { modelCredits, toolCalls } from '../../../core/figures/measures/amounts.ts';
import { breakdownOf, type AmountsOf, type NamedFigure } from '../../../core/figures/measures/breakdown.ts';
import {
  faultsOf,
  figureOf,
  isComparable,
  rowsWithin,
  type DatedRow,
  type Measurement,
  type ReportScope,
} from '../../../core/figures/measures/figures.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import {
  partOfDays,
  spendByName,
  spendOf,
  spendOfAll,
  type PeopleSpend,
} from '../../../core/figures/measures/people-spend.ts';
import { sourceOf } from '../../../core/figures/measures/source.ts';

export interface Move {
  name: string;
  value: number;
  before: number;
  /** Whether it was used on any day that was read before the period; undefined if unknown. */
  wasUsedEarlier?: boolean;
}

/** All moves, largest change first; they add up to the change of the total, except for teams. */
export interface Moves {
  total: { value: number; before: number };
  moves: Move[];
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
  return { kind: 'known', value: { total: totalOf(moves), moves: moves.toSorted(largestFirst) } };
}

/** An item that was idle only in the compared days is not new: all days that were read before the period count. */
function namesUsedEarlier<Row extends DatedRow>(part: Part<Row>, { period }: ReportScope, amounts: AmountsOf<Row>) {
  const rows = part.kind === 'read' ? part.rows.filter(({ date }) => date < period.first) : [];
  return new Set(rows.flatMap((row) => [...amounts(row)].flatMap(([name, amount]) => (amount === 0 ? [] : [name]))));
}

const toMove = ({ name, value, before = 0 }: NamedFigure): Move => ({ name, value, before });

const totalOf = (moves: readonly Move[]) => ({
  value: sumOf(moves, (move) => move.value),
  before: sumOf(moves, (move) => move.before),
});

export function changeOf({ value, before }: { value: number; before: number }): number {
  return value - before;
}

const largestFirst = (a: Move, b: Move) =>
  Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function personMoves(people: PeopleSpend, scope: ReportScope, naming: NamingPermission): KnownMoves {
  const spend = spendByName(people, scope, naming);
  if (spend.kind !== 'known') return spend;
  if (!isComparable(partOfDays(people.days), scope)) return { kind: 'not_comparable' };
  const moves = spend.value.map(toMove);
  return { kind: 'known', value: { total: totalOf(moves), moves: moves.toSorted(largestFirst) } };
}

/** People can be in several teams, so the total is that of all people, not the sum of the teams. */
function teamMoves(people: PeopleSpend, scope: ReportScope, teams: readonly Team[]): KnownMoves {
  const everybody = spendOfAll(people, scope);
  if (everybody.kind !== 'known') return everybody;
  if (!isComparable(partOfDays(people.days), scope)) return { kind: 'not_comparable' };
  const moves = teams.map(({ label, emails }): Move => ({ name: label, ...spendOf(people.people, emails) }));
  return { kind: 'known', value: { total: everybody.value, moves: moves.toSorted(largestFirst) } };
}

/** If the total changed by less than this share, shares of the change mean nothing. */
const LEAST_TOTAL_CHANGE = 0.01;
/** If opposite moves exceed this share of the total change, shares of the change mean nothing. */
const MAX_OPPOSED = 0.5;

/** Returns undefined if a share would mislead: the total hardly changed, or moves oppose it or exceed it. */
export function explainedShare({ total, moves }: Moves, move: Move): number | undefined {
  const change = changeOf(total);
  if (Math.abs(change) < Math.max(1, total.before * LEAST_TOTAL_CHANGE)) return undefined;
  const opposed = sumOf(moves, (one) => Math.max(0, -changeOf(one) * Math.sign(change)));
  if (opposed > Math.abs(change) * MAX_OPPOSED) return undefined;
  const share = changeOf(move) / change;
  return share > 0 && share <= 1 ? share : undefined;
}
