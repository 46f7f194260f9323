import type { WebClient } from '@slack/web-api';
import type { PersonReference } from '../../base/roles.ts';
import { readSlackFault } from '../client/errors.ts';
import { userSchema, type SlackUser } from './user.ts';

/** Looks up people one by one, so that the size of the workspace does not matter. */
export interface NamedPeople {
  /** Each user once. Users unknown to Slack are left out. */
  everyone(references: readonly PersonReference[]): Promise<SlackUser[]>;
  byEmails(emails: readonly string[]): Promise<SlackUser[]>;
}

export function createNamed(deps: {
  lookups: WebClient;
  userOf: (slackId: string) => Promise<SlackUser | undefined>;
  membersOf: (groupId: string) => Promise<string[]>;
}): NamedPeople {
  const byIds = async (ids: readonly string[]) => present(await Promise.all(ids.map((id) => deps.userOf(id))));
  const byEmails = async (emails: readonly string[]) =>
    present(await Promise.all(emails.map((email) => readByEmail(deps.lookups, email))));
  const usersOf = async (reference: PersonReference): Promise<SlackUser[]> => {
    if (reference.kind === 'email') return byEmails([reference.email]);
    return byIds(reference.kind === 'user' ? [reference.id] : await deps.membersOf(reference.id));
  };
  return {
    everyone: async (references) => {
      const users = (await Promise.all(references.map((reference) => usersOf(reference)))).flat();
      return [...new Map(users.map((user) => [user.id, user])).values()];
    },
    byEmails,
  };
}

const present = (users: readonly (SlackUser | undefined)[]) => users.filter((user) => user !== undefined);

const UNKNOWN_CODES = new Set(['user_not_found', 'user_not_visible', 'users_not_found']);

export async function readUser(lookups: WebClient, slackId: string): Promise<SlackUser | undefined> {
  return unlessUnknown(async () => userSchema.parse((await lookups.users.info({ user: slackId })).user));
}

export async function readByEmail(lookups: WebClient, email: string): Promise<SlackUser | undefined> {
  return unlessUnknown(async () => userSchema.parse((await lookups.users.lookupByEmail({ email })).user));
}

async function unlessUnknown(read: () => Promise<SlackUser>): Promise<SlackUser | undefined> {
  try {
    return await read();
  } catch (error) {
    const fault = readSlackFault(error);
    if (fault.kind === 'refused' && UNKNOWN_CODES.has(fault.code)) return undefined;
    throw error;
  }
}
