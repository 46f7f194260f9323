import { z } from 'zod';
import type { Sandbox } from '../context.ts';
import { addMember, removeMember } from '../model/members.ts';
import { channelObject, messageObject } from '../shapes/slack-shapes.ts';
import type { Channel, Message } from '../model/workspace.ts';
import {
  ApiError,
  flag,
  idList,
  knownPerson,
  method,
  page,
  pageArguments,
  requireKindScope,
  text,
  visibleChannel,
  type Method,
} from './call.ts';

const anyOf = (permission: string) => ['channels', 'groups', 'im', 'mpim'].map((prefix) => `${prefix}:${permission}`);

const info = method({
  scopes: anyOf('read'),
  args: z.object({ channel: text, include_num_members: flag.optional() }),
  run: (sandbox, args) => {
    const channel = visibleChannel(sandbox, args.channel);
    requireKindScope(sandbox, channel, 'read');
    return { channel: channelObject(sandbox, channel) };
  },
});

const KIND_NAMES: Record<string, Channel['kind']> = { public_channel: 'public', private_channel: 'private', im: 'dm' };

/** Returns the conversations of these kinds that the app can see. */
export function listChannels(sandbox: Sandbox, types: string, excludeArchived: boolean): Channel[] {
  const kinds = types.split(',').map((type) => type.trim());
  if (kinds.some((kind) => !(kind in KIND_NAMES) && kind !== 'mpim')) throw new ApiError('invalid_types');
  const channelKinds = new Set(kinds.map((kind) => KIND_NAMES[kind]));
  return [...sandbox.workspace.channels.values()].filter(
    (channel) =>
      channelKinds.has(channel.kind) &&
      (channel.kind === 'public' || sandbox.workspace.hasApp(channel)) &&
      !(excludeArchived && channel.isArchived),
  );
}

const list = method({
  scopes: anyOf('read'),
  args: z.object({ ...pageArguments, types: text.default('public_channel'), exclude_archived: flag.default(false) }),
  run: (sandbox, args) => {
    const channels = listChannels(sandbox, args.types, args.exclude_archived);
    for (const channel of channels) requireKindScope(sandbox, channel, 'read');
    const { items, metadata } = page(channels, args);
    return { channels: items.map((channel) => channelObject(sandbox, channel)), response_metadata: metadata };
  },
});

const members = method({
  scopes: anyOf('read'),
  args: z.object({ ...pageArguments, channel: text }),
  run: (sandbox, args) => {
    const channel = visibleChannel(sandbox, args.channel);
    requireKindScope(sandbox, channel, 'read');
    const { items, metadata } = page([...channel.members], args);
    return { members: items, response_metadata: metadata };
  },
});

const reading = {
  ...pageArguments,
  channel: text,
  oldest: text.optional(),
  latest: text.optional(),
  inclusive: flag.default(false),
  include_all_metadata: flag.default(false),
};

function readableChannel(sandbox: Sandbox, id: string): Channel {
  const channel = visibleChannel(sandbox, id);
  requireKindScope(sandbox, channel, 'history');
  if (!sandbox.workspace.hasApp(channel)) throw new ApiError('not_in_channel');
  return channel;
}

interface Window {
  oldest?: string | undefined;
  latest?: string | undefined;
  inclusive: boolean;
}

function isWithin(message: Message, { oldest, latest, inclusive }: Window): boolean {
  if (message.shownFromMs !== undefined && message.shownFromMs > performance.now()) return false;
  const at = Number(message.ts);
  if (inclusive && (message.ts === oldest || message.ts === latest)) return true;
  return (oldest === undefined || at > Number(oldest)) && (latest === undefined || at < Number(latest));
}

const history = method({
  scopes: anyOf('history'),
  args: z.object(reading),
  run: (sandbox, args) => {
    const channel = readableChannel(sandbox, args.channel);
    const visibleMessages = channel.messages.filter(
      (message) =>
        message.visibleTo === null &&
        (message.threadTs === null || message.subtype === 'thread_broadcast') &&
        isWithin(message, args),
    );
    const { items, metadata, hasMore } = page(visibleMessages.toReversed(), args, 999);
    const options = { withMetadata: args.include_all_metadata };
    return {
      messages: items.map((message) => messageObject(sandbox, channel, message, options)),
      has_more: hasMore,
      pin_count: 0,
      ...(hasMore ? { response_metadata: metadata } : {}),
    };
  },
});

const replies = method({
  scopes: anyOf('history'),
  args: z.object({ ...reading, ts: text }),
  run: (sandbox, args) => {
    const channel = readableChannel(sandbox, args.channel);
    const namedMessage = sandbox.workspace.findMessage(channel, args.ts);
    if (!namedMessage || namedMessage.visibleTo !== null) throw new ApiError('thread_not_found');
    const first = namedMessage.threadTs ?? namedMessage.ts;
    const thread = channel.messages.filter(
      ({ ts, threadTs, visibleTo }) => visibleTo === null && (ts === first || threadTs === first),
    );
    const within = thread.filter((message) => message.ts === first || isWithin(message, args));
    const { items, metadata, hasMore } = page(within, args, 999);
    const options = { withMetadata: args.include_all_metadata };
    return {
      messages: items.map((message) => messageObject(sandbox, channel, message, options)),
      has_more: hasMore,
      ...(hasMore ? { response_metadata: metadata } : {}),
    };
  },
});

const open = method({
  scopes: ['im:write', 'mpim:write'],
  args: z.object({ users: idList.optional(), channel: text.optional(), return_im: flag.default(false) }),
  run: (sandbox, args) => {
    if (args.channel !== undefined) return { channel: { id: visibleChannel(sandbox, args.channel).id } };
    const [userId, ...others] = args.users ?? [];
    if (userId === undefined) throw new ApiError('users_list_not_supplied');
    // The sandbox has no group conversations.
    if (others.length > 0) throw new ApiError('too_many_users');
    const person = knownPerson(sandbox, userId);
    if (person.isBot) throw new ApiError('cannot_dm_bot');
    if (person.isDeactivated) throw new ApiError('user_disabled');
    const isOpen = sandbox.workspace.findDirectChannel(person.id) !== undefined;
    const channel = sandbox.workspace.directChannel(person.id);
    return {
      channel: args.return_im ? channelObject(sandbox, channel) : { id: channel.id },
      ...(isOpen ? { no_op: true, already_open: true } : {}),
    };
  },
});

const join = method({
  scopes: ['channels:join'],
  args: z.object({ channel: text }),
  run: (sandbox, args) => {
    const channel = visibleChannel(sandbox, args.channel);
    if (channel.kind !== 'public') throw new ApiError('method_not_supported_for_channel_type');
    if (channel.isArchived) throw new ApiError('is_archived');
    const wasMember = sandbox.workspace.hasApp(channel);
    addMember(sandbox, channel, sandbox.workspace.app.botUserId);
    const warning = { warning: 'already_in_channel', response_metadata: { warnings: ['already_in_channel'] } };
    return { channel: channelObject(sandbox, channel), ...(wasMember ? warning : {}) };
  },
});

const invite = method({
  scopes: ['channels:manage', 'groups:write', 'channels:write.invites', 'groups:write.invites'],
  args: z.object({ channel: text, users: idList }),
  run: (sandbox, args) => {
    const channel = visibleChannel(sandbox, args.channel);
    if (!sandbox.workspace.hasApp(channel)) throw new ApiError('not_in_channel');
    if (channel.isArchived) throw new ApiError('is_archived');
    const invited = args.users.map((id) => knownPerson(sandbox, id));
    if (invited.every(({ id }) => channel.members.has(id))) throw new ApiError('already_in_channel');
    for (const { id } of invited) addMember(sandbox, channel, id, sandbox.workspace.app.botUserId);
    return { channel: channelObject(sandbox, channel) };
  },
});

const leave = method({
  scopes: ['channels:manage', 'groups:write', 'im:write'],
  args: z.object({ channel: text }),
  run: (sandbox, args) => {
    const channel = visibleChannel(sandbox, args.channel);
    if (channel.kind === 'dm') throw new ApiError('method_not_supported_for_channel_type');
    if (!sandbox.workspace.hasApp(channel)) return { not_in_channel: true };
    removeMember(sandbox, channel, sandbox.workspace.app.botUserId);
    return {};
  },
});

export const conversationMethods: Record<string, Method> = {
  'conversations.info': info,
  'conversations.list': list,
  'conversations.members': members,
  'conversations.history': history,
  'conversations.replies': replies,
  'conversations.open': open,
  'conversations.join': join,
  'conversations.invite': invite,
  'conversations.leave': leave,
};
