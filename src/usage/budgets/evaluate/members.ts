import type { People } from '../../../slack/people/people.ts';
import type { BudgetSubject } from '../core/budget.ts';

/**
 * The e-mails of those whose credits a budget counts, in lower case.
 *
 * @returns nothing while Slack does not tell them, or when it no longer has the group
 */
export async function resolveMembers(
  people: Pick<People, 'teams' | 'describe'>,
  subject: BudgetSubject,
): Promise<readonly string[] | undefined> {
  if (subject.kind === 'team') return (await people.teams()).find(({ id }) => id === subject.id)?.emails;
  if (subject.kind !== 'people') return undefined;
  const described = await Promise.all(subject.ids.map((id) => people.describe(id)));
  return described.every((person) => person !== undefined)
    ? described.flatMap((person) => person?.email ?? [])
    : undefined;
}
