import type { Person } from '../../../slack/people/people.ts';
import { noteLook } from '../../../slack/people/figure-looks.ts';
import type { LookDeps } from '../../../alerts/budgets/core/deps.ts';
import { findBudget, type StoredBudget } from '../../../alerts/budgets/core/store.ts';
import { readCountedOf } from '../../../alerts/budgets/evaluate/standing.ts';

async function membersOf(deps: LookDeps, budget: StoredBudget): Promise<readonly string[]> {
  const counted = await readCountedOf(deps, budget);
  return counted?.kind === 'people' ? counted.emails : [];
}

/** Keeps that somebody is shown budgets of chosen people, before they are. */
export async function noteBudgetsShown(
  deps: LookDeps,
  person: Person,
  budgets: readonly StoredBudget[],
): Promise<void> {
  const { slackId, email } = person;
  const ofPeople = budgets.filter(({ subject }) => subject.kind === 'people');
  const of = (await Promise.all(ofPeople.map((budget) => membersOf(deps, budget)))).flat();
  await noteLook(deps.db, { looker: slackId, of, what: 'budget' }, deps.clock.now(), email);
}

/**
 * Keeps that a message of a budget shows figures of single people, before it is posted.
 *
 * @param isNaming whether it names who used most
 */
export async function noteBudgetMessage(
  deps: LookDeps,
  { channel, budgetId, isNaming }: { channel: string; budgetId: string; isNaming: boolean },
): Promise<void> {
  const budget = await findBudget(deps.db, budgetId);
  if (!budget || (budget.subject.kind !== 'people' && !isNaming)) return;
  const of = await membersOf(deps, budget);
  const self = /^[UW]/.test(channel) ? (await deps.people.describe(channel))?.email : undefined;
  await noteLook(deps.db, { looker: channel, of, what: 'budget' }, deps.clock.now(), self);
}
