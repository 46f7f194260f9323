import { comparedPeriod } from '../../analytics/comparison.ts';
import { cutToExisting } from '../../analytics/existing-period.ts';
import type { DaysOptions } from '../../analytics/facts.ts';
import { isOneOf } from '../../analytics/person-credits.ts';
import { plusDays, readPeriod, type Day, type Period } from '../../base/calendar.ts';
import { nextTurn } from '../../base/turns.ts';
import type { PlatformError } from '../../platform/errors.ts';
import { FIRST_ANALYTICS_DAY } from '../../platform/endpoints/analytics-range.ts';
import type { UsageDeps } from '../deps.ts';
import { isComparable, sumOf } from '../measures/figures.ts';
import { createPeopleSpendFold, partOfDays, spendOf, type PersonSpend } from '../measures/people-spend.ts';
import { todayOf } from '../period.ts';
import { peersOf, type OwnReport, type PeerGroup } from './own-report.ts';

const WEEKS = 4;

export type OwnReading =
  | { kind: 'read'; report: OwnReport }
  | { kind: 'no_days' }
  | { kind: 'unpublished' }
  | { kind: 'unreadable'; fault: PlatformError };

/** Reads what somebody used this month, what others did, and what is known of their limit. */
export async function readOwn(deps: UsageDeps, email: string, options: DaysOptions): Promise<OwnReading> {
  const today = todayOf(deps);
  const month = readPeriod(['this', 'month'], today);
  const existing = month && cutToExisting(month.requested, today);
  if (existing?.kind !== 'exists') return { kind: 'no_days' };
  const activity = await deps.days.activity(existing.period, options);
  if (activity.kind === 'unreadable') return activity;
  const through = activity.rows.at(-1)?.date;
  if (through === undefined) return { kind: 'unpublished' };
  const period = { first: existing.period.first, last: through };
  const scope = { period, comparedWith: comparedPeriod(period, 'month'), today };
  const weeks = lastWeeks(through);
  const own = createPeopleSpendFold(period, scope.comparedWith, (key) => key === email);
  const folds = weeks.map((week) => createPeopleSpendFold(week, undefined));
  const first = [period, scope.comparedWith, ...weeks].flatMap((one) => one?.first ?? []).toSorted()[0] ?? period.first;
  const [days, all, limit, teams] = await Promise.all([
    deps.days.peopleCredits(
      { first, last: through },
      (row) => {
        own.add(row);
        for (const fold of folds) fold.add(row);
      },
      options,
    ),
    deps.days.credits(period, options),
    deps.limits()?.limitOf(email),
    deps.people.teams(),
  ]);
  if (days.kind === 'unreadable') return days;
  const used = spendOf(own.people(), [email]);
  const byWeek: PersonSpend[][] = [];
  // With thousands of people each of these takes its time; acknowledgements get their turn between them.
  for (const fold of folds) {
    await nextTurn();
    byWeek.push([...fold.people()]);
  }
  return {
    kind: 'read',
    report: {
      ...scope,
      used: { value: used.credits, ...(isComparable(partOfDays(days), scope) ? { before: used.before } : {}) },
      all: all.kind === 'read' ? sumOf(all.rows, (row) => row.billable_tokens) : undefined,
      limit,
      weeks: byWeek.map((people) => spendOf(people, [email]).credits),
      peers: peersOf(groupsOf(byWeek, email, teams)),
    },
  };
}

/** Whole weeks that end with the last published day, oldest first; none before the first day with figures. */
function lastWeeks(last: Day): Period[] {
  return Array.from({ length: WEEKS }, (_, index) => {
    const end = plusDays(last, -7 * (WEEKS - 1 - index));
    return { first: plusDays(end, -6), last: end };
  }).filter(({ first }) => first >= FIRST_ANALYTICS_DAY);
}

/** The teams of somebody, the smallest first, and after them everybody; without that person. */
function groupsOf(
  byWeek: readonly (readonly PersonSpend[])[],
  email: string,
  teams: readonly { handle: string; emails: readonly string[] }[],
): PeerGroup[] {
  const amounts = new Map<string, { person: PersonSpend; weeks: number[] }>();
  for (const [week, people] of byWeek.entries()) {
    for (const person of people) {
      const known = amounts.get(person.key) ?? { person, weeks: byWeek.map(() => 0) };
      known.weeks[week] = person.credits;
      amounts.set(person.key, known);
    }
  }
  const self = new Set([email]);
  const others = [...amounts.values()].filter(({ person }) => !isOneOf(person, self));
  const weeksOf = (wanted?: ReadonlySet<string>) =>
    others.filter(({ person }) => !wanted || isOneOf(person, wanted)).map(({ weeks }) => weeks);
  return [
    ...teams
      .filter(({ emails }) => emails.includes(email))
      .toSorted((a, b) => a.emails.length - b.emails.length)
      .map(({ handle, emails }) => ({ team: `@${handle}`, weeks: weeksOf(new Set(emails)) })),
    { team: undefined, weeks: weeksOf() },
  ];
}
