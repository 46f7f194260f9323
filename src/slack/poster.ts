import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import type { MessagePlace, OutgoingMessage, Poster, PostOutcome } from '../outbox/poster.ts';
import type { Channels } from './channels.ts';
import type { ChartSupport } from './chart-support.ts';
import { DELIVERY_EVENT_TYPE, findDelivery } from './delivery-search.ts';
import { clipForEdit, sendFullestForm } from './safe-message.ts';
import { mrkdwnOf } from './text.ts';
import { isInstallationFault, readSlackFault, refusalSentence } from './slack-errors.ts';

const INSTALLATION_FAULT_DELAY_MS = 5 * 60_000;
const NOT_SENT_DELAY_MS = 15_000;
const EDIT_AGAIN_MS = 30_000;

const postedSchema = z.looseObject({ ts: z.string(), channel: z.string().optional() });

interface PosterParts {
  posting: WebClient;
  lookups: WebClient;
  /** Who we are; a message with our key by somebody else is not ours. */
  botUserId: string;
  charts: ChartSupport;
  /** Who reads a channel may change between the wish for a message and its post. */
  channels: Pick<Channels, 'judge'>;
  log: Logger;
}

/** Posts the outbox's messages with a client that never retries, and finds them again by their key. */
export function createPoster(parts: PosterParts): Poster {
  return {
    post: async (channel, key, message) => {
      const target = await openTarget(parts.lookups, message.replyTo?.channel ?? channel);
      if (target.kind !== 'open') return target;
      const refusal = await refusalOfReaders(parts, target.channel);
      if (refusal) return refusal;
      return postInto(parts, target.channel, key, message);
    },
    find: async ({ channel, thread }, key, oldest) => {
      const target = await openTarget(parts.lookups, thread?.channel ?? channel);
      if (target.kind === 'open')
        return findDelivery(parts, { channel: target.channel, threadTs: thread?.ts }, key, oldest);
      return { kind: 'unreadable', reason: target.reason };
    },
    edit: async (place, message) => {
      const refusal = await refusalOfReaders(parts, place.channel);
      if (refusal) return refusal;
      return sendFullestForm(message, parts, async (form) => {
        const outcome = await editOnce(parts.posting, place, form);
        return { areBlocksRefused: isBlockRefusal(outcome), outcome };
      });
    },
  };
}

/** Nothing is posted where people of other organizations read along, or where that is not known. */
async function refusalOfReaders(
  { channels }: PosterParts,
  channel: string,
): Promise<Extract<PostOutcome, { kind: 'later' | 'refused' }> | undefined> {
  const verdict = await channels.judge(channel);
  switch (verdict.kind) {
    case 'allowed':
      return undefined;
    case 'refused':
      return { kind: 'refused', code: verdict.code, reason: verdict.sentence };
    case 'later':
      return { kind: 'later', delayMs: verdict.delayMs, reason: verdict.sentence };
    default:
      return verdict satisfies never;
  }
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

/** Posts, and after a certain refusal that can be mended tries again, which is safe: a refused message was not posted. */
async function postInto(
  parts: PosterParts,
  channel: string,
  key: string,
  message: OutgoingMessage,
): Promise<PostOutcome> {
  return sendFullestForm(message, parts, async (form) => {
    let outcome = await postOnce(parts.posting, channel, key, form);
    if (outcome.kind === 'refused' && outcome.code === 'not_in_channel' && (await join(parts.lookups, channel))) {
      outcome = await postOnce(parts.posting, channel, key, form);
    }
    if (outcome.kind === 'refused') parts.log.warn({ key, channel, ...outcome }, 'Slack refused a message');
    return { areBlocksRefused: isBlockRefusal(outcome), outcome };
  });
}

const BLOCK_REFUSALS = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long']);

function isBlockRefusal(outcome: PostOutcome): boolean {
  return outcome.kind === 'refused' && BLOCK_REFUSALS.has(outcome.code);
}

async function editOnce(
  posting: WebClient,
  { channel, ts }: MessagePlace,
  message: OutgoingMessage,
): Promise<Exclude<PostOutcome, { kind: 'unknown' }>> {
  try {
    await posting.apiCall('chat.update', {
      channel,
      ts,
      text: clipForEdit(mrkdwnOf(message.text)),
      // Without the member the old blocks would stay.
      blocks: message.blocks ?? [],
    });
    return { kind: 'posted', channel, ts };
  } catch (error) {
    const outcome = outcomeOfFault(error);
    return outcome.kind === 'unknown' ? { kind: 'later', delayMs: EDIT_AGAIN_MS, reason: outcome.reason } : outcome;
  }
}

async function postOnce(
  posting: WebClient,
  channel: string,
  key: string,
  message: OutgoingMessage,
): Promise<PostOutcome> {
  try {
    const posted = await posting.apiCall('chat.postMessage', {
      channel,
      text: mrkdwnOf(message.text),
      ...(message.blocks ? { blocks: message.blocks } : {}),
      ...(message.replyTo ? { thread_ts: message.replyTo.ts } : {}),
      metadata: { event_type: DELIVERY_EVENT_TYPE, event_payload: { key } },
      unfurl_links: false,
      unfurl_media: false,
    });
    const answer = postedSchema.safeParse(posted);
    if (!answer.success) return { kind: 'unknown', reason: 'Slack’s answer names no message' };
    return { kind: 'posted', channel: answer.data.channel ?? channel, ts: answer.data.ts };
  } catch (error) {
    return outcomeOfFault(error);
  }
}

function outcomeOfFault(error: unknown): Exclude<PostOutcome, { kind: 'posted' }> {
  const fault = readSlackFault(error);
  if (fault.kind === 'rate_limited')
    return { kind: 'later', delayMs: fault.retryAfterMs, reason: 'Slack asked to wait' };
  if (fault.kind === 'not_sent') return { kind: 'later', delayMs: NOT_SENT_DELAY_MS, reason: fault.detail };
  if (fault.kind === 'unknown') return { kind: 'unknown', reason: fault.detail };
  const outcome = refusalOutcome(fault.code);
  return fault.messages.length > 0 ? { ...outcome, reason: `${outcome.reason} ${fault.messages.join('; ')}` } : outcome;
}

/** The bot may join public channels by itself; anything else needs an /invite. */
async function join(lookups: WebClient, channel: string): Promise<boolean> {
  return lookups.conversations.join({ channel }).then(
    () => true,
    () => false,
  );
}
