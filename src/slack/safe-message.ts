import type { Logger } from '../log.ts';
import type { OutgoingMessage } from '../outbox/poster.ts';
import { checkBlocks } from './block-rules/index.ts';

/** chat.postMessage cuts longer texts; chat.update refuses more than 4,000 bytes. */
const LONGEST_TEXT = 3_900;

/** The message as text alone: what the blocks say, without their form. */
export function withoutBlocks(message: OutgoingMessage): OutgoingMessage {
  return { text: clipText(message.text) };
}

/** The message without its charts. Each chart has its numbers beside it, so nothing is lost. */
export function withoutCharts(message: OutgoingMessage): OutgoingMessage {
  if (!message.blocks) return message;
  return {
    text: clipText(message.text),
    blocks: message.blocks.filter((block) => !('type' in block && block.type === 'data_visualization')),
  };
}

/**
 * The message, if Slack will take its blocks; else its text alone. One broken rule would lose the whole message, so it is
 * checked here, and every broken rule goes to the log.
 */
export function withSafeBlocks(message: OutgoingMessage, log: Logger): OutgoingMessage {
  if (!message.blocks) return withoutBlocks(message);
  const violations = checkBlocks(message.blocks, 'message');
  if (violations.length === 0) return { ...message, text: clipText(message.text) };
  log.error({ violations }, 'A message breaks Slack’s rules and is sent as text');
  return withoutBlocks(message);
}

function clipText(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`;
}
