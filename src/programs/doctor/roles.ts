import { createLogger } from '../../core/base/log.ts';
import type { WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { Config } from '../../core/base/settings/config.ts';
import type { PersonReference } from '../../core/base/roles.ts';
import { systemClock } from '../../core/base/time/clock.ts';
import { pagesOf } from '../../core/slack/client/slack-pages.ts';
import { createPeople, type Identification, type People } from '../../core/slack/people/people.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import { ask, slackFaultSentence, type SlackAnswer } from './slack-answer.ts';

type RoleSetting = 'ADMINS' | 'MANAGERS';

export interface RoleReading {
  setting: RoleSetting;
  /** The entry as written, or a sentence about the workspace's own admins if ADMINS is not set. */
  entry: string;
  isGroup: boolean;
  answer: SlackAnswer<{ slackId: string; identification: Identification }[]>;
}

const USERS_PAGE = 1_000;
const MAX_USER_PAGES = 50;
/** Slack allows about fifty user lookups per minute; no group needs more admins to be checked. */
const MAX_PEOPLE_OF_GROUP = 30;
const MAX_NAMES = 20;
const AT_ONCE = 4;

const memberSchema = z.looseObject({
  id: z.string(),
  deleted: z.boolean().optional(),
  is_admin: z.boolean().optional(),
  is_owner: z.boolean().optional(),
});

export async function readRoles(client: WebClient, config: Config, teamId: string): Promise<RoleReading[]> {
  const { admins, managers } = config;
  // Roles are left out, because one wrong entry would spoil the results of the others.
  const people = createPeople({
    lookups: client,
    clock: systemClock,
    // Faults are reported as findings, not logged.
    log: createLogger('silent', []),
    teamId,
    admins: [],
    managers: [],
    peopleRole: 'admin',
  });
  const limit = pLimit(AT_ONCE);
  const read = async (setting: RoleSetting, entry: string, find: () => Promise<string[]>): Promise<RoleReading> => {
    const answer = await limit(() => ask(async () => identifyAll(people, await find())));
    return { setting, entry, isGroup: !entry.includes('@') && !/^[UW]/.test(entry), answer };
  };
  const readAll = (setting: RoleSetting, references: readonly PersonReference[]) =>
    references.map((reference) => read(setting, wordOf(reference), () => idsOf(client, people, reference)));
  return Promise.all([
    ...(admins ? readAll('ADMINS', admins) : [read('ADMINS', WORKSPACE_ADMINS, () => workspaceAdmins(client))]),
    ...readAll('MANAGERS', managers),
  ]);
}

const WORKSPACE_ADMINS = 'It isn’t set, so they are the workspace’s owners and admins';

const wordOf = (reference: PersonReference): string => (reference.kind === 'email' ? reference.email : reference.id);

async function idsOf(client: WebClient, people: People, reference: PersonReference): Promise<string[]> {
  if (reference.kind === 'user') return [reference.id];
  if (reference.kind === 'group') return people.groupMembers(reference.id);
  const { user } = await client.users.lookupByEmail({ email: reference.email });
  return user?.id ? [user.id] : [];
}

function identifyAll(people: People, slackIds: readonly string[]) {
  return Promise.all(
    slackIds
      .slice(0, MAX_PEOPLE_OF_GROUP)
      .map(async (slackId) => ({ slackId, identification: await people.identify(slackId) })),
  );
}

async function workspaceAdmins(client: WebClient): Promise<string[]> {
  const adminIds: string[] = [];
  const pages = pagesOf((from) => client.users.list({ limit: USERS_PAGE, ...from }), MAX_USER_PAGES);
  for await (const { members } of pages) {
    const read = z.array(memberSchema).parse(members ?? []);
    adminIds.push(...read.filter((one) => !one.deleted && (one.is_admin || one.is_owner)).map(({ id }) => id));
  }
  return adminIds;
}

export function judgeRoles(readings: readonly RoleReading[]): Finding[] {
  const isManagerNamed = readings.some(({ setting }) => setting === 'MANAGERS');
  const noManager = ok('MANAGERS', 'It isn’t set: only admins are managers.');
  return [...readings.map(judgeEntry), ...judgeAdmins(readings), ...(isManagerNamed ? [] : [noManager])];
}

const REASONS = {
  guest: 'is a guest, and guests can’t use Quartermaster',
  outsider: 'belongs to another workspace, whose people can’t use Quartermaster',
  bot: 'is a bot, and bots can’t use Quartermaster',
  deactivated: 'has a deactivated account',
  erased: 'had their data erased here',
  unknown: 'doesn’t exist in Slack',
};

function judgeEntry({ setting, entry, isGroup, answer }: RoleReading): Finding {
  if (answer.kind === 'fault') {
    const { fault: slackFault } = answer;
    const isUnknown = slackFault.kind === 'refused' && /not_found|no_such|not_visible/.test(slackFault.code);
    const sentence = isUnknown
      ? `Slack doesn’t know ${entry}: correct it or remove it.`
      : slackFaultSentence(slackFault);
    return fault(setting, isUnknown ? sentence : `${entry}: ${sentence}`);
  }
  const people = answer.value.flatMap((one) =>
    one.identification.kind === 'known' ? [one.identification.person] : [],
  );
  if (people.length > 0) {
    const names = namesOf(people.map(({ name }) => name));
    return ok(setting, people.length === 1 && !isGroup ? `${entry} is ${names}.` : `${entry}: ${names}.`);
  }
  const [refused] = answer.value.map((one) => one.identification);
  if (isGroup || refused?.kind !== 'refused')
    return warning(setting, `${entry}: no member of it can use the bot. Add people to it, or remove it.`);
  return fault(setting, `${entry} ${REASONS[refused.reason]}: name another person.`);
}

function namesOf(names: readonly string[]): string {
  const remaining = names.length - MAX_NAMES;
  return remaining > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${remaining} more` : names.join(', ');
}

function judgeAdmins(readings: readonly RoleReading[]): Finding[] {
  const ofAdmins = readings.filter(({ setting }) => setting === 'ADMINS');
  const admins = new Set(
    ofAdmins.flatMap(({ answer }) =>
      answer.kind === 'answer'
        ? answer.value.filter((one) => one.identification.kind === 'known').map(({ slackId }) => slackId)
        : [],
    ),
  );
  if (admins.size === 0 && ofAdmins.some(({ answer }) => answer.kind === 'fault')) return [];
  if (admins.size === 0) return [fault('ADMINS', 'There is no admin. Name a person who decides requests.')];
  if (admins.size > 1) return [];
  return [
    warning(
      'ADMINS',
      'There’s only one admin, and admins can’t decide their own requests. Name a second one. FOUR_EYES=when-possible lets the only admin decide requests for others.',
    ),
  ];
}
