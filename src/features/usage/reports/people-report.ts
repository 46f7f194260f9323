import type { FoldedDays } from '../../../core/analytics/days.ts';
import { type ReportScope, faultsOf, knownOf, sourceOf } from '../../../core/figures/measures/figures.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import type { PersonTotals } from '../../../core/figures/measures/people-fold.ts';
import { partOfDays } from '../../../core/figures/measures/people-spend.ts';
import { findInactive, type KnownPeople } from '../../../core/figures/measures/inactive.ts';
import type { Seats } from '../../../core/figures/measures/seats.ts';
import type { PriceList } from '../../../core/figures/money/price-list.ts';
import { costsOfEach } from '../../../core/figures/measures/breakdown.ts';

export interface PeopleTotals {
  days: FoldedDays;
  /** Most credits first. */
  people: readonly PersonTotals[];
  /** See `PeopleFold`; undefined if there are none. */
  missingValues?: number | undefined;
}

export function buildPeopleReport(
  { days, people, missingValues }: PeopleTotals,
  scope: ReportScope,
  known?: KnownPeople,
  prices?: PriceList,
  seats?: Seats,
) {
  const part = partOfDays(days);
  const credits = sumOf(people, (person) => person.credits);
  return {
    scope,
    people: knownOf(part, scope.period, () => ({ credits, people })),
    costs: costsOfEach(prices, people, scope.period, part),
    inactivity: known && part.kind !== 'unreadable' ? findInactive(known, people) : undefined,
    seats: part.kind === 'unreadable' ? undefined : seats,
    source: sourceOf([part], scope, missingValues),
    faults: faultsOf({ people: part }),
  };
}

export type PeopleReport = ReturnType<typeof buildPeopleReport>;
