import type { OrganizationFacts, Part } from '../../../core/analytics/day-facts.ts';
import type { Cost } from '../../../core/base/text/numbers.ts';
import type { Day } from '../../../core/base/time/calendar.ts';
import { closest, distance } from 'fastest-levenshtein';
import { isOneOf, keysOf } from '../../../core/analytics/person-credits.ts';
import type { NamingPermission } from '../../../core/slack/people/audience.ts';
import {
  type Figure,
  type ReportScope,
  dayRowsOf,
  faultsOf,
  figureOf,
  isComparable,
  knownOf,
  sourceOf,
} from '../../../core/figures/measures/figures.ts';
import type { KnownPeople } from '../../../core/figures/measures/inactive.ts';
import type { PeopleTotals } from './people-report.ts';
import { personMoves } from './summary-report.ts';
import {
  partOfDays,
  spendOf,
  type PeopleSpend,
  type PeopleSpendFold,
} from '../../../core/figures/measures/people-spend.ts';
import type { PriceList } from '../../../core/figures/money/price-list.ts';
import { costAtOnePrice, creditsCost } from '../../../core/figures/measures/breakdown.ts';

/** The facts of one person or of a team: both folds contain the rows of these people only. */
export interface GroupFacts {
  organization: OrganizationFacts['credits'];
  spend: PeopleSpend & Pick<PeopleSpendFold, 'creditsOn'> & Partial<Pick<PeopleSpendFold, 'emails'>>;
  totals: PeopleTotals & { activeDays: number };
  known?: KnownPeople | undefined;
  prices?: PriceList | undefined;
}

export interface GroupSubject {
  /** Such as `@web-team`, or the name of a person. */
  label: string;
  /** In lower case. */
  emails: readonly string[];
  /** A team may have one member, who is still not named. */
  kind: 'person' | 'team';
  /** See `Subject`. Without any rows, such a person used nothing and is not a typing mistake. */
  isInSlack?: boolean;
}

export interface GroupScope extends ReportScope, GroupSubject {
  /** Permits the names of the people in a team. */
  naming: NamingPermission | undefined;
}

export function buildGroupReport({ organization, spend, totals, known, prices }: GroupFacts, scope: GroupScope) {
  const emailSet = new Set(scope.emails);
  const spendDays = partOfDays(spend.days);
  const totalsDays = partOfDays(totals.days);
  const theirs = totals.people.filter((person) => isOneOf(person, emailSet));
  const used = spendOf(spend.people, scope.emails);
  const byDay =
    spendDays.kind === 'read'
      ? {
          ...spendDays,
          rows: spendDays.rows.map(({ date }) => ({ date, billable_tokens: spend.creditsOn(date) })),
        }
      : spendDays;
  return {
    scope,
    credits: knownOf(spendDays, scope.period, (): Figure =>
      isComparable(spendDays, scope) ? used : { value: used.value },
    ),
    organizationCredits: figureOf(organization, scope, (row) => row.billable_tokens),
    cost: costOfGroup(prices, byDay, used.value, scope),
    days: dayRowsOf(byDay, scope),
    people: knownOf(totalsDays, scope.period, () => theirs),
    byPerson: scope.naming && scope.kind === 'team' ? personMoves(spend, scope, scope.naming) : undefined,
    activeDays: knownOf(totalsDays, scope.period, () => totals.activeDays),
    /** E-mails without figures in the period, if they may be named. */
    withoutFigures: withoutFigures({ spend, totals, known }, scope),
    unknown: unknownPerson({ spend, totals }, scope),
    source: sourceOf([spendDays, totalsDays], scope, (spend.missingValues ?? 0) + (totals.missingValues ?? 0)),
    faults: faultsOf({ credits: spendDays, people: totalsDays }),
  };
}

function costOfGroup(
  prices: PriceList | undefined,
  byDay: Part<{ date: Day; billable_tokens: number }>,
  used: number,
  { period, kind, naming }: GroupScope,
): Cost | undefined {
  const mayShowDays = kind === 'person' || naming !== undefined;
  return mayShowDays ? creditsCost(prices, byDay, period) : costAtOnePrice(prices, used, period);
}

export type GroupReport = ReturnType<typeof buildGroupReport>;

/** Detects an e-mail without any rows: it has no figures, which is different from zero. */
function unknownPerson({ spend, totals }: Pick<GroupFacts, 'spend' | 'totals'>, scope: GroupScope) {
  const [email] = scope.emails;
  if (scope.kind !== 'person' || scope.isInSlack === true || email === undefined || !spend.emails) return undefined;
  if (spend.days.kind === 'unreadable' || totals.days.kind === 'unreadable') return undefined;
  const emailSet = new Set(scope.emails);
  const knownEmails = spend.emails();
  if (knownEmails.length === 0 || knownEmails.some((each) => emailSet.has(each))) return undefined;
  if (totals.people.some((person) => isOneOf(person, emailSet))) return undefined;
  // A suggestion reveals that a person has figures, so it requires the right to name people.
  return { email, nearest: scope.naming ? nearestOf(email, knownEmails) : undefined };
}

/** A typing mistake changes a letter or swaps two; an e-mail with more differences belongs to another person. */
const ALLOWED_TYPOS = 2;

function nearestOf(email: string, knownEmails: readonly string[]): string | undefined {
  const best = closest(email, knownEmails);
  return distance(email, best) <= ALLOWED_TYPOS ? best : undefined;
}

export interface WithoutFigures {
  inactive: readonly string[];
  /** Those without any row in the last days and without a limit; undefined if that is unknown. */
  neverUsed: readonly string[] | undefined;
}

/**
 * Returns nothing if a part could not be read, because missing rows then prove nothing. Without `known`, the readers may
 * not see which members of a team had no activity: a channel, or everyone with `SHOW_INACTIVE=false`.
 */
function withoutFigures({ spend, totals, known }: Omit<GroupFacts, 'organization'>, scope: GroupScope): WithoutFigures {
  const { emails, kind, naming } = scope;
  if ((kind === 'team' && !(naming && known)) || isUnproven({ spend, totals }))
    return { inactive: [], neverUsed: undefined };
  const without = emailsWithoutFigures({ spend, totals }, emails);
  if (!known) return { inactive: without, neverUsed: undefined };
  const knownKeys = new Set([...known.withRows.flatMap(keysOf), ...known.withLimit]);
  return {
    inactive: without.filter((email) => knownKeys.has(email)),
    neverUsed: without.filter((email) => !knownKeys.has(email)),
  };
}

type FiguresOfPeople = Pick<GroupFacts, 'spend' | 'totals'>;

const isUnproven = ({ spend, totals }: FiguresOfPeople) =>
  spend.days.kind === 'unreadable' || totals.days.kind === 'unreadable';

/** Whether a member of the group has none. Only then `known` matters, the last 90 days of everyone. */
export const lacksFigures = (read: FiguresOfPeople, emails: readonly string[]): boolean =>
  !isUnproven(read) && emailsWithoutFigures(read, emails).length > 0;

function emailsWithoutFigures({ spend, totals }: FiguresOfPeople, emails: readonly string[]): string[] {
  const emailsWithFigures = new Set([
    ...spend.people.filter((person) => person.credits > 0).flatMap(keysOf),
    ...totals.people.filter((person) => person.activeDays > 0).flatMap(keysOf),
  ]);
  return emails.filter((email) => !emailsWithFigures.has(email));
}
