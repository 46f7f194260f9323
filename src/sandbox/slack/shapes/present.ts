import type { ChannelView, FileView, MessageView, PersonView, Snapshot, ViewView } from '../people/control-types.ts';
import type { Sandbox } from '../context.ts';
import type { Channel, Message, Person, StoredFile, View, Workspace } from '../model/workspace.ts';

export function presentPerson(person: Person): PersonView {
  return { ...person };
}

export function presentFile(file: StoredFile): FileView {
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    mimeType: file.mimeType,
    sizeBytes: file.content.byteLength,
    owner: file.owner,
    channels: [...file.channels],
    downloadPath: `/files/${file.id}`,
  };
}

export function presentView({ id, type, view, hash, values, errors }: View): ViewView {
  return structuredClone({ id, type, view, hash, values, errors });
}

export function presentMessage(workspace: Workspace, channel: Channel, message: Message): MessageView {
  const replies = repliesTo(channel, message.ts);
  return {
    ts: message.ts,
    threadTs: message.threadTs ?? (replies.length > 0 ? message.ts : null),
    author: message.author,
    text: message.text,
    blocks: structuredClone(message.blocks),
    isEphemeral: message.visibleTo !== null,
    visibleTo: message.visibleTo,
    isEdited: message.editedTs !== null,
    editedTs: message.editedTs,
    subtype: message.subtype,
    replyCount: replies.length,
    metadata: message.metadata && structuredClone(message.metadata),
    files: message.fileIds.flatMap((id) => {
      const file = workspace.files.get(id);
      return file ? [presentFile(file)] : [];
    }),
    reactions: [...message.reactions].map(([name, users]) => ({ name, users: [...users] })),
  };
}

/** Returns the answers in a thread, without ephemeral ones. */
export function repliesTo(channel: Channel, ts: string): Message[] {
  return channel.messages.filter((message) => message.threadTs === ts && message.ts !== ts && !message.visibleTo);
}

/** Whether a person may read a channel: their own, and public ones unless they are a guest. */
export function canSee(person: Person, channel: Channel): boolean {
  if (channel.members.has(person.id)) return true;
  return channel.kind === 'public' && !person.isGuest && !person.isStranger;
}

function presentChannel(workspace: Workspace, viewer: Person, channel: Channel): ChannelView {
  const visible = channel.messages.filter(({ visibleTo }) => visibleTo === null || visibleTo === viewer.id);
  const isDirect = channel.kind === 'dm';
  return {
    id: channel.id,
    name: isDirect ? workspace.app.name : channel.name,
    kind: channel.kind,
    isMember: channel.members.has(viewer.id),
    isArchived: channel.isArchived,
    hasApp: workspace.hasApp(channel),
    members: [...channel.members],
    messages: visible.map((message) => presentMessage(workspace, channel, message)),
  };
}

/** Returns the workspace as `viewer` sees it: no ephemeral message of others, no private channel without them. */
export function takeSnapshot(sandbox: Sandbox, viewer: Person): Snapshot {
  const { workspace } = sandbox;
  const home = workspace.homes.get(viewer.id);
  const { id, name, botUserId } = workspace.app;
  const seen = [...workspace.channels.values()].filter((channel) => canSee(viewer, channel));
  // People find the app in their list before the first message.
  if (!viewer.isBot && !workspace.findDirectChannel(viewer.id)) seen.push(workspace.emptyDirectChannel(viewer.id));
  return {
    seq: sandbox.log.mark(),
    now: sandbox.clock.now().toISOString(),
    team: workspace.team,
    viewer: presentPerson(viewer),
    people: [...workspace.people.values()].map(presentPerson),
    userGroups: [...workspace.userGroups.values()].map((group) => structuredClone(group)),
    app: {
      id,
      name,
      botUserId,
      transport: sandbox.gateway.transport,
      connections: sandbox.gateway.connections(),
      commands: workspace.commands.map(({ command, description, usageHint }) => ({ command, description, usageHint })),
    },
    channels: seen.map((channel) => presentChannel(workspace, viewer, channel)),
    modals: workspace.modalsOf(viewer.id).map(presentView),
    home: home ? presentView(home) : null,
    files: [...workspace.files.values()].map(presentFile),
    directMessages: countDirectMessages(workspace),
    chartsSupported: workspace.chartsSupported,
  };
}

function countDirectMessages(workspace: Workspace): Record<string, number> {
  const counts = [...workspace.people.keys()].map((personId) => {
    const messages = workspace.findDirectChannel(personId)?.messages ?? [];
    return [personId, messages.filter((message) => isFromApp(workspace, message)).length] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Whether the app sent it for its reader to keep. */
export function isFromApp({ app }: Workspace, { author, visibleTo }: Pick<Message, 'author' | 'visibleTo'>): boolean {
  return author === app.botUserId && visibleTo === null;
}
