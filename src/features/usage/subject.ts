import type { Audience } from '../../core/slack/people/audience.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import type { People, Person } from '../../core/slack/people/people.ts';
import type { RequestedSubject } from './usage-command.ts';

/** The people whose figures are shown, by the e-mails that the platform knows. */
export type Subject =
  | { kind: 'organization' }
  /** `isInSlack`: the address belongs to a Slack account, so it is not a typing mistake. */
  | { kind: 'person'; label: string; emails: string[]; isInSlack: boolean }
  /** `withoutEmail`: the names of members whose figures cannot be found. */
  | { kind: 'team'; label: string; emails: string[]; withoutEmail: string[] }
  | { kind: 'unknown'; sentence: string };

export async function resolveSubject(people: People, asker: Person, requested: RequestedSubject): Promise<Subject> {
  switch (requested.kind) {
    case 'default':
      return { kind: 'organization' };
    case 'me':
      return single(asker.name, asker.email);
    case 'person': {
      const person = await people.describe(requested.slackId);
      return person
        ? single(person.name, person.email)
        : { kind: 'unknown', sentence: 'Slack doesn’t know this person.' };
    }
    case 'email':
      if (people.erasedAmong([requested.email]).length > 0)
        return { kind: 'unknown', sentence: 'This person’s data was erased here.' };
      return typed(people, asker, requested.email);
    case 'group':
      return team(people, requested.slackId);
    default:
      return requested satisfies never;
  }
}

function single(name: string, email: string | undefined): Subject {
  if (email === undefined) {
    return {
      kind: 'unknown',
      sentence: `Slack shows no e-mail for ${name}, and the platform knows people by e-mail. Ask a workspace admin to add it.`,
    };
  }
  return { kind: 'person', label: name, emails: [email], isInSlack: true };
}

async function typed(people: People, asker: Person, email: string): Promise<Subject> {
  const isInSlack = email === asker.email || (await people.findByEmails([email]))?.has(email) === true;
  return { kind: 'person', label: email, emails: [email], isInSlack };
}

async function team(people: People, groupId: string): Promise<Subject> {
  const [memberIds, handle] = await Promise.all([people.groupMembers(groupId), people.groupHandle(groupId)]);
  if (memberIds.length === 0) return { kind: 'unknown', sentence: 'This team has no members.' };
  const members = await Promise.all(memberIds.map((id) => people.describe(id)));
  const describedMembers = members.filter((member) => member !== undefined);
  const emails = [...new Set(describedMembers.flatMap((member) => member.email ?? []))];
  const withoutEmail = describedMembers.filter((member) => member.email === undefined).map((member) => member.name);
  if (emails.length === 0) return { kind: 'unknown', sentence: 'Slack shows no e-mail for anyone in this team.' };
  return { kind: 'team', label: `@${handle ?? groupId}`, emails, withoutEmail };
}

export function leftOutNotes(names: readonly string[], { naming }: Pick<Audience, 'naming'>): string[] {
  if (names.length === 0) return [];
  const who = naming ? names.join(', ') : countOf(names.length, 'person', 'people');
  return [`Not included, since Slack shows no e-mail for them: ${who}.`];
}
