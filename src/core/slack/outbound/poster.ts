import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { withDeadline, type Deadline } from '../../base/time/deadline.ts';
import type { Logger } from '../../base/log.ts';
import type {
  MessagePlace,
  OpenOutcome,
  OutgoingMessage,
  Poster,
  PostOutcome,
  SearchOutcome,
} from '../../outbox/poster.ts';
import type { Channels } from './channels/channels.ts';
import { type ChartSupport, clipForEdit, sendFullestForm } from './safe-message.ts';
import { DELIVERY_EVENT_TYPE, findDelivery, joinChannel } from './delivery-search.ts';
import { mrkdwnOf } from '../../base/text/markup.ts';
import { readSlackFault, refusalSentence } from '../client/errors.ts';
import { isContentRefusal, isFinalRefusal } from '../client/refusal-codes.ts';

const NOT_SENT_DELAY_MS = 15_000;
const EDIT_AGAIN_MS = 30_000;

const postedSchema = z.looseObject({ ts: z.string(), channel: z.string().optional() });

interface PosterDeps {
  posting: WebClient;
  lookups: WebClient;
  /** A message of another user with our key is not ours. */
  botUserId: string;
  charts: ChartSupport;
  /** The readers of a channel may change between the enqueueing and the post of a message. */
  channels: Pick<Channels, 'checkReaders'>;
  log: Logger;
}

/** Uses a client that never retries, and finds messages again by their key. */
export function createPoster(deps: PosterDeps): Poster {
  return {
    open: async (channel) => {
      const target = await openTarget(deps.lookups, channel);
      if (target.kind !== 'open') return target;
      return (await refusalOfReaders(deps, target.channel)) ?? target;
    },
    post: (channel, key, message, deadline) => postInto(deps, { channel, key, deadline }, message),
    find: async ({ channel, thread }, key, oldest) => {
      const target = await openTarget(deps.lookups, thread?.channel ?? channel);
      if (target.kind !== 'open') return unopened(target);
      return findDelivery(deps, { channel: target.channel, threadTs: thread?.ts }, key, oldest);
    },
    edit: async (place, message, deadline) => {
      const refusal = await refusalOfReaders(deps, place.channel);
      if (refusal) return refusal;
      return sendFullestForm(message, deps, async (form) => {
        const outcome = await editOnce(deps.posting, place, form, deadline);
        return { areBlocksRefused: isBlockRefusal(outcome), outcome };
      });
    },
    remove: ({ channel, ts }) =>
      deps.lookups.chat.delete({ channel, ts }).then(
        () => true,
        () => false,
      ),
  };
}

/** Unless Slack refused, the conversation can be opened later. */
function unopened(target: Exclude<OpenOutcome, { kind: 'open' }>): Extract<SearchOutcome, { kind: 'unreadable' }> {
  const isClosed = target.kind === 'refused';
  return { kind: 'unreadable', reason: target.reason, isClosed, isAway: !isClosed };
}

/** Refuses to post if other organizations read the channel, or if its readers are unknown. */
async function refusalOfReaders(
  { channels }: PosterDeps,
  channel: string,
): Promise<Extract<PostOutcome, { kind: 'later' | 'refused' }> | undefined> {
  const verdict = await channels.checkReaders(channel);
  switch (verdict.kind) {
    case 'allowed':
      return undefined;
    case 'refused':
      return { kind: 'refused', code: verdict.code, reason: verdict.sentence };
    case 'later': {
      const { sentence: reason, ...later } = verdict;
      return { ...later, reason };
    }
    default:
      return verdict satisfies never;
  }
}

/** The id of a direct conversation differs from the person's; chat.update and history need it. */
async function openTarget(lookups: WebClient, channel: string): Promise<OpenOutcome> {
  if (!/^[UW]/.test(channel)) return { kind: 'open', channel };
  try {
    const opened = await lookups.conversations.open({ users: channel });
    return { kind: 'open', channel: opened.channel?.id ?? channel };
  } catch (error) {
    const fault = readSlackFault(error);
    if (fault.kind === 'refused') return refusalOutcome(fault.code);
    if (fault.kind === 'rate_limited') return { kind: 'later', askedMs: fault.askedMs, reason: 'Slack asked to wait' };
    // Opening a conversation twice does no harm, so an unknown outcome can be retried.
    return { kind: 'later', delayMs: NOT_SENT_DELAY_MS, reason: fault.detail };
  }
}

function refusalOutcome(code: string): Extract<PostOutcome, { kind: 'later' | 'refused' }> {
  const reason = refusalSentence(code);
  return isFinalRefusal(code) ? { kind: 'refused', code, reason } : { kind: 'later', reason };
}

interface Post {
  channel: string;
  key: string;
  /** Checked when the request is sent, because each form of the message is a separate request. */
  deadline: Deadline | undefined;
}

/** Posts again after a refusal that was fixed, which is safe: a refused message was not posted. */
async function postInto(deps: PosterDeps, post: Post, message: OutgoingMessage): Promise<PostOutcome> {
  const { channel, key } = post;
  return sendFullestForm(message, deps, async (form) => {
    let outcome = await postOnce(deps.posting, post, form);
    if (outcome.kind === 'refused' && outcome.code === 'not_in_channel' && (await joinChannel(deps.lookups, channel))) {
      outcome = await postOnce(deps.posting, post, form);
    }
    if (outcome.kind === 'refused') deps.log.warn({ key, channel, ...outcome }, 'Slack refused a message');
    return { areBlocksRefused: isBlockRefusal(outcome), outcome };
  });
}

const isBlockRefusal = (outcome: PostOutcome): boolean => outcome.kind === 'refused' && isContentRefusal(outcome.code);

async function editOnce(
  posting: WebClient,
  { channel, ts }: MessagePlace,
  message: OutgoingMessage,
  deadline: Deadline | undefined,
): Promise<Exclude<PostOutcome, { kind: 'unknown' }>> {
  const edited = {
    channel,
    ts,
    text: clipForEdit(mrkdwnOf(message.text)),
    // If this member were missing, the old blocks would stay.
    blocks: message.blocks ?? [],
  };
  try {
    await withDeadline(deadline, () => posting.apiCall('chat.update', edited));
    return { kind: 'posted', channel, ts };
  } catch (error) {
    const outcome = outcomeOfFault(error);
    return outcome.kind === 'unknown' ? { kind: 'later', delayMs: EDIT_AGAIN_MS, reason: outcome.reason } : outcome;
  }
}

async function postOnce(
  posting: WebClient,
  { channel, key, deadline }: Post,
  message: OutgoingMessage,
): Promise<PostOutcome> {
  const request = {
    channel,
    text: mrkdwnOf(message.text),
    ...(message.blocks ? { blocks: message.blocks } : {}),
    ...(message.replyTo ? { thread_ts: message.replyTo.ts } : {}),
    metadata: { event_type: DELIVERY_EVENT_TYPE, event_payload: { key } },
    unfurl_links: false,
    unfurl_media: false,
  };
  try {
    const response = await withDeadline(deadline, () => posting.apiCall('chat.postMessage', request));
    const answer = postedSchema.safeParse(response);
    if (!answer.success) return { kind: 'unknown', reason: 'Slack’s answer names no message' };
    return { kind: 'posted', channel: answer.data.channel ?? channel, ts: answer.data.ts };
  } catch (error) {
    return outcomeOfFault(error);
  }
}

function outcomeOfFault(error: unknown): Exclude<PostOutcome, { kind: 'posted' }> {
  const fault = readSlackFault(error);
  if (fault.kind === 'rate_limited')
    return { kind: 'later', askedMs: fault.askedMs, reason: 'Slack asked to wait', isForChannel: true };
  if (fault.kind === 'not_sent') return { kind: 'later', delayMs: NOT_SENT_DELAY_MS, reason: fault.detail };
  if (fault.kind === 'unknown') return { kind: 'unknown', reason: fault.detail };
  const outcome = refusalOutcome(fault.code);
  return fault.messages.length > 0 ? { ...outcome, reason: `${outcome.reason} ${fault.messages.join('; ')}` } : outcome;
}
