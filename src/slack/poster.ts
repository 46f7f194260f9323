import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import type { OutgoingMessage, Poster, PostOutcome, SearchOutcome } from '../outbox/poster.ts';
import { withSafeBlocks, withoutBlocks, withoutCharts } from './safe-message.ts';
import { isInstallationFault, readSlackFault, refusalSentence } from './slack-errors.ts';

/** The `event_type` of every message from the outbox; its payload is `{ key }`. */
const DELIVERY_EVENT_TYPE = 'quartermaster_delivery';

const HISTORY_PAGE = 200;
/** A channel with more messages than this since the post was tried is not searched to its end. */
const MAXIMUM_HISTORY_PAGES = 50;
/** The clocks of Slack and of this machine may differ by this much. */
const CLOCK_DIFFERENCE_MS = 10 * 60_000;
const INSTALLATION_FAULT_DELAY_MS = 5 * 60_000;
const NOT_SENT_DELAY_MS = 15_000;

const postedSchema = z.looseObject({ ts: z.string(), channel: z.string().optional() });

const deliveryMessageSchema = z.looseObject({
  user: z.string().optional(),
  metadata: z.looseObject({
    event_type: z.literal(DELIVERY_EVENT_TYPE),
    event_payload: z.looseObject({ key: z.string() }),
  }),
});

/**
 * Posts the outbox's messages with a client that never retries, and finds them again by their key.
 *
 * @param botUserId who we are; a message with our key by somebody else is not ours
 */
export function createPoster(parts: {
  posting: WebClient;
  lookups: WebClient;
  botUserId: string;
  log: Logger;
}): Poster {
  return {
    post: async (channel, key, message) => {
      const target = await openTarget(parts.lookups, channel);
      if (target.kind !== 'open') return target;
      return postInto(parts, target.channel, key, message);
    },
    find: async (channel, key, oldest) => {
      const target = await openTarget(parts.lookups, channel);
      if (target.kind === 'open') return findIn(parts, target.channel, key, oldest);
      return { kind: 'unreadable', reason: target.reason };
    },
  };
}

/** A direct message is posted into its conversation, whose id is not the person's: chat.update and history need it. */
async function openTarget(
  lookups: WebClient,
  channel: string,
): Promise<{ kind: 'open'; channel: string } | Extract<PostOutcome, { kind: 'later' | 'refused' }>> {
  if (!/^[UW]/.test(channel)) return { kind: 'open', channel };
  try {
    const opened = await lookups.conversations.open({ users: channel });
    return { kind: 'open', channel: opened.channel?.id ?? channel };
  } catch (error) {
    const fault = readSlackFault(error);
    if (fault.kind === 'refused') return refusalOutcome(fault.code);
    if (fault.kind === 'rate_limited')
      return { kind: 'later', delayMs: fault.retryAfterMs, reason: 'Slack asked to wait' };
    // Opening a conversation twice does no harm, so an unknown outcome here leaves nothing in doubt.
    return { kind: 'later', delayMs: NOT_SENT_DELAY_MS, reason: fault.detail };
  }
}

function refusalOutcome(code: string): Extract<PostOutcome, { kind: 'later' | 'refused' }> {
  const reason = refusalSentence(code);
  if (isInstallationFault(code)) return { kind: 'later', delayMs: INSTALLATION_FAULT_DELAY_MS, reason };
  return { kind: 'refused', code, reason };
}

/**
 * Posts, and after a certain refusal that can be mended tries the next simpler form: without charts (a workspace that does
 * not know them yet), then as text alone. Repeating is safe here: a refused message was not posted.
 */
async function postInto(
  parts: { posting: WebClient; lookups: WebClient; log: Logger },
  channel: string,
  key: string,
  message: OutgoingMessage,
): Promise<PostOutcome> {
  const full = withSafeBlocks(message, parts.log);
  const forms = full.blocks ? [full, withoutCharts(message), withoutBlocks(message)] : [full];
  let outcome: PostOutcome = { kind: 'refused', code: 'no_text', reason: refusalSentence('no_text') };
  for (const form of forms) {
    outcome = await postOnce(parts.posting, channel, key, form);
    if (outcome.kind === 'refused' && outcome.code === 'not_in_channel' && (await join(parts.lookups, channel))) {
      outcome = await postOnce(parts.posting, channel, key, form);
    }
    if (outcome.kind !== 'refused' || !BLOCK_REFUSALS.has(outcome.code)) return outcome;
    parts.log.error(
      { key, channel, code: outcome.code, reason: outcome.reason },
      'Slack refused the blocks of a message',
    );
  }
  return outcome;
}

const BLOCK_REFUSALS = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long']);

async function postOnce(
  posting: WebClient,
  channel: string,
  key: string,
  message: OutgoingMessage,
): Promise<PostOutcome> {
  try {
    const posted = await posting.apiCall('chat.postMessage', {
      channel,
      text: message.text,
      ...(message.blocks ? { blocks: message.blocks } : {}),
      metadata: { event_type: DELIVERY_EVENT_TYPE, event_payload: { key } },
      unfurl_links: false,
      unfurl_media: false,
    });
    const answer = postedSchema.safeParse(posted);
    if (!answer.success) return { kind: 'unknown', reason: 'Slack’s answer names no message' };
    return { kind: 'posted', channel: answer.data.channel ?? channel, ts: answer.data.ts };
  } catch (error) {
    const fault = readSlackFault(error);
    if (fault.kind === 'rate_limited')
      return { kind: 'later', delayMs: fault.retryAfterMs, reason: 'Slack asked to wait' };
    if (fault.kind === 'not_sent') return { kind: 'later', delayMs: NOT_SENT_DELAY_MS, reason: fault.detail };
    if (fault.kind === 'unknown') return { kind: 'unknown', reason: fault.detail };
    const outcome = refusalOutcome(fault.code);
    return fault.messages.length > 0
      ? { ...outcome, reason: `${outcome.reason} ${fault.messages.join('; ')}` }
      : outcome;
  }
}

/** The bot may join public channels by itself; anything else needs an /invite. */
async function join(lookups: WebClient, channel: string): Promise<boolean> {
  return lookups.conversations.join({ channel }).then(
    () => true,
    () => false,
  );
}

async function findIn(
  parts: { lookups: WebClient; botUserId: string },
  channel: string,
  key: string,
  oldest: Date,
): Promise<SearchOutcome> {
  const oldestTs = String((oldest.getTime() - CLOCK_DIFFERENCE_MS) / 1000);
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAXIMUM_HISTORY_PAGES; page += 1) {
      const history = await parts.lookups.conversations.history({
        channel,
        oldest: oldestTs,
        inclusive: true,
        include_all_metadata: true,
        limit: HISTORY_PAGE,
        ...(cursor ? { cursor } : {}),
      });
      const match = history.messages?.find((message) => isOurs(message, key, parts.botUserId));
      if (match?.ts) return { kind: 'found', channel, ts: match.ts };
      const next = history.response_metadata?.next_cursor;
      if (!next) return { kind: 'absent' };
      if (next === cursor) return { kind: 'unreadable', reason: 'Slack’s history repeats itself' };
      cursor = next;
    }
    return {
      kind: 'unreadable',
      reason: `The channel holds over ${HISTORY_PAGE * MAXIMUM_HISTORY_PAGES} newer messages`,
    };
  } catch (error) {
    const fault = readSlackFault(error);
    if (fault.kind === 'rate_limited') {
      return { kind: 'unreadable', reason: 'Slack asked to wait', retryAfterMs: fault.retryAfterMs };
    }
    return { kind: 'unreadable', reason: fault.kind === 'refused' ? refusalSentence(fault.code) : fault.detail };
  }
}

function isOurs(message: object, key: string, botUserId: string): boolean {
  const { data } = deliveryMessageSchema.safeParse(message);
  return data?.metadata.event_payload.key === key && (data.user ?? botUserId) === botUserId;
}
