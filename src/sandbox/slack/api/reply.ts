/** The app's message in a response URL or in the acknowledgement of a command. */
import { z } from 'zod';
import { checkMessageBlocks, type Refusal } from '../shapes/block-check.ts';
import type { Sandbox } from '../context.ts';
import { postMessage, removeMessage, updateMessage } from '../model/messages.ts';
import type { ResponseTarget } from '../model/tickets.ts';
import type { Block, Channel, Message } from '../model/workspace.ts';

const replySchema = z.looseObject({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: z.boolean().optional(),
  delete_original: z.boolean().optional(),
  thread_ts: z.string().optional(),
});
type Reply = z.output<typeof replySchema>;

/** Carries out a reply. Returns the refusal if Slack would refuse it. */
export function applyReply(sandbox: Sandbox, target: ResponseTarget, body: unknown): Refusal | undefined {
  const parsed = replySchema.safeParse(body);
  if (!parsed.success) return { code: 'invalid_payload', messages: [] };
  const reply = parsed.data;
  const channel = sandbox.workspace.channels.get(target.channelId);
  if (!channel) return { code: 'channel_not_found', messages: [] };
  const original = target.originalTs === null ? undefined : sandbox.workspace.findMessage(channel, target.originalTs);
  if (reply.delete_original) {
    if (original) removeMessage(sandbox, channel, original);
    return undefined;
  }
  const blocks = readBlocks(sandbox, reply);
  if ('refusal' in blocks) return blocks.refusal;
  if (!reply.text && blocks.value.length === 0) return { code: 'no_text', messages: [] };
  say(sandbox, { target, reply, channel, original, blocks: blocks.value });
  return undefined;
}

function readBlocks(sandbox: Sandbox, { blocks }: Reply): { value: Block[] } | { refusal: Refusal } {
  if (blocks === undefined) return { value: [] };
  return checkMessageBlocks(sandbox, blocks, { hasBudget: false });
}

interface ReplyDetails {
  target: ResponseTarget;
  reply: Reply;
  channel: Channel;
  original: Message | undefined;
  blocks: Block[];
}

function say(sandbox: Sandbox, { target, reply, channel, original, blocks }: ReplyDetails): void {
  const content = { text: reply.text ?? '', blocks };
  // After a click Slack replaces the clicked message unless `replace_original` is false.
  if (original && reply.replace_original !== false) {
    updateMessage(sandbox, channel, original, content);
    return;
  }
  const isPublic = reply.response_type === 'in_channel';
  postMessage(sandbox, channel, {
    author: sandbox.workspace.app.botUserId,
    ...content,
    // An ephemeral answer goes to the thread of the clicked message; a public one names its own thread.
    threadTs: reply.thread_ts ?? (isPublic ? null : target.threadTs),
    visibleTo: isPublic ? null : target.person,
  });
}
