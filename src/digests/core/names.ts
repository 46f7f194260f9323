import { roleSentence } from '../../slack/blocks/messages.ts';
import type { DigestSection } from '../../feature.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import type { Person } from '../../slack/people/people.ts';
import type { DigestDeps } from './deps.ts';
import type { Audience } from './settings.ts';

export interface DigestScope {
  audience: Audience;
  sections: readonly Pick<DigestSection, 'namesPeople'>[];
}

/** People who were chosen by name are single people, however many they are. Pure. */
export function showsPeople({ audience, sections }: DigestScope): boolean {
  return audience.kind === 'people' || sections.some(({ namesPeople }) => namesPeople);
}

export const NOT_YOURS_TO_NAME = roleSentence('Figures of single people', 'admin', {
  verb: 'are',
  instead: 'Choose the organization or a user group, and no part that names people.',
});

const NOT_YOURS_TO_READ = roleSentence('This digest shows figures of single people, so it', 'admin');

export const LEFT_OUT = roleSentence('Left out: figures of single people', 'admin', {
  verb: 'are',
  instead: 'The person who set up this digest is not one.',
});

/** Whether the person who set a digest up may show figures of single people, asked of Slack at this moment. */
export async function mayShowPeople(
  { config, people }: Pick<DigestDeps, 'config' | 'people'>,
  { owner }: Pick<Subscription, 'owner'>,
): Promise<boolean> {
  // The operator, who wrote the settings, and managers of an installation that lets them see everything.
  if (owner === null || config.peopleRole === 'manager') return true;
  const found = await people.identify(owner);
  return found.kind === 'known' && found.person.seesPeople;
}

/** Whether a digest goes to nobody but a person who may see single people. */
export async function readersSeePeople(
  { people }: Pick<DigestDeps, 'people'>,
  { channel }: Pick<Subscription, 'channel'>,
): Promise<boolean> {
  if (!/^[UW]/.test(channel)) return false;
  const found = await people.identify(channel);
  return found.kind === 'known' && found.person.seesPeople;
}

export async function refusalToShow(
  deps: Pick<DigestDeps, 'config' | 'people'>,
  person: Pick<Person, 'seesPeople'>,
  subscription: Pick<Subscription, 'owner'>,
  scope: DigestScope,
): Promise<string | undefined> {
  if (person.seesPeople || !showsPeople(scope)) return undefined;
  return (await mayShowPeople(deps, subscription)) ? NOT_YOURS_TO_READ : undefined;
}
