import { smallTeamWords } from '../../../figures/groups/small-teams.ts';
import type { Person } from '../../../slack/people/people.ts';
import { subjectWords, type Budget } from '../core/budget.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import { resolveMembers } from './members.ts';

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
