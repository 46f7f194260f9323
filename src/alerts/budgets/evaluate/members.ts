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

/**
 * Reads the e-mails of the people whose credits a budget counts, in lower case.
 *
 * @returns undefined if it counts no people, if Slack cannot list them, or if Slack no longer has the group
 */
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
