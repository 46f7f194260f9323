import type { People } from '../slack/people.ts';
import { countOf } from '../slack/text.ts';
import type { Audience } from './settings.ts';

/** Whose figures a digest holds. */
export type ResolvedAudience =
  | { kind: 'resolved'; people: readonly string[] | undefined; label: string }
  | { kind: 'gone'; sentence: string };

/** The e-mails of an audience as they are now: people join and leave teams. */
export async function resolveAudience(people: People, audience: Audience): Promise<ResolvedAudience> {
  if (audience.kind === 'organization') return { kind: 'resolved', people: undefined, label: labelOf(audience) };
  if (audience.kind === 'team') {
    const team = (await people.teams()).find(({ id }) => id === audience.id);
    if (!team) return { kind: 'gone', sentence: `Slack has no user group @${audience.handle} any more.` };
    return { kind: 'resolved', people: team.emails, label: `@${team.handle}` };
  }
  const described = await Promise.all(audience.ids.map((id) => people.describe(id)));
  const emails = described.flatMap((person) => person?.email ?? []);
  const [only] = described;
  const label = described.length === 1 && only ? only.name : labelOf(audience);
  return { kind: 'resolved', people: emails, label };
}

/** @example labelOf({ kind: 'team', id: 'S1', handle: 'web-team' }) // '@web-team' */
export function labelOf(audience: Audience): string {
  switch (audience.kind) {
    case 'organization':
      return 'the organization';
    case 'team':
      return `@${audience.handle}`;
    case 'people':
      return countOf(audience.ids.length, 'person', 'people');
    default:
      return audience satisfies never;
  }
}
