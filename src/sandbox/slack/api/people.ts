import { z } from 'zod';
import { channelObject, userGroupObject, userObject } from '../shapes/slack-shapes.ts';
import { ApiError, flag, knownPerson, method, page, pageArguments, text, type Method } from './call.ts';
import { listChannels } from './conversations.ts';

const usersInfo = method({
  scopes: ['users:read'],
  args: z.object({ user: text }),
  run: (sandbox, args) => ({ user: userObject(sandbox, knownPerson(sandbox, args.user)) }),
});

const usersList = method({
  scopes: ['users:read'],
  args: z.object(pageArguments),
  run: (sandbox, args) => {
    const { items, metadata } = page([...sandbox.workspace.people.values()], { limit: 1000, ...args });
    return {
      members: items.map((person) => userObject(sandbox, person)),
      cache_ts: sandbox.identifiers.nowSeconds(),
      response_metadata: metadata,
    };
  },
});

const lookupByEmail = method({
  scopes: ['users:read.email'],
  args: z.object({ email: text }),
  run: (sandbox, args) => {
    const searchedEmail = args.email.toLowerCase();
    const person = [...sandbox.workspace.people.values()].find(
      ({ email, isDeactivated }) => email?.toLowerCase() === searchedEmail && !isDeactivated,
    );
    if (!person) throw new ApiError('users_not_found');
    return { user: userObject(sandbox, person) };
  },
});

const usersConversations = method({
  scopes: ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  args: z.object({
    ...pageArguments,
    user: text.optional(),
    types: text.default('public_channel'),
    exclude_archived: flag.default(false),
  }),
  run: (sandbox, args) => {
    const userId = args.user ?? sandbox.workspace.app.botUserId;
    knownPerson(sandbox, userId);
    const channels = listChannels(sandbox, args.types, args.exclude_archived).filter(({ members }) =>
      members.has(userId),
    );
    const { items, metadata } = page(channels, args);
    return { channels: items.map((channel) => channelObject(sandbox, channel)), response_metadata: metadata };
  },
});

const profileGet = method({
  scopes: ['users.profile:read', 'users:read'],
  args: z.object({ user: text }),
  run: (sandbox, args) => ({ profile: userObject(sandbox, knownPerson(sandbox, args.user))['profile'] }),
});

const botsInfo = method({
  scopes: ['users:read'],
  args: z.object({ bot: text }),
  run: ({ workspace: { app } }, args) => {
    if (args.bot !== app.botId) throw new ApiError('bot_not_found');
    return {
      bot: { id: app.botId, deleted: false, name: app.name, updated: 0, app_id: app.id, user_id: app.botUserId },
    };
  },
});

const teamInfo = method({
  scopes: ['team:read'],
  args: z.object({}),
  run: ({ workspace: { team } }) => ({ team: { ...team, email_domain: 'acme.example', icon: {} } }),
});

const userGroupsList = method({
  scopes: ['usergroups:read'],
  args: z.object({ include_users: flag.default(false) }),
  run: (sandbox, args) => ({
    usergroups: [...sandbox.workspace.userGroups.values()].map((group) =>
      userGroupObject(sandbox, group, args.include_users),
    ),
  }),
});

const userGroupsUsers = method({
  scopes: ['usergroups:read'],
  args: z.object({ usergroup: text }),
  run: (sandbox, args) => {
    const group = sandbox.workspace.userGroups.get(args.usergroup);
    if (!group) throw new ApiError('no_such_subteam');
    return { users: group.members };
  },
});

export const peopleMethods: Record<string, Method> = {
  'users.info': usersInfo,
  'users.list': usersList,
  'users.lookupByEmail': lookupByEmail,
  'users.conversations': usersConversations,
  'users.profile.get': profileGet,
  'bots.info': botsInfo,
  'team.info': teamInfo,
  'usergroups.list': userGroupsList,
  'usergroups.users.list': userGroupsUsers,
};
