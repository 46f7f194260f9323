import { FACTS_MAX_AGE_MS } from '../../../../core/analytics/day-facts.ts';
import type { Period } from '../../../../core/base/time/calendar.ts';
import { formatShare } from '../../../../core/base/text/numbers.ts';
import { amountsByName, modelCredits } from '../../../../core/figures/measures/breakdown.ts';
import { sumOf } from '../../../../core/base/statistics.ts';
import { createPeopleSpendFold } from '../../../../core/figures/measures/people-spend.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import type { CreditSubject } from '../../../../core/figures/credit-subjects.ts';

const MAX_NAMED = 3;

/** Returns the largest shares, such as `atlas-large: 45%`; people only if `namesPeople`. Empty if none can be read. */
export async function explain(
  deps: EvaluationDeps,
  counted: CreditSubject,
  period: Period,
  namesPeople: boolean,
): Promise<string[]> {
  switch (counted.kind) {
    case 'model':
      return [];
    case 'organization':
      return byModel(deps, period);
    case 'people':
      return namesPeople ? byPerson(deps, counted.emails, period) : [];
    default:
      return counted satisfies never;
  }
}

async function byModel({ days }: EvaluationDeps, period: Period): Promise<string[]> {
  const part = await days.credits(period, { maxAgeMs: FACTS_MAX_AGE_MS });
  if (part.kind === 'unreadable') return [];
  return sharesOf([...amountsByName(part.rows, modelCredits)]);
}

async function byPerson(
  { days, people }: EvaluationDeps,
  emails: readonly string[],
  period: Period,
): Promise<string[]> {
  const members = new Set(emails);
  const fold = createPeopleSpendFold(period, undefined, (key) => members.has(key));
  const [part, names] = await Promise.all([
    days.peopleCredits(period, (row) => fold.add(row), { maxAgeMs: FACTS_MAX_AGE_MS }),
    people.names(),
  ]);
  if (part.kind === 'unreadable') return [];
  return sharesOf(fold.people().map(({ key, credits }) => [names.get(key) ?? key, credits]));
}

function sharesOf(amounts: readonly (readonly [string, number])[]): string[] {
  const total = sumOf(amounts, ([, credits]) => credits);
  return amounts
    .filter(([, credits]) => credits > 0)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_NAMED)
    .map(([name, credits]) => `${name}: ${formatShare(credits, total)}`);
}
