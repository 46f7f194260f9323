import type { Names } from '../../../base/privacy/disclosure.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import type { StoredAlert, StoredBudget } from '../core/budget-store.ts';
import { readCreditSubject } from './budget-status.ts';

async function readMembers(deps: EvaluationDeps, budget: StoredBudget): Promise<readonly string[]> {
  const counted = await readCreditSubject(deps, budget);
  return counted?.kind === 'people' ? counted.emails : [];
}

export async function namesInBudgets(deps: EvaluationDeps, budgets: readonly StoredBudget[]): Promise<Names> {
  const ofPeople = budgets.filter(({ subject }) => subject.kind === 'people');
  if (ofPeople.length === 0) return 'nobody';
  const members = await Promise.all(ofPeople.map((budget) => readMembers(deps, budget)));
  return { what: 'budget', of: members.flat() };
}

/** @param isNaming whether the message names the people who used most */
export async function namesInMessage(deps: EvaluationDeps, alert: StoredAlert, isNaming: boolean): Promise<Names> {
  // Heads-ups are visible to their person alone.
  if (alert.kind === 'heads_up' || (alert.subject.kind !== 'people' && !isNaming)) return 'nobody';
  return { what: 'budget', of: await readMembers(deps, alert), chosenBy: alert.owner ?? null };
}
