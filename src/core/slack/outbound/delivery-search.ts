import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { SearchOutcome } from '../../outbox/poster.ts';
import { readSlackFault, refusalSentence } from '../client/errors.ts';
import { isTargetRefusal } from '../client/refusal-codes.ts';

/** The payload is `{ key }`. */
export const DELIVERY_EVENT_TYPE = 'quartermaster_delivery';

const HISTORY_PAGE = 200;
/** If a channel has more messages than this since the post, it is not searched to its end. */
const MAX_HISTORY_PAGES = 50;
/** The largest expected difference between the clocks of Slack and of this machine. */
const CLOCK_DIFFERENCE_MS = 10 * 60_000;

const deliveryMessageSchema = z.looseObject({
  user: z.string().optional(),
  metadata: z.looseObject({
    event_type: z.literal(DELIVERY_EVENT_TYPE),
    event_payload: z.looseObject({ key: z.string() }),
  }),
});

export async function findDelivery(
  deps: {
    lookups: WebClient;
    /** A message of another user with our key is not ours. */
    botUserId: string;
  },
  place: { channel: string; threadTs: string | undefined },
  key: string,
  oldest: Date,
): Promise<SearchOutcome> {
  const oldestTs = String((oldest.getTime() - CLOCK_DIFFERENCE_MS) / 1000);
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAX_HISTORY_PAGES; page += 1) {
      const history = await readPage(deps.lookups, place, { oldest: oldestTs, ...(cursor ? { cursor } : {}) });
      const own = history.messages?.filter((message) => isOurs(message, key, deps.botUserId)) ?? [];
      const [ts, ...others] = own.flatMap((message) => message.ts ?? []);
      if (ts !== undefined) return { kind: 'found', channel: place.channel, ts, others };
      const next = history.response_metadata?.next_cursor;
      if (!next) return { kind: 'absent' };
      if (next === cursor) return { kind: 'unreadable', reason: 'Slack’s history repeats itself' };
      cursor = next;
    }
    const most = HISTORY_PAGE * MAX_HISTORY_PAGES;
    return { kind: 'unreadable', reason: `The channel holds over ${most} newer messages` };
  } catch (error) {
    return unreadable(error);
  }
}

/** Other channels need an /invite. */
export async function joinChannel(lookups: WebClient, channel: string): Promise<boolean> {
  return lookups.conversations.join({ channel }).then(
    () => true,
    () => false,
  );
}

/** Joins the channel if the bot is not in it, because only members see its messages. */
async function readPage(
  lookups: WebClient,
  place: { channel: string; threadTs: string | undefined },
  from: { oldest: string; cursor?: string },
) {
  try {
    return await readOnce(lookups, place, from);
  } catch (error) {
    const fault = readSlackFault(error);
    const isOutside = fault.kind === 'refused' && fault.code === 'not_in_channel';
    if (!isOutside || !(await joinChannel(lookups, place.channel))) throw error;
    return readOnce(lookups, place, from);
  }
}

function readOnce(
  lookups: WebClient,
  { channel, threadTs }: { channel: string; threadTs: string | undefined },
  from: { oldest: string; cursor?: string },
) {
  const query = { channel, inclusive: true, include_all_metadata: true, limit: HISTORY_PAGE, ...from };
  return threadTs === undefined
    ? lookups.conversations.history(query)
    : lookups.conversations.replies({ ...query, ts: threadTs });
}

function unreadable(error: unknown): SearchOutcome {
  const fault = readSlackFault(error);
  if (fault.kind === 'rate_limited') {
    return { kind: 'unreadable', reason: 'Slack asked to wait', askedMs: fault.askedMs };
  }
  // The first message of the thread is gone, and so is the thread.
  if (fault.kind === 'refused' && fault.code === 'thread_not_found') return { kind: 'absent' };
  if (fault.kind !== 'refused') return { kind: 'unreadable', reason: fault.detail, isAway: true };
  return { kind: 'unreadable', reason: refusalSentence(fault.code), isClosed: isTargetRefusal(fault.code) };
}

function isOurs(message: object, key: string, botUserId: string): boolean {
  const { data } = deliveryMessageSchema.safeParse(message);
  return data?.metadata.event_payload.key === key && (data.user ?? botUserId) === botUserId;
}
