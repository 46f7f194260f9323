import { needsPeople, type BudgetSubject, subjectWords, type Budget } from '../core/budget.ts';
import { listMembers } from '../core/budget-marks.ts';
import type { StoredAlert, StoredBudget } from '../core/budget-store.ts';
import type { EvaluationDeps, BudgetDeps } from '../core/evaluation-deps.ts';
import type { CreditSubject } from '../../../../core/figures/credit-subjects.ts';
import type { Names } from '../../../../core/base/privacy/disclosure.ts';
import { smallTeamWords } from '../../../../core/figures/groups/small-teams.ts';
import type { Person } from '../../../../core/slack/people/people.ts';

/** @param emails of its people, if it counts people; undefined while they are unknown */
export function creditSubjectOf(
  subject: BudgetSubject,
  emails: readonly string[] | undefined,
): CreditSubject | undefined {
  if (subject.kind === 'organization' || subject.kind === 'model') return subject;
  return emails && { kind: 'people', emails };
}

/** Returns lower-case e-mails; undefined if it counts no people, or if Slack cannot list them or lost the group. */
export async function resolveMembers(
  { people }: EvaluationDeps,
  subject: BudgetSubject,
): Promise<string[] | undefined> {
  if (subject.kind === 'team') return (await people.teams()).find(({ id }) => id === subject.id)?.emails;
  if (subject.kind !== 'people') return undefined;
  const described = await Promise.all(subject.ids.map((id) => people.describe(id)));
  return described.every((person) => person !== undefined)
    ? described.flatMap((person) => person?.email ?? [])
    : undefined;
}

export async function readCreditSubject(
  deps: EvaluationDeps,
  { id, subject }: StoredAlert,
): Promise<CreditSubject | undefined> {
  const members = needsPeople(subject) ? (await listMembers(deps.db, id)).at(-1) : undefined;
  return creditSubjectOf(subject, members?.emails ?? (await resolveMembers(deps, subject)));
}

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

/** Without the right to see single people, no reader could see a warning about a group with too few active people. */
export async function refusalOfSmallTeam(
  deps: BudgetDeps,
  { subject, namesPeople, isForChannel }: Pick<Budget, 'subject' | 'namesPeople'> & { isForChannel: boolean },
  person: Pick<Person, 'seesPeople'>,
): Promise<string | undefined> {
  const isSeen = isForChannel ? namesPeople : person.seesPeople;
  if (isSeen || subject.kind !== 'team') return undefined;
  const emails = await resolveMembers(deps, subject);
  return emails && smallTeamWords(deps, { label: subjectWords(subject), emails }, person);
}
