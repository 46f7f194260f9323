import { smallTeamWords } from '../../figures/groups/small-teams.ts';
import type { Person } from '../../slack/people/people.ts';
import { resolveAudience } from '../core/audience.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { showsPeople } from '../core/names.ts';
import type { DigestSettings } from '../core/settings.ts';

/** Refuses a digest that is all about a user group with few active people, and hidden from its readers. */
export async function refusalOfSmallTeam(
  deps: DigestDeps,
  { audience, sections }: Pick<DigestSettings, 'audience' | 'sections'>,
  isForChannel: boolean,
  person: Pick<Person, 'seesPeople'>,
): Promise<string | undefined> {
  if (audience.kind !== 'team') return undefined;
  const chosen = deps.sections().filter(({ id, isDefault }) => sections?.includes(id) ?? isDefault);
  const isSeen = isForChannel ? showsPeople({ audience, sections: chosen }) : person.seesPeople;
  if (isSeen || chosen.some(({ coversAudienceOnly }) => !coversAudienceOnly)) return undefined;
  const covered = await resolveAudience(deps.people, audience);
  if (covered.kind === 'gone' || covered.people === undefined) return undefined;
  return smallTeamWords(deps, { label: covered.label, emails: covered.people }, person);
}
