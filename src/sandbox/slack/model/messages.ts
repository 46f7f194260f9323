/** Changes of messages; each change is in the event log. */
import { announceMessage } from './app-events.ts';
import type { Sandbox } from '../context.ts';
import { isJson, textOf } from '../../json.ts';
import { statefulElements } from '../people/form.ts';
import { presentMessage } from '../shapes/present.ts';
import type { Block, Channel, Message, MessageMetadata } from './workspace.ts';

export interface Draft {
  author: string;
  text: string;
  blocks?: Block[];
  threadTs?: string | null;
  visibleTo?: string | null;
  subtype?: string | null;
  metadata?: MessageMetadata | null;
  fileIds?: string[];
}

/** Adds a message, for everyone or (with `visibleTo`) for one person. */
export function postMessage(sandbox: Sandbox, channel: Channel, draft: Draft): Message {
  const message: Message = {
    threadTs: null,
    visibleTo: null,
    subtype: null,
    metadata: null,
    fileIds: [],
    ...draft,
    blocks: withIds(sandbox, draft.blocks ?? []),
    ts: sandbox.identifiers.timestamp(),
    channelId: channel.id,
    editedTs: null,
    reactions: new Map(),
    choices: new Map(),
  };
  channel.messages.push(message);
  const view = presentMessage(sandbox.workspace, channel, message);
  const where = { channel: channel.id, channelName: channel.name, message: view };
  if (message.visibleTo !== null) {
    sandbox.log.add({ kind: 'ephemeral', to: message.visibleTo, ...where });
    return message;
  }
  sandbox.log.add({ kind: 'message', ...where });
  if (message.subtype === null || message.subtype === 'file_share') announceMessage(sandbox, channel, message);
  return message;
}

export interface Change {
  text: string;
  blocks: Block[];
  /** undefined keeps the current metadata. */
  metadata?: MessageMetadata | null | undefined;
}

export function updateMessage(sandbox: Sandbox, channel: Channel, message: Message, change: Change): void {
  message.text = change.text;
  message.blocks = withIds(sandbox, change.blocks);
  message.editedTs = sandbox.identifiers.timestamp();
  if (change.metadata !== undefined) message.metadata = change.metadata;
  logMessageChange(sandbox, 'message_updated', channel, message);
}

export function removeMessage(sandbox: Sandbox, channel: Channel, message: Message): void {
  channel.messages.splice(channel.messages.indexOf(message), 1);
  logMessageChange(sandbox, 'message_deleted', channel, message);
}

export function logMessageChange(
  sandbox: Sandbox,
  kind: 'message_updated' | 'message_deleted',
  channel: Channel,
  message: Message,
): void {
  const view = presentMessage(sandbox.workspace, channel, message);
  sandbox.log.add({ kind, channel: channel.id, channelName: channel.name, message: view });
}

/** Returns a copy in which missing block ids and action ids are filled in, as Slack does. */
export function withIds(sandbox: Sandbox, blocks: readonly Block[]): Block[] {
  const newId = () => sandbox.identifiers.token(5);
  const fill = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(fill);
    if (!isJson(value)) return;
    const isInteractive = ['button', ...statefulElements].includes(textOf(value['type']));
    if (isInteractive && value['action_id'] === undefined) value['action_id'] = newId();
    for (const member of Object.values(value)) if (typeof member === 'object') fill(member);
  };
  const copies = structuredClone([...blocks]);
  for (const block of copies) block['block_id'] ??= newId();
  fill(copies);
  return copies;
}
