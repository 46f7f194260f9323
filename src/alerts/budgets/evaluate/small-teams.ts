import { smallTeamWords } from '../../../figures/groups/small-teams.ts';
import type { Person } from '../../../slack/people/people.ts';
import { subjectWords, type Budget } from '../core/budget.ts';
import type { BudgetDeps } from '../core/deps.ts';
import { resolveMembers } from './members.ts';

/**
 * Why a budget is not set up or changed of whose warnings none could be shown to their readers: those of a user group of few
 * active people, for readers who may not see single people.
 */
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
