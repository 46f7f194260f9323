import type { Channel, Person, Workspace } from './workspace.ts';

export const TEAM = { id: 'T0ACME', name: 'Acme', domain: 'acme' };
export const OTHER_TEAM_ID = 'T0OUTSIDE';
export const APP = {
  id: 'A0QUARTERMASTER',
  name: 'Quartermaster',
  botId: 'B0QUARTERMASTER',
  botUserId: 'U0QUARTERMASTER',
};

/** The scopes of the app's manifest, unless a test chooses others. */
export const DEFAULT_SCOPES = [
  'app_mentions:read',
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'reactions:write',
  'team:read',
  'usergroups:read',
  'users:read',
  'users:read.email',
];

/** The Events API events that reach the app. */
export const DEFAULT_EVENTS = [
  'app_home_opened',
  'app_mention',
  'channel_archive',
  'channel_left',
  'channel_unarchive',
  'file_shared',
  'group_archive',
  'group_left',
  'member_joined_channel',
  'member_left_channel',
  'message.im',
  'subteam_members_changed',
  'team_join',
  'user_change',
];

const DEFAULT_COMMANDS = [
  '/usage',
  '/readiness',
  '/computers',
  '/limits',
  '/controls',
  '/session',
  '/digest',
  '/quartermaster',
];

const ordinary = {
  timeZone: 'America/New_York',
  isAdmin: false,
  isOwner: false,
  isGuest: false,
  isStranger: false,
  isBot: false,
  isDeactivated: false,
  teamId: TEAM.id,
};

/** Creates a person from the differences to an ordinary member. */
export function makePerson(person: Pick<Person, 'id' | 'handle' | 'name' | 'email'> & Partial<Person>): Person {
  return { ...ordinary, ...person };
}

const email = (name: string) => `${name}@acme.example`;
const people: Person[] = [
  makePerson({
    id: 'U0MORGAN',
    handle: 'morgan',
    name: 'Morgan Reyes',
    email: email('morgan.manager'),
    timeZone: 'Europe/Berlin',
  }),
  makePerson({ id: 'U0MIA', handle: 'mia', name: 'Mia Chen', email: email('mia.member') }),
  makePerson({
    id: 'U0ADA',
    handle: 'ada',
    name: 'Ada Okafor',
    email: email('ada.admin'),
    isAdmin: true,
    timeZone: 'UTC',
  }),
  makePerson({
    id: 'U0MAX',
    handle: 'max',
    name: 'Max Weber',
    email: email('max.member'),
    timeZone: 'Europe/Berlin',
  }),
  makePerson({
    id: 'U0NORA',
    handle: 'nora',
    name: 'Nora Lindqvist',
    email: email('nora.member'),
    timeZone: 'Europe/Stockholm',
  }),
  makePerson({ id: 'U0GUS', handle: 'gus', name: 'Gus Guest', email: email('gus.guest'), isGuest: true }),
  makePerson({
    id: 'U0OLGA',
    handle: 'olga',
    name: 'Olga Outsider',
    email: 'olga@outside.example',
    isStranger: true,
    teamId: OTHER_TEAM_ID,
  }),
  makePerson({ id: 'U0DAN', handle: 'dan', name: 'Deactivated Dan', email: email('dan'), isDeactivated: true }),
  makePerson({ id: APP.botUserId, handle: 'quartermaster', name: APP.name, email: null, isBot: true, timeZone: 'UTC' }),
];

// The voice of Slack itself: "failed with the error operation_timeout".
people.push(makePerson({ id: 'USLACKBOT', handle: 'slackbot', name: 'Slackbot', email: null, isBot: true }));

const staff = ['U0MORGAN', 'U0MIA', 'U0ADA', 'U0MAX', 'U0NORA'];
const channels: (Pick<Channel, 'id' | 'name' | 'kind'> &
  Partial<Pick<Channel, 'isArchived' | 'sharing'>> & { members: string[] })[] = [
  { id: 'C0GENERAL', name: 'general', kind: 'public', members: [...staff, 'U0GUS'] },
  { id: 'C0USAGE', name: 'agent-usage', kind: 'public', members: [...staff, APP.botUserId] },
  { id: 'C0PLATFORM', name: 'platform', kind: 'public', members: ['U0MORGAN', 'U0MIA', 'U0ADA', 'U0MAX'] },
  { id: 'C0LEADS', name: 'leads', kind: 'private', members: ['U0MORGAN', 'U0ADA'] },
  {
    id: 'C0OUTSIDE',
    name: 'acme-outside',
    kind: 'public',
    members: ['U0MORGAN', 'U0ADA', 'U0OLGA', APP.botUserId],
    sharing: 'external',
  },
  { id: 'C0OLDNEWS', name: 'old-news', kind: 'public', members: [...staff, APP.botUserId], isArchived: true },
];

export function seedWorkspace(workspace: Workspace): void {
  const createdSeconds = workspace.identifiers.nowSeconds();
  for (const person of people) workspace.people.set(person.id, { ...person });
  for (const { members, isArchived = false, sharing = 'none', ...channel } of channels) {
    const state = { ...channel, members: new Set(members), isArchived, sharing, createdSeconds, messages: [] };
    workspace.channels.set(channel.id, state);
  }
  const group = (id: string, handle: string, name: string, members: string[]) =>
    workspace.userGroups.set(id, { id, handle, name, members });
  group('S0LEADS', 'platform-leads', 'Platform leads', ['U0MORGAN']);
  group('S0WEB', 'web-team', 'Web team', ['U0MIA', 'U0NORA']);
  workspace.commands = DEFAULT_COMMANDS.map((command) => ({
    command,
    description: '',
    usageHint: '',
    shouldEscape: true,
  }));
}
