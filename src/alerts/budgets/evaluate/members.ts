import type { BudgetSubject } from '../core/budget.ts';
import type { LookDeps } from '../core/deps.ts';
import type { Counted } from '../../../figures/counted.ts';

/** @param emails of its people, where it counts people; missing while they are not known */
export function countedOf(subject: BudgetSubject, emails: readonly string[] | undefined): Counted | undefined {
  if (subject.kind === 'organization' || subject.kind === 'model') return subject;
  return emails && { kind: 'people', emails };
}

/**
 * The e-mails of those whose credits a budget counts, in lower case.
 *
 * @returns nothing while Slack does not tell them, or when it no longer has the group
 */
export async function resolveMembers({ people }: LookDeps, subject: BudgetSubject): Promise<string[] | undefined> {
  if (subject.kind === 'team') return (await people.teams()).find(({ id }) => id === subject.id)?.emails;
  if (subject.kind !== 'people') return undefined;
  const described = await Promise.all(subject.ids.map((id) => people.describe(id)));
  return described.every((person) => person !== undefined)
    ? described.flatMap((person) => person?.email ?? [])
    : undefined;
}
