/** The state in the shapes of Slack's Web API: https://docs.slack.dev/reference/objects */
import type { Sandbox } from '../context.ts';
import { repliesTo } from './present.ts';
import { OTHER_TEAM_ID } from '../model/seed.ts';
import type { Json } from '../../json.ts';
import type { Channel, Message, Person, StoredFile, UserGroup, View } from '../model/workspace.ts';

/** Returns a user, without the e-mail if its scope is missing. */
export function userObject(sandbox: Sandbox, person: Person): Json {
  const { app, scopes } = sandbox.workspace;
  const showsEmail = scopes.has('users:read.email') && person.email !== null;
  const profile = {
    real_name: person.name,
    real_name_normalized: person.name,
    display_name: person.handle,
    display_name_normalized: person.handle,
    team: person.teamId,
    status_text: person.status?.text ?? '',
    status_emoji: person.status?.emoji ?? '',
    status_expiration: 0,
    ...(showsEmail ? { email: person.email } : {}),
    ...(person.id === app.botUserId ? { bot_id: app.botId, api_app_id: app.id } : {}),
  };
  const identity = {
    id: person.id,
    team_id: person.teamId,
    name: person.handle,
    deleted: person.isDeactivated,
    profile,
  };
  if (person.isDeactivated) return { ...identity, is_bot: person.isBot, is_app_user: false, updated: 0 };
  return {
    ...identity,
    real_name: person.name,
    tz: person.timeZone,
    tz_label: person.timeZone,
    tz_offset: offsetSeconds(person.timeZone, sandbox.clock.now()),
    locale: 'en-US',
    is_admin: person.isAdmin,
    is_owner: person.isOwner,
    is_primary_owner: person.isOwner,
    is_restricted: person.isGuest,
    is_ultra_restricted: false,
    is_bot: person.isBot,
    is_app_user: false,
    is_email_confirmed: person.email !== null,
    updated: 0,
    ...(person.isStranger ? { is_stranger: true } : {}),
  };
}

/** The latest results: a page of users needs the same few a thousand times. */
const offsets = new Map<string, number>();
const MAX_OFFSETS = 1_000;

function offsetSeconds(timeZone: string, at: Date): number {
  const key = `${timeZone} ${at.toISOString().slice(0, 16)}`;
  const offset = offsets.get(key) ?? computeOffsetSeconds(timeZone, at);
  if (offsets.size > MAX_OFFSETS) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

function computeOffsetSeconds(timeZone: string, at: Date): number {
  const localMs = new Date(at.toLocaleString('en-US', { timeZone })).getTime();
  return Math.round((localMs - new Date(at.toLocaleString('en-US', { timeZone: 'UTC' })).getTime()) / 1000);
}

export function channelObject(sandbox: Sandbox, channel: Channel): Json {
  const isDirect = channel.kind === 'dm';
  const common = {
    id: channel.id,
    created: channel.createdSeconds,
    is_archived: channel.isArchived,
    is_im: isDirect,
    is_mpim: false,
    is_org_shared: channel.sharing === 'workspaces',
    context_team_id: sandbox.workspace.team.id,
  };
  if (isDirect) {
    const user = [...channel.members].find((member) => member !== sandbox.workspace.app.botUserId);
    return { ...common, user, is_user_deleted: false, priority: 0, is_open: true };
  }
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: true,
    is_group: false,
    is_general: channel.name === 'general',
    is_private: channel.kind === 'private',
    is_member: sandbox.workspace.hasApp(channel),
    is_shared: channel.sharing === 'external' || channel.sharing === 'workspaces',
    is_ext_shared: channel.sharing === 'external',
    is_pending_ext_shared: channel.sharing === 'pending',
    pending_shared: channel.sharing === 'pending' ? [OTHER_TEAM_ID] : [],
    creator: 'U0ADA',
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: channel.members.size,
  };
}

/** Returns a message as in history, replies and payloads. */
export function messageObject(
  sandbox: Sandbox,
  channel: Channel,
  message: Message,
  { withMetadata = false }: { withMetadata?: boolean } = {},
): Json {
  const { app, team, files } = sandbox.workspace;
  const isOwn = message.author === app.botUserId;
  const shared = message.fileIds.flatMap((id) => files.get(id) ?? []);
  return {
    type: 'message',
    ...(message.subtype ? { subtype: message.subtype } : {}),
    user: message.author,
    text: message.text,
    ts: message.ts,
    team: team.id,
    ...(isOwn
      ? { bot_id: app.botId, app_id: app.id, bot_profile: { id: app.botId, app_id: app.id, name: app.name } }
      : {}),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...threadMembers(channel, message),
    ...(message.editedTs ? { edited: { user: isOwn ? app.botId : message.author, ts: message.editedTs } } : {}),
    ...(withMetadata && message.metadata ? { metadata: message.metadata } : {}),
    ...(shared.length > 0 ? { files: shared.map((file) => fileObject(sandbox, file)) } : {}),
    ...reactionMembers(message),
  };
}

function threadMembers(channel: Channel, message: Message): Json {
  if (message.threadTs && message.threadTs !== message.ts) {
    const parent = channel.messages.find((candidate) => candidate.ts === message.threadTs);
    return { thread_ts: message.threadTs, parent_user_id: parent?.author };
  }
  const replies = repliesTo(channel, message.ts);
  const latest = replies.at(-1);
  if (!latest) return {};
  const users = [...new Set(replies.map((reply) => reply.author))];
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    reply_users: users,
    latest_reply: latest.ts,
  };
}

function reactionMembers({ reactions }: Message): Json {
  if (reactions.size === 0) return {};
  return { reactions: [...reactions].map(([name, users]) => ({ name, users: [...users], count: users.size })) };
}

export function fileObject(sandbox: Sandbox, file: StoredFile): Json {
  const url = `${sandbox.address()}/files/${file.id}`;
  return {
    id: file.id,
    created: file.createdSeconds,
    timestamp: file.createdSeconds,
    name: file.name,
    title: file.title,
    mimetype: file.mimeType,
    filetype: file.name.split('.').at(-1) ?? '',
    user: file.owner,
    size: file.content.byteLength,
    mode: 'hosted',
    is_external: false,
    url_private: url,
    url_private_download: url,
    permalink: url,
    channels: [...file.channels],
  };
}

export function userGroupObject(sandbox: Sandbox, group: UserGroup, withUsers: boolean): Json {
  return {
    id: group.id,
    team_id: sandbox.workspace.team.id,
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    handle: group.handle,
    description: '',
    is_external: false,
    date_create: 0,
    date_update: 0,
    date_delete: 0,
    user_count: group.members.length,
    ...(withUsers ? { users: group.members } : {}),
  };
}

/** Returns a view as in views.* answers and interaction payloads. */
export function viewObject(sandbox: Sandbox, view: View): Json {
  const { team, app } = sandbox.workspace;
  const sent = view.view;
  return {
    id: view.id,
    team_id: team.id,
    type: view.type,
    blocks: sent['blocks'],
    private_metadata: sent['private_metadata'] ?? '',
    callback_id: sent['callback_id'] ?? '',
    state: { values: view.values },
    hash: view.hash,
    title: sent['title'] ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: sent['clear_on_close'] ?? false,
    notify_on_close: sent['notify_on_close'] ?? false,
    close: sent['close'] ?? null,
    submit: sent['submit'] ?? null,
    previous_view_id: view.previousId,
    root_view_id: view.rootId,
    app_id: app.id,
    external_id: sent['external_id'] ?? '',
    app_installed_team_id: team.id,
    bot_id: app.botId,
  };
}
