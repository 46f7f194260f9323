import type { RoleDenial } from '../../../../core/slack/blocks/messages.ts';
import { isPersonAddress } from '../../../../core/outbox/reader.ts';
import { type Person } from '../../../../core/slack/people/people.ts';
import { type NamingPermission, audienceOf, findNamingPermission } from '../../../../core/slack/people/audience.ts';
import type { Alert, Budget } from './budget.ts';
import type { EvaluationDeps } from './evaluation-deps.ts';

export type Reader = Pick<Person, 'seesPeople'>;

/** Whether a budget shows figures of single people: a list of chosen people does, however long it is. Pure. */
export const showsPeople = (alert: Alert): boolean => alert.kind === 'budget' && alert.subject.kind === 'people';

const COUNTS_PEOPLE: RoleDenial = {
  what: 'A budget of single people',
  role: 'admin',
  or: 'choose the organization or a team',
};
const NAMES_PEOPLE: RoleDenial = {
  what: 'Naming who used most',
  role: 'admin',
  or: 'clear “Name who used most”',
};
const SHOWS_PEOPLE: RoleDenial = { what: 'This budget counts single people, so it', role: 'admin' };

export function refusalToSet(
  { seesPeople }: Reader,
  { subject, namesPeople }: Pick<Budget, 'namesPeople'> & { subject?: Budget['subject'] },
): RoleDenial | undefined {
  if (seesPeople) return undefined;
  if (subject?.kind === 'people') return COUNTS_PEOPLE;
  return namesPeople ? NAMES_PEOPLE : undefined;
}

export function refusalToSee({ seesPeople }: Reader, budget: Budget): RoleDenial | undefined {
  return seesPeople || !showsPeople(budget) ? undefined : SHOWS_PEOPLE;
}

/** Reads the right of a direct message’s recipient, or of the person who chose that a channel gets names. */
export async function findNaming(
  { people }: Pick<EvaluationDeps, 'people'>,
  budget: Budget,
): Promise<NamingPermission | undefined> {
  const { channel, owner, namesPeople } = budget;
  if (isPersonAddress(channel)) return findNamingPermission(people, channel);
  return namesPeople || showsPeople(budget) ? findNamingPermission(people, owner ?? null) : undefined;
}

export const namingOf = ({ seesPeople }: Reader): NamingPermission | undefined =>
  audienceOf({ seesPeople, email: undefined }).naming;
