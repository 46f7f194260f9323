import type { BudgetSubject } from '../core/budget.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import type { CreditSubject } from '../../../figures/credit-subjects.ts';

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
