import type { People, Person } from '../slack/people.ts';
import type { UsageScope } from './request.ts';

/** Whose figures are shown, by the e-mails that the platform knows them by. */
export type Subject =
  | { kind: 'organization' }
  | { kind: 'people'; label: string; emails: string[]; notes: string[] }
  | { kind: 'unknown'; sentence: string };

/** Finds out whom a request names. */
export async function resolveSubject(people: People, asker: Person, scope: UsageScope): Promise<Subject> {
  switch (scope.kind) {
    case 'default':
      return { kind: 'organization' };
    case 'me':
      return single(asker.name, asker.email);
    case 'person': {
      const person = await people.describe(scope.slackId);
      return person
        ? single(person.name, person.email)
        : { kind: 'unknown', sentence: 'Slack does not know this person.' };
    }
    case 'email':
      return { kind: 'people', label: scope.email, emails: [scope.email], notes: [] };
    case 'group':
      return team(people, scope.slackId);
    default:
      return scope satisfies never;
  }
}

function single(name: string, email: string | undefined): Subject {
  if (email === undefined) {
    return {
      kind: 'unknown',
      sentence: `Slack shows no e-mail for ${name}, and the platform knows people by e-mail. Ask a workspace admin to add it.`,
    };
  }
  return { kind: 'people', label: name, emails: [email], notes: [] };
}

async function team(people: People, groupId: string): Promise<Subject> {
  const [memberIds, handle] = await Promise.all([people.groupMembers(groupId), people.groupHandle(groupId)]);
  if (memberIds.length === 0) return { kind: 'unknown', sentence: 'This group has no members.' };
  const members = await Promise.all(memberIds.map((id) => people.describe(id)));
  const known = members.filter((member) => member !== undefined);
  const emails = [...new Set(known.flatMap((member) => member.email ?? []))];
  const withoutEmail = known.filter((member) => member.email === undefined).map((member) => member.name);
  const notes =
    withoutEmail.length === 0
      ? []
      : [`Not included, since Slack shows no e-mail for them: ${withoutEmail.join(', ')}.`];
  if (emails.length === 0) return { kind: 'unknown', sentence: 'Slack shows no e-mail for anybody in this group.' };
  return { kind: 'people', label: `@${handle ?? groupId}`, emails, notes };
}
