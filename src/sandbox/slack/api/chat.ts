import { z } from 'zod';
import { checkMessageBlocks } from '../shapes/block-check.ts';
import type { Sandbox } from '../context.ts';
import { isJson } from '../../json.ts';
import { postMessage, removeMessage, updateMessage } from '../model/messages.ts';
import { messageObject } from '../shapes/slack-shapes.ts';
import type { Block, Channel, Message, MessageMetadata } from '../model/workspace.ts';
import { ApiError, flag, jsonValue, knownPerson, method, text, visibleChannel, type Method } from './call.ts';

const MAX_TEXT = 40_000;
const MAX_UPDATE_BYTES = 4000;
const MAX_MARKDOWN = 12_000;
const MAX_ATTACHMENTS = 100;
// Slack does not publish the number.
const MAX_METADATA_BYTES = 8000;

const content = {
  text: text.optional(),
  blocks: jsonValue.optional(),
  attachments: jsonValue.optional(),
  markdown_text: text.optional(),
};
type Content = z.output<z.ZodObject<typeof content>>;

/** Returns the content of a message. Throws Slack's error if it is invalid. */
function readContent(sandbox: Sandbox, args: Content): { text: string; blocks: Block[]; isCut: boolean } {
  if (args.markdown_text !== undefined) return readMarkdown(args, args.markdown_text);
  const blocks = args.blocks === undefined || args.blocks === '' ? [] : readBlocks(sandbox, args.blocks);
  const words = args.text ?? '';
  const attachments = Array.isArray(args.attachments) ? args.attachments.length : 0;
  if (attachments > MAX_ATTACHMENTS) throw new ApiError('too_many_attachments');
  if (words.trim() === '' && blocks.length === 0 && attachments === 0) throw new ApiError('no_text');
  return { text: words.slice(0, MAX_TEXT), blocks, isCut: words.length > MAX_TEXT };
}

function readMarkdown(args: Content, markdown: string) {
  if (args.text !== undefined || args.blocks !== undefined) throw new ApiError('markdown_text_conflict');
  if (markdown.length > MAX_MARKDOWN) throw new ApiError('msg_too_long');
  return { text: markdown, blocks: [], isCut: false };
}

function readBlocks(sandbox: Sandbox, blocks: unknown): Block[] {
  const checked = checkMessageBlocks(sandbox, blocks);
  if ('value' in checked) return checked.value;
  throw new ApiError(checked.refusal.code, { messages: checked.refusal.messages });
}

const metadataSchema = z.strictObject({
  event_type: z.string().min(1),
  event_payload: z.record(z.string(), z.unknown()),
});

/** undefined: not given; null: `{}`, which removes it. */
function readMetadata(value: unknown): MessageMetadata | null | undefined {
  if (value === undefined) return undefined;
  if (isJson(value) && Object.keys(value).length === 0) return null;
  const parsed = metadataSchema.safeParse(value);
  if (!parsed.success) throw new ApiError('invalid_metadata_format');
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_METADATA_BYTES) throw new ApiError('metadata_too_large');
  return parsed.data;
}

/** Returns the conversation for a post: by id, by name or by person. */
function postableChannel(sandbox: Sandbox, reference: string): Channel {
  const { workspace } = sandbox;
  const person = workspace.people.get(reference);
  if (person) {
    if (person.isBot) throw new ApiError('cannot_dm_bot');
    if (person.isDeactivated) throw new ApiError('user_disabled');
    return workspace.directChannel(person.id);
  }
  const channel = workspace.findChannel(reference);
  if (!channel || (channel.kind !== 'public' && !workspace.hasApp(channel))) throw new ApiError('channel_not_found');
  if (channel.isArchived) throw new ApiError('is_archived');
  const mayPost = workspace.hasApp(channel) || workspace.scopes.has('chat:write.public');
  if (!mayPost) throw new ApiError('not_in_channel');
  return channel;
}

function checkThread(sandbox: Sandbox, channel: Channel, threadTs: string | undefined): void {
  if (threadTs === undefined) return;
  if (!sandbox.workspace.findMessage(channel, threadTs)) throw new ApiError('thread_not_found');
}

const post = method({
  scopes: ['chat:write'],
  args: z.object({
    ...content,
    channel: text,
    thread_ts: text.optional(),
    reply_broadcast: flag.optional(),
    metadata: jsonValue.optional(),
  }),
  run: (sandbox, args) => {
    const channel = postableChannel(sandbox, args.channel);
    const newContent = readContent(sandbox, args);
    checkThread(sandbox, channel, args.thread_ts);
    const message = postMessage(sandbox, channel, {
      author: sandbox.workspace.app.botUserId,
      text: newContent.text,
      blocks: newContent.blocks,
      threadTs: args.thread_ts ?? null,
      subtype: args.reply_broadcast && args.thread_ts ? 'thread_broadcast' : null,
      metadata: readMetadata(args.metadata) ?? null,
    });
    return {
      channel: channel.id,
      ts: message.ts,
      message: messageObject(sandbox, channel, message, { withMetadata: true }),
      ...(newContent.isCut ? { response_metadata: { warnings: ['message_truncated'] } } : {}),
    };
  },
});

function ownMessage(sandbox: Sandbox, args: { channel: string; ts: string }, refusal: string) {
  const channel = visibleChannel(sandbox, args.channel);
  const message = sandbox.workspace.findMessage(channel, args.ts);
  // The ts of an ephemeral message cannot be used.
  if (!message || message.visibleTo !== null) throw new ApiError('message_not_found');
  if (message.author !== sandbox.workspace.app.botUserId) throw new ApiError(refusal);
  return { channel, message };
}

const update = method({
  scopes: ['chat:write'],
  args: z.object({ ...content, channel: text, ts: text, metadata: jsonValue.optional() }),
  run: (sandbox, args) => {
    const { channel, message } = ownMessage(sandbox, args, 'cant_update_message');
    if (channel.isArchived) throw new ApiError('is_archived');
    if (Buffer.byteLength(args.text ?? '') > MAX_UPDATE_BYTES) throw new ApiError('msg_too_long');
    const newContent = readContent(sandbox, args);
    updateMessage(sandbox, channel, message, { ...newContent, metadata: readMetadata(args.metadata) });
    return {
      channel: channel.id,
      ts: message.ts,
      text: message.text,
      message: messageObject(sandbox, channel, message, { withMetadata: true }),
    };
  },
});

const remove = method({
  scopes: ['chat:write'],
  args: z.object({ channel: text, ts: text }),
  run: (sandbox, args) => {
    const { channel, message } = ownMessage(sandbox, args, 'cant_delete_message');
    removeMessage(sandbox, channel, message);
    return { channel: channel.id, ts: message.ts };
  },
});

const postEphemeral = method({
  scopes: ['chat:write'],
  args: z.object({ ...content, channel: text, user: text, thread_ts: text.optional() }),
  run: (sandbox, args) => {
    const channel = postableChannel(sandbox, args.channel);
    const person = knownPerson(sandbox, args.user);
    if (!channel.members.has(person.id) || person.isDeactivated) throw new ApiError('user_not_in_channel');
    const newContent = readContent(sandbox, args);
    checkThread(sandbox, channel, args.thread_ts);
    const message: Message = postMessage(sandbox, channel, {
      author: sandbox.workspace.app.botUserId,
      text: newContent.text,
      blocks: newContent.blocks,
      threadTs: args.thread_ts ?? null,
      visibleTo: person.id,
    });
    return { message_ts: message.ts };
  },
});

const getPermalink = method({
  args: z.object({ channel: text, message_ts: text }),
  run: (sandbox, args) => {
    const channel = visibleChannel(sandbox, args.channel);
    const message = sandbox.workspace.findMessage(channel, args.message_ts);
    if (!message || message.visibleTo !== null) throw new ApiError('message_not_found');
    const path = `${channel.id}/p${message.ts.replace('.', '')}`;
    return { channel: channel.id, permalink: `https://${sandbox.workspace.team.domain}.slack.com/archives/${path}` };
  },
});

export const chatMethods: Record<string, Method> = {
  'chat.postMessage': post,
  'chat.update': update,
  'chat.delete': remove,
  'chat.postEphemeral': postEphemeral,
  'chat.getPermalink': getPermalink,
};
