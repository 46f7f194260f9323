import type { OrganizationFacts } from '../../core/analytics/day-facts.ts';
import { type Cost, sumCosts } from '../../core/base/text/numbers.ts';
import { isOneOf } from '../../core/analytics/person-credits.ts';
import {
  type ComparedFigure,
  type FaultyPart,
  type Figure,
  type Measurement,
  type ReportScope,
  type Source,
  faultsOf,
  isComparable,
  sourceOf,
} from '../../core/figures/measures/figures.ts';
import { partOfDays, spendOfAll, sumSpend, type PeopleSpend } from '../../core/figures/measures/people-spend.ts';
import type { PriceList } from '../../core/figures/money/price-list.ts';
import { costsOfEach } from '../../core/figures/measures/breakdown.ts';

export interface ChosenTeam {
  label: string;
  members: number;
  /** Of the members who have one, in lower case. */
  emails: readonly string[];
}

export interface TeamLine extends Figure {
  name: string;
  /** undefined for people in no team. */
  members: number | undefined;
  /** The number of people with credits; undefined if it may not be shown. */
  active: number | undefined;
  /** undefined if it used nothing, or if there is no money. */
  cost: Cost | undefined;
}

export const NO_TEAM = 'No team';

export interface TeamsReport {
  scope: ReportScope;
  total: Measurement<Figure>;
  teams: readonly TeamLine[];
  /** All people in no team; undefined if they may not be shown. */
  rest: TeamLine | undefined;
  hidden: readonly string[];
  inSeveral: number;
  /** Of the total. */
  cost: Cost | undefined;
  /** Money at two prices shows what was used before and after the change. */
  isAtOnePrice: boolean;
  source: Source;
  faults: readonly FaultyPart[];
}

interface TeamsFacts extends Pick<OrganizationFacts, 'credits'> {
  spend: PeopleSpend;
  teams: readonly ChosenTeam[];
  prices?: PriceList | undefined;
}

export function buildTeamsReport({ spend, teams, credits, prices }: TeamsFacts, scope: ReportScope): TeamsReport {
  const days = partOfDays(spend.days);
  const isCompared = isComparable(days, scope);
  const figure = (compared: ComparedFigure): Figure => (isCompared ? compared : { value: compared.value });
  const all = spendOfAll(spend, scope);
  const total: Measurement<Figure> = all.kind === 'known' ? { kind: 'known', value: figure(all.value) } : all;
  const costs = costsOfEach(prices, spend.people, scope.period, days);
  const costOf = (people: PeopleSpend['people']) => sumCosts(people.flatMap((person) => costs?.of.get(person) ?? []));
  const inSome = new Set(teams.flatMap(({ emails }) => emails));
  const others = spend.people.filter((person) => !isOneOf(person, inSome));
  const lines = teams
    .map(({ label, members, emails }): TeamLine => {
      const emailSet = new Set(emails);
      const theirs = spend.people.filter((person) => isOneOf(person, emailSet));
      return { name: label, members, active: activeIn(theirs), cost: costOf(theirs), ...figure(sumSpend(theirs)) };
    })
    .toSorted((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1));
  const rest: TeamLine = {
    name: NO_TEAM,
    members: undefined,
    active: activeIn(others),
    cost: costOf(others),
    ...figure(sumSpend(others)),
  };
  return {
    scope,
    total,
    teams: lines,
    rest,
    hidden: [],
    inSeveral: spend.people.filter(
      (person) => person.credits > 0 && teams.filter(({ emails }) => isOneOf(person, new Set(emails))).length > 1,
    ).length,
    cost: costs?.total,
    isAtOnePrice: prices?.over(scope.period) !== undefined,
    source: sourceOf([days, credits], scope, spend.missingValues),
    faults: faultsOf({ people: spend.days }),
  };
}

const activeIn = (people: PeopleSpend['people']) => people.filter((person) => person.credits > 0).length;
