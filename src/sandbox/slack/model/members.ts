import { announce } from './app-events.ts';
import type { Sandbox } from '../context.ts';
import { postMessage } from './messages.ts';
import type { Channel } from './workspace.ts';

const letterOf = (channel: Channel) => (channel.kind === 'private' ? 'G' : 'C');

/** Makes a person (or the app) a member, unless they are one already. */
export function addMember(sandbox: Sandbox, channel: Channel, userId: string, inviter?: string): void {
  if (channel.members.has(userId)) return;
  channel.members.add(userId);
  // Only Slack Connect lets in people of other organizations.
  if (sandbox.workspace.people.get(userId)?.isStranger) channel.sharing = 'external';
  const word = inviter === undefined || inviter === userId ? 'has joined' : `was added by <@${inviter}> to`;
  postMessage(sandbox, channel, { author: userId, text: `<@${userId}> ${word} the channel`, subtype: 'channel_join' });
  sandbox.log.add({ kind: 'workspace_changed', what: `${userId} joined #${channel.name}` });
  if (!sandbox.workspace.hasApp(channel)) return;
  announce(sandbox, {
    type: 'member_joined_channel',
    user: userId,
    channel: channel.id,
    channel_type: letterOf(channel),
    team: sandbox.workspace.team.id,
    ...(inviter === undefined ? {} : { inviter }),
  });
}

export function removeMember(sandbox: Sandbox, channel: Channel, userId: string): void {
  if (!channel.members.has(userId)) return;
  const { app, team } = sandbox.workspace;
  const hadApp = sandbox.workspace.hasApp(channel);
  channel.members.delete(userId);
  sandbox.log.add({ kind: 'workspace_changed', what: `${userId} left #${channel.name}` });
  if (userId === app.botUserId) {
    announce(sandbox, { type: channel.kind === 'private' ? 'group_left' : 'channel_left', channel: channel.id });
  } else if (hadApp) {
    const where = { channel: channel.id, channel_type: letterOf(channel), team: team.id };
    announce(sandbox, { type: 'member_left_channel', user: userId, ...where });
  }
}

export function setArchived(sandbox: Sandbox, channel: Channel, isArchived: boolean, userId: string): void {
  if (channel.isArchived === isArchived) return;
  channel.isArchived = isArchived;
  const what = isArchived ? 'archive' : 'unarchive';
  sandbox.log.add({ kind: 'workspace_changed', what: `#${channel.name} ${what}d` });
  if (!sandbox.workspace.hasApp(channel)) return;
  const prefix = channel.kind === 'private' ? 'group' : 'channel';
  announce(sandbox, { type: `${prefix}_${what}`, channel: channel.id, user: userId });
}
