import type { RoleDenial } from '../../../slack/blocks/messages.ts';
import { isPersonAddress } from '../../../outbox/reader.ts';
import { audienceOf, findChooser, type Naming } from '../../../slack/people/audience.ts';
import type { Person } from '../../../slack/people/people.ts';
import type { Budget } from './budget.ts';
import type { LookDeps } from './deps.ts';

export type Reader = Pick<Person, 'seesPeople'>;

/** Whether a budget shows what single people used: chosen people are single people, however many they are. Pure. */
export const showsPeople = ({ kind, subject }: Pick<Budget, 'kind' | 'subject'>): boolean =>
  kind === 'budget' && subject.kind === 'people';

const COUNTS_PEOPLE: RoleDenial = {
  what: 'A budget of single people',
  role: 'admin',
  or: 'choose the organization or a user group',
};
const NAMES_PEOPLE: RoleDenial = {
  what: 'Naming who used most',
  role: 'admin',
  or: 'clear “Name who used most”',
};
const SHOWS_PEOPLE: RoleDenial = { what: 'This budget counts single people, so it', role: 'admin' };

/** Why somebody may not set up or change a budget like this; nothing if they may. The form does not offer it. Pure. */
export function refusalToSet(
  { seesPeople }: Reader,
  { subject, namesPeople }: Pick<Budget, 'namesPeople'> & { subject?: Budget['subject'] },
): RoleDenial | undefined {
  if (seesPeople) return undefined;
  if (subject?.kind === 'people') return COUNTS_PEOPLE;
  return namesPeople ? NAMES_PEOPLE : undefined;
}

/** Why somebody may not see a budget; nothing if they may. Pure. */
export function refusalToSee({ seesPeople }: Reader, budget: Budget): RoleDenial | undefined {
  return seesPeople || !showsPeople(budget) ? undefined : SHOWS_PEOPLE;
}

/**
 * The right of those who read the messages of a budget to see single people, at this moment: of the person who has it to
 * themselves, or, for a channel that gets names, of the person who chose that.
 */
export async function findNaming(
  { people }: Pick<LookDeps, 'people'>,
  budget: Pick<Budget, 'kind' | 'subject' | 'namesPeople' | 'channel' | 'owner'>,
): Promise<Naming | undefined> {
  const { channel, owner, namesPeople } = budget;
  if (isPersonAddress(channel)) return findChooser(people, channel);
  return namesPeople || showsPeople(budget) ? findChooser(people, owner ?? null) : undefined;
}

/** The right of a reader, where it is known whether they have it. */
export const namingOf = ({ seesPeople }: Reader): Naming | undefined =>
  audienceOf({ seesPeople, email: undefined }).naming;
