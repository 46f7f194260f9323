import { z } from 'zod';
import { MINUTE_MS } from '../../base/time/durations.ts';

/** Slack’s own ids have a few dozen characters. */
const id = z.string().max(200);
const timestamp = z.string().regex(/^\d{1,12}\.\d{1,9}$/);

/** `message.im` and `app_mention`: https://docs.slack.dev/reference/events */
export const directedEvent = z.object({
  type: z.enum(['message', 'app_mention']),
  channel: id,
  channel_type: id.optional(),
  user: id.optional(),
  text: z.string().default(''),
  ts: timestamp.optional(),
  thread_ts: timestamp.optional(),
  subtype: id.optional(),
  bot_id: id.optional(),
  edited: z.unknown().optional(),
});

export type DirectedEvent = z.infer<typeof directedEvent>;

/** A message that a person wrote to the bot. */
export interface DirectedMessage {
  slackId: string;
  channel: string;
  /** In the direct messages with the bot; else it mentions the bot in a channel. */
  isDirect: boolean;
  /** In Slack’s mrkdwn, without the mention of the bot. */
  text: string;
  ts: string;
  threadTs: string | undefined;
}

/** A message with a file, and one that was also sent to the channel, are new messages; other subtypes are not. */
const NEW_MESSAGES = new Set(['file_share', 'thread_broadcast']);
/** A question that waited longer has found another answer. */
const MAX_AGE_MS = 5 * MINUTE_MS;

/** Undefined for messages that need no answer: of bots, edited or old. Pure. @param botUserId how people mention it */
export function readDirectedMessage(event: DirectedEvent, botUserId: string, now: Date): DirectedMessage | undefined {
  const { type, channel, user, text, ts, thread_ts: threadTs, subtype, bot_id: botId, edited } = event;
  const isDirect = type === 'message' && event.channel_type === 'im';
  if (type === 'message' && !isDirect) return undefined;
  if (user === undefined || ts === undefined || user === botUserId || botId !== undefined) return undefined;
  if (edited !== undefined || (subtype !== undefined && !NEW_MESSAGES.has(subtype))) return undefined;
  if (now.getTime() - Number(ts) * 1000 > MAX_AGE_MS) return undefined;
  return { slackId: user, channel, isDirect, text: text.replaceAll(`<@${botUserId}>`, ' ').trim(), ts, threadTs };
}
