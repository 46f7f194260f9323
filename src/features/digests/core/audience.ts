import type { People } from '../../../core/slack/people/people.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import type { Audience } from './settings.ts';

export type ResolvedAudience =
  | { kind: 'resolved'; people: readonly string[] | undefined; label: string }
  | { kind: 'gone'; sentence: string };

/** Reads current e-mails, because people join and leave teams. Throws if Slack does not return its user groups. */
export async function resolveAudience(people: People, audience: Audience): Promise<ResolvedAudience> {
  if (audience.kind === 'organization') return { kind: 'resolved', people: undefined, label: labelOf(audience) };
  const resolved = audience.kind === 'team' ? await teamOf(people, audience) : await peopleOf(people, audience);
  if (!resolved) return { kind: 'gone', sentence: `The team ${labelOf(audience)} no longer exists in Slack.` };
  if (resolved.emails.length > 0) return { kind: 'resolved', people: resolved.emails, label: resolved.label };
  return {
    kind: 'gone',
    sentence: `Slack shows no e-mail of ${resolved.label}, and the platform knows people by e-mail.`,
  };
}

interface ResolvedPeople {
  emails: readonly string[];
  label: string;
}

async function teamOf(
  people: People,
  { id }: Extract<Audience, { kind: 'team' }>,
): Promise<ResolvedPeople | undefined> {
  const teams = await people.teams();
  if (teams.length === 0) throw new Error('Reading Slack’s user groups failed');
  const team = teams.find((one) => one.id === id);
  return team && { emails: team.emails, label: `@${team.handle}` };
}

async function peopleOf(people: People, audience: Extract<Audience, { kind: 'people' }>): Promise<ResolvedPeople> {
  const described = await Promise.all(audience.ids.map((id) => people.describe(id)));
  const [only] = described;
  const label = described.length === 1 && only ? only.name : labelOf(audience);
  return { emails: described.flatMap((person) => person?.email ?? []), label };
}

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
