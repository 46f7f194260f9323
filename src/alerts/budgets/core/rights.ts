import { roleSentence } from '../../../slack/blocks/messages.ts';
import { findReaderOfPeople } from '../../../slack/people/audience.ts';
import type { Person } from '../../../slack/people/people.ts';
import type { Budget } from './budget.ts';
import type { LookDeps } from './deps.ts';

export type Reader = Pick<Person, 'seesPeople'>;

/** Whether a budget shows what single people used: chosen people are single people, however many they are. Pure. */
const showsPeople = ({ kind, subject }: Budget): boolean => kind === 'budget' && subject.kind === 'people';

const COUNTS_PEOPLE = roleSentence('A budget of single people', 'admin', {
  instead: 'Choose the organization or a user group.',
});
const NAMES_PEOPLE = roleSentence('Naming who used most', 'admin', { instead: 'Clear “Name who used most”.' });
const SHOWS_PEOPLE = roleSentence('This budget counts single people, so it', 'admin');

/** Why somebody may not set up or change a budget like this; nothing if they may. The form does not offer it. Pure. */
export function refusalToSet(
  { seesPeople }: Reader,
  { subject, namesPeople }: Pick<Budget, 'namesPeople'> & { subject?: Budget['subject'] },
): string | undefined {
  if (seesPeople) return undefined;
  if (subject?.kind === 'people') return COUNTS_PEOPLE;
  return namesPeople ? NAMES_PEOPLE : undefined;
}

/** Why somebody may not see a budget; nothing if they may. Pure. */
export function refusalToSee({ seesPeople }: Reader, budget: Budget): string | undefined {
  return seesPeople || !showsPeople(budget) ? undefined : SHOWS_PEOPLE;
}

/** Whether a budget is of a group and goes to readers of whom not all may see single people. */
export async function isOfHiddenGroup({ people }: LookDeps, { kind, subject, channel }: Budget): Promise<boolean> {
  if (kind !== 'budget' || subject.kind !== 'team') return false;
  return (await findReaderOfPeople(people, channel)) === undefined;
}

/** What the messages of a budget may say of single people, by what the person who set it up may see at this moment. */
export async function rightsOf({ config, people }: LookDeps, budget: Budget) {
  const { kind, namesPeople, owner } = budget;
  const needsRight = showsPeople(budget) || namesPeople;
  if (!needsRight || kind === 'heads_up' || owner === undefined || config.peopleRole === 'manager')
    return { mayTell: true, namesPeople };
  const seesPeople = (await findReaderOfPeople(people, owner)) !== undefined;
  return { mayTell: seesPeople || !showsPeople(budget), namesPeople: namesPeople && seesPeople };
}
