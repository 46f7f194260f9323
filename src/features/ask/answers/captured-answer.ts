import { mrkdwnOf, type Markup } from '../../../core/base/text/markup.ts';
import type { OutgoingMessage } from '../../../core/outbox/poster.ts';
import type { Reply } from '../../../core/slack/outbound/reply.ts';
import type { InWorkspaceNames } from '../../../core/slack/client/clients.ts';

/** An answer of a command, as it would leave for Slack. */
export interface CapturedMessage {
  /** Slack’s mrkdwn. */
  text: string;
  blocks: readonly object[];
}

/** Nothing is posted anywhere, so a question has no channel to share to. */
const share = () => Promise.reject(new Error('A question shares nothing'));

export function captureAnswer(inWorkspaceNames: InWorkspaceNames): { reply: Reply; messages: CapturedMessage[] } {
  const messages: CapturedMessage[] = [];
  const keep = ({ text, blocks = [] }: OutgoingMessage) => {
    messages.push(leaving({ text, blocks }, inWorkspaceNames));
    return Promise.resolve();
  };
  return { messages, reply: { progress: () => {}, end: () => {}, show: keep, add: keep, share } };
}

function leaving(
  { text, blocks }: { text: Markup; blocks: readonly object[] },
  inWorkspaceNames: InWorkspaceNames,
): CapturedMessage {
  const body = inWorkspaceNames({ text: mrkdwnOf(text), blocks: [...blocks] });
  return {
    text: String(body['text']),
    blocks: Array.isArray(body['blocks']) ? body['blocks'].filter((block) => typeof block === 'object' && block) : [],
  };
}
