import type { ShownTo } from '../../../core/figures/groups/gate.ts';
import type { RoleDenial } from '../../../core/slack/blocks/messages.ts';
import type { DigestSection } from '../../../core/feature.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { isPersonAddress, type Reader } from '../../../core/outbox/reader.ts';
import { type Person } from '../../../core/slack/people/people.ts';
import { type NamingPermission, audienceOf, findNamingPermission } from '../../../core/slack/people/audience.ts';
import type { DigestDeps } from './digests-deps.ts';
import type { Audience } from './settings.ts';

export interface DigestScope {
  audience: Audience;
  sections: readonly Pick<DigestSection, 'namesPeople'>[];
}

/** Whether a digest shows figures of single people: a list of chosen people does, however long it is. Pure. */
export function showsPeople({ audience, sections }: DigestScope): boolean {
  return audience.kind === 'people' || sections.some(({ namesPeople }) => namesPeople);
}

export const PEOPLE_DENIAL: RoleDenial = {
  what: 'Figures of single people',
  role: 'admin',
  verb: 'are',
  or: 'choose the organization or a team, and no part that names people',
};

const NOT_YOURS_TO_READ: RoleDenial = { what: 'This digest shows figures of single people, so it', role: 'admin' };

export const LEFT_OUT = 'Left out: figures of single people. The person who set up this digest may not see them.';

/** The readers of a digest: a person, with their right to see single people, or all members of a channel. */
export type DigestReader =
  | { kind: 'person'; naming: NamingPermission | undefined }
  | { kind: 'channel' }
  /** One person, who sees what a channel would get. */
  | { kind: 'preview'; seesPeople: boolean }
  /** Nobody. */
  | { kind: 'forecast' };

export const shownToReader = (reader: DigestReader): ShownTo =>
  reader.kind === 'person' ? { kind: 'person' } : reader;

export function personReader(person: Pick<Person, 'seesPeople' | 'email'>): DigestReader {
  return { kind: 'person', naming: audienceOf(person).naming };
}

export const digestReader = (reader: Reader): DigestReader =>
  reader.kind === 'person' ? personReader(reader) : { kind: 'channel' };

export async function readersOf(
  { people }: Pick<DigestDeps, 'people'>,
  { channel }: Pick<Subscription, 'channel'>,
): Promise<DigestReader> {
  if (!isPersonAddress(channel)) return { kind: 'channel' };
  return { kind: 'person', naming: await findNamingPermission(people, channel) };
}

/** Returns the readers’ right to see single people; a channel has it if an owner with that right chose names. */
export async function findNaming(
  { people }: Pick<DigestDeps, 'people'>,
  { owner }: Pick<Subscription, 'owner'>,
  scope: DigestScope,
  reader: DigestReader,
): Promise<NamingPermission | undefined> {
  if (reader.kind === 'person') return reader.naming;
  return showsPeople(scope) ? findNamingPermission(people, owner) : undefined;
}

/** Returns why a person may not see a digest; undefined if they may, or if it shows no single people now. */
export async function refusalToShow(
  { people }: Pick<DigestDeps, 'people'>,
  person: Pick<Person, 'seesPeople'>,
  { owner }: Pick<Subscription, 'owner'>,
  scope: DigestScope,
): Promise<RoleDenial | undefined> {
  if (person.seesPeople || !showsPeople(scope)) return undefined;
  return (await findNamingPermission(people, owner)) ? NOT_YOURS_TO_READ : undefined;
}
