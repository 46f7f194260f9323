import { withinTime } from '../../base/time/turns.ts';
import type { WebClient } from '@slack/web-api';
import { type PersonReference, type ReaderRefusal, type Role, hasRole } from '../../base/roles.ts';
import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { createCache } from '../../base/cache.ts';
import { type IdentifierKind, NO_PSEUDONYMS, type Pseudonyms } from '../../base/privacy/pseudonyms.ts';
import { type Team, createDirectory, groupHandleOf } from './directory.ts';
import { GROUP_LIFE_MS, type GroupEvidence, createSettingsGroups } from './settings-groups.ts';
import { readSlackFault } from '../client/errors.ts';
import { createNamed, readUser } from './named-people.ts';
import { type SlackStatus, type SlackUser, describeUser, statusOf } from './user.ts';

export interface Person {
  slackId: string;
  name: string;
  /** In lower case; the platform identifies people by it. */
  email: string | undefined;
  timeZone: string;
  role: Role;
  /** Whether they may see figures of individual people by name, by `PEOPLE_ROLE`. People always see their own. */
  seesPeople: boolean;
  /** A model reads the answer for them, and gets nothing about other people that they see in Slack. */
  isReadByModel?: true;
}

/** The role was just read from Slack for this action. Irreversible actions require it. */
export interface FreshPerson extends Person {
  readonly isRoleFresh: true;
}

export type Identification<Who extends Person = Person> =
  | { kind: 'known'; person: Who }
  | { kind: 'refused'; reason: ReaderRefusal };

export const REFUSAL_SENTENCES: Record<ReaderRefusal, string> = {
  guest: 'Only members of this workspace can use Quartermaster; guests can’t. Ask the person who invited you.',
  outsider: 'Only people of Quartermaster’s own workspace can use it. Ask a colleague there.',
  bot: 'Quartermaster doesn’t answer other bots.',
  deactivated: 'This account is deactivated, so Quartermaster can’t answer it.',
  erased:
    'Your data was erased from Quartermaster at the request of an admin or the server operator, so it doesn’t answer you. This can’t be undone. Ask an admin if you have questions.',
  unknown: 'Slack didn’t say who you are. Try again in a minute.',
};

/** users.lookupByEmail is a Tier 3 method: about 50 calls a minute. */
const MAX_SINGLE_LOOKUPS = 20;

const USER_LIFE_MS = 60_000;

/** usergroups.list is a Tier 2 method: some twenty calls a minute. */
const NEW_GROUP_MS = 60_000;

/** Figures without names are better than late figures. */
const NAMES_PATIENCE_MS = 2_000;

type Read = 'get' | 'reload';

export interface People {
  /** The answer is as old as the caches. */
  identify(slackId: string): Promise<Identification>;
  /** Reads without the caches: a person who has just left or lost their role is refused. */
  identifyAfresh(slackId: string): Promise<Identification<FreshPerson>>;
  /** Slack ids. */
  groupMembers(groupId: string): Promise<string[]>;
  /** The name and e-mail of a person named in a command, even if they may not use the bot. */
  describe(slackId: string): Promise<{ name: string; email: string | undefined } | undefined>;
  /** The status of a person, as of the last minute; undefined without one. */
  status(slackId: string): Promise<SlackStatus | undefined>;
  /** A user group's handle, such as `web-team`; undefined if Slack doesn’t name it. */
  groupHandle(groupId: string): Promise<string | undefined>;
  /** All user groups with their members, as of the last hour. Empty if Slack does not return them. */
  teams(): Promise<readonly Team[]>;
  /** The same as they are now; undefined if Slack does not return them. */
  teamsNow(): Promise<readonly Team[] | undefined>;
  /** Slack ids. */
  admins(): Promise<string[]>;
  /** Slack ids of the people in the settings, named directly or by user group. */
  managers(): Promise<string[]>;
  /** Active Slack users by e-mail in lower case, as of the last hour; undefined if Slack is silent. */
  findByEmails(emails: readonly string[]): Promise<ReadonlyMap<string, string> | undefined>;
  /** The names of people by e-mail in lower case, as of the last hour; empty while they are still being read. */
  names(): Promise<ReadonlyMap<string, string>>;
  /** Data about erased people is not stored. */
  erasedAmong(emails: readonly string[]): string[];
  /** Whether Slack refuses the user groups of the settings, as of their last reading. */
  groupEvidence(): GroupEvidence;
  /** Reads the user groups of the settings that are not cached. @throws the fault of Slack, unless it refuses them */
  readSettingsGroups(): Promise<void>;
  /** False also if Slack cannot be asked. */
  isDeactivated(slackId: string): Promise<boolean>;
}

/** Identifies people by Slack's records, cached for a minute each, and gives them roles by the settings. */
export function createPeople(deps: {
  lookups: WebClient;
  clock: Clock;
  log: Logger;
  teamId: string;
  admins: readonly PersonReference[] | undefined;
  managers: readonly PersonReference[];
  peopleRole: Role;
  erased?: Pseudonyms | undefined;
}): People {
  const erased = deps.erased ?? NO_PSEUDONYMS;
  const isErased = createIsErased(erased);
  // Data cached for an hour may be older than an erasure.
  const withoutErasedMembers = async (teamsRead: Promise<readonly Team[]>) =>
    (await teamsRead).map((team) => ({
      ...team,
      emails: team.emails.filter((value) => erased.find({ kind: 'email', value }) === undefined),
    }));
  const users = createCache(deps.clock, USER_LIFE_MS, (slackId: string) => readUser(deps.lookups, slackId));
  const groups = createCache(deps.clock, GROUP_LIFE_MS, async (groupId: string) => {
    const answer = await deps.lookups.usergroups.users.list({ usergroup: groupId });
    return answer.users ?? [];
  });
  const settingsGroups = createSettingsGroups(deps, (groupId) => groups.reload(groupId));
  const handles = createGroupHandles(deps);

  const directory = createDirectory(deps);
  const teams = () =>
    withoutErasedMembers(directory.teams()).catch((error: unknown): Team[] => {
      deps.log.warn({ err: error }, 'Reading Slack’s user groups failed; there are no teams for now');
      return [];
    });
  const teamsNow = () =>
    withoutErasedMembers(directory.teamsNow()).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'Reading Slack’s user groups failed, so nobody leads a team for now');
      return undefined;
    });

  const named = createNamed({
    ...deps,
    userOf: (slackId) => users.get(slackId),
    membersOf: (id) => settingsGroups.members.get(id),
  });
  const isAmong = async (user: SlackUser, references: readonly PersonReference[], read: Read) => {
    if (references.some((reference) => isNamed(user, reference))) return true;
    for (const reference of references) {
      if (reference.kind === 'group' && (await settingsGroups.members[read](reference.id)).includes(user.id))
        return true;
    }
    return false;
  };
  const roleOf = async (user: SlackUser, read: Read = 'get'): Promise<Role> => {
    if (deps.admins ? await isAmong(user, deps.admins, read) : isWorkspaceAdmin(user)) return 'admin';
    return (await isAmong(user, deps.managers, read)) ? 'manager' : 'member';
  };
  const identify = async (slackId: string, read: Read): Promise<Identification> => {
    const user = await users[read](slackId);
    const reason = user ? (refusalOf(user, deps.teamId) ?? (isErased(user) ? 'erased' : undefined)) : 'unknown';
    if (!user || reason) return { kind: 'refused', reason: reason ?? 'unknown' };
    const role = await roleOf(user, read);
    const seesPeople = hasRole(role, deps.peopleRole);
    return { kind: 'known', person: { ...describeUser(user), slackId, timeZone: user.tz ?? 'UTC', role, seesPeople } };
  };

  const usableIds = (users: readonly SlackUser[]) =>
    idsOf(
      users.filter((user) => !isErased(user)),
      deps.teamId,
    );

  return {
    identify: (slackId) => identify(slackId, 'get'),
    identifyAfresh: async (slackId) => {
      const identification = await identify(slackId, 'reload');
      return identification.kind === 'known'
        ? { kind: 'known', person: { ...identification.person, isRoleFresh: true } }
        : identification;
    },
    groupMembers: (groupId) => groups.get(groupId),
    describe: async (slackId) => {
      const user = await users.get(slackId);
      return user && (isErased(user) ? { name: 'Erased person', email: undefined } : describeUser(user));
    },
    status: async (slackId) => {
      const user = await users.get(slackId);
      return user && statusOf(user, deps.clock.now());
    },
    groupHandle: async (groupId) => {
      try {
        return await handles.get(groupId);
      } catch (error) {
        // A group can be shown without its handle.
        if (readSlackFault(error).kind === 'refused') return undefined;
        throw error;
      }
    },
    teams,
    teamsNow,
    admins: async () => {
      // People named in the settings are found without reading a workspace of thousands.
      const adminUsers = deps.admins
        ? await named.everyone(deps.admins)
        : (await directory.users()).filter((user) => isWorkspaceAdmin(user));
      return usableIds(adminUsers);
    },
    managers: async () => usableIds(await named.everyone(deps.managers)),
    findByEmails: async (emails) => {
      const searchedEmails = new Set(emails);
      const reading =
        searchedEmails.size > MAX_SINGLE_LOOKUPS ? directory.users() : named.byEmails([...searchedEmails]);
      const slackUsers = await reading.catch((error: unknown) => {
        deps.log.warn({ err: error }, 'Reading Slack’s users failed; finding people by e-mail does not work for now');
        return undefined;
      });
      return (
        slackUsers &&
        new Map(slackUsers.filter((user) => !isErased(user)).flatMap((user) => entryOf(user, searchedEmails)))
      );
    },
    names: async () => {
      const reading = directory.users().catch(() => []);
      const everybody = await withinTime(deps.clock, NAMES_PATIENCE_MS, reading, []);
      const users = livingLast(everybody, deps.teamId);
      return new Map(users.filter((user) => !isErased(user)).flatMap((user) => nameOf(user)));
    },
    groupEvidence: settingsGroups.evidence,
    readSettingsGroups: async () => {
      const references = [...(deps.admins ?? []), ...deps.managers].filter(({ kind }) => kind === 'group');
      for (const reference of references)
        if (reference.kind === 'group') await settingsGroups.members.get(reference.id);
    },
    erasedAmong: (emails) => emails.filter((value) => erased.find({ kind: 'email', value }) !== undefined),
    isDeactivated: (slackId) =>
      users.get(slackId).then(
        (user) => user?.deleted === true,
        () => false,
      ),
  };
}

/** Reads the list again for each group that it lacks, once a minute: it may be new. */
function createGroupHandles({ lookups, clock }: { lookups: WebClient; clock: Clock }) {
  const lists = createCache(clock, GROUP_LIFE_MS, async () => {
    const answer = await lookups.usergroups.list({});
    return new Map((answer.usergroups ?? []).map((group) => [group.id ?? '', groupHandleOf(group)]));
  });
  const missing = createCache(clock, NEW_GROUP_MS, async (groupId: string) => {
    const list = await lists.get(undefined);
    return list.get(groupId) ?? (await lists.replace(undefined, list)).get(groupId);
  });
  return {
    get: async (groupId: string) => (await lists.get(undefined)).get(groupId) ?? missing.get(groupId),
  };
}

function createIsErased(pseudonyms: Pseudonyms): (user: SlackUser) => boolean {
  const has = (kind: IdentifierKind, value: string | undefined) =>
    value !== undefined && pseudonyms.find({ kind, value }) !== undefined;
  return (user) => !pseudonyms.isEmpty() && (has('slackId', user.id) || has('email', describeUser(user).email));
}

const isWorkspaceAdmin = (user: SlackUser) =>
  user.is_admin === true || user.is_owner === true || user.is_primary_owner === true;

function idsOf(users: readonly SlackUser[], teamId: string): string[] {
  return users.filter((user) => refusalOf(user, teamId) === undefined).map(({ id }) => id);
}

function entryOf(user: SlackUser, searchedEmails: ReadonlySet<string>): [email: string, slackId: string][] {
  const { email } = describeUser(user);
  return email !== undefined && searchedEmails.has(email) && !user.deleted && !user.is_bot ? [[email, user.id]] : [];
}

/**
 * The e-mail of a person can also be that of a deactivated account, or of an account from elsewhere, with another name.
 * The later of two entries counts.
 */
const livingLast = (users: readonly SlackUser[], teamId: string): SlackUser[] =>
  users.toSorted((a, b) => livingRank(a, teamId) - livingRank(b, teamId));

function livingRank(user: SlackUser, teamId: string): number {
  const refusal = refusalOf(user, teamId);
  return refusal === undefined ? 3 : refusal === 'guest' ? 2 : refusal === 'outsider' ? 1 : 0;
}

function nameOf(user: SlackUser): [email: string, name: string][] {
  const { email, name } = describeUser(user);
  return email === undefined || user.is_bot ? [] : [[email, name]];
}

function isNamed(user: SlackUser, reference: PersonReference): boolean {
  if (reference.kind === 'user') return reference.id === user.id;
  return reference.kind === 'email' && reference.email === describeUser(user).email;
}

function refusalOf(user: SlackUser, teamId: string): ReaderRefusal | undefined {
  if (user.deleted) return 'deactivated';
  if (user.is_bot || user.id === 'USLACKBOT') return 'bot';
  const belongs =
    user.team_id === undefined || user.team_id === teamId || user.enterprise_user?.teams?.includes(teamId);
  if (user.is_stranger || !belongs) return 'outsider';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return undefined;
}
