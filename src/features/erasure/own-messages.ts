import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../core/base/time/clock.ts';
import { listDirectChannels } from '../../core/outbox/past-deliveries.ts';
import type { Logger } from '../../core/base/log.ts';
import { readSlackFault } from '../../core/slack/client/errors.ts';
import { pagesOf } from '../../core/slack/client/slack-pages.ts';
import { retryAfterRateLimits as repeat } from '../../core/slack/client/retry-after-rate-limits.ts';
import type { Database } from '../../core/store/tables.ts';

export interface OwnMessagesDeps {
  db: Database;
  lookups: WebClient;
  posting: WebClient;
  botUserId: string;
  clock: Clock;
  log: Logger;
  /** Aborts the work: reading all messages may take long if Slack asks to wait. */
  signal?: AbortSignal | undefined;
}

export interface ErasedMessages {
  edited: number;
  deleted: number;
  /** Files that the bot uploaded, which stay unchanged. */
  files: number;
  /** Channels that Slack did not show, and messages that Slack did not let the bot change. */
  unreachable: number;
}

const PAGE = 200;
/** Direct messages would need a further scope; the bot's own are in its store. */
const CHANNEL_TYPES = 'public_channel,private_channel';

const channelSchema = z.object({ id: z.string() });
const messageSchema = z.looseObject({
  ts: z.string(),
  user: z.string().optional(),
  text: z.string().default(''),
  blocks: z.array(z.looseObject({})).optional(),
  files: z.array(z.unknown()).optional(),
  reply_count: z.number().optional(),
});
type Message = z.infer<typeof messageSchema>;

/**
 * Goes through all of the bot's messages that still exist and puts pseudonyms in place of a person. Messages to that person
 * alone are deleted. Repeating it changes nothing. Ephemeral messages to others disappear by themselves.
 */
export async function eraseOwnMessages(
  deps: OwnMessagesDeps,
  slackIds: readonly string[],
  replace: (text: string) => string,
): Promise<ErasedMessages> {
  const done: ErasedMessages = { edited: 0, deleted: 0, files: 0, unreachable: 0 };
  const theirs = new Set(await directChannelsOf(deps, slackIds));
  for (const channel of new Set([...(await channelsOf(deps)), ...(await listDirectChannels(deps.db)), ...theirs])) {
    try {
      for await (const message of eachOwnMessage(deps, channel)) {
        await eraseMessage(deps, { channel, message, isTheirs: theirs.has(channel) }, replace, done);
      }
    } catch (error) {
      const fault = readSlackFault(error);
      if (fault.kind !== 'refused') throw error;
      deps.log.warn({ channel, code: fault.code }, 'Reading a channel with messages to erase failed');
      done.unreachable += 1;
    }
  }
  return done;
}

function repeatUnlessStopped<Answer>({ clock, signal }: OwnMessagesDeps, ask: () => Promise<Answer>): Promise<Answer> {
  signal?.throwIfAborted();
  return repeat(clock, ask, () => {}, signal);
}

async function channelsOf(deps: OwnMessagesDeps): Promise<string[]> {
  const channelIds: string[] = [];
  const query = { types: CHANNEL_TYPES, limit: PAGE };
  const pages = pagesOf((from) =>
    repeatUnlessStopped(deps, () => deps.lookups.users.conversations({ ...query, ...from })),
  );
  for await (const { channels = [] } of pages)
    channelIds.push(...channels.flatMap((channel) => channelSchema.safeParse(channel).data?.id ?? []));
  return channelIds;
}

async function directChannelsOf(deps: OwnMessagesDeps, slackIds: readonly string[]): Promise<string[]> {
  const channelIds: string[] = [];
  for (const users of slackIds) {
    try {
      const { channel } = await repeatUnlessStopped(deps, () => deps.lookups.conversations.open({ users }));
      channelIds.push(...(channel?.id ? [channel.id] : []));
    } catch (error) {
      // A direct message to a person who has left is visible to no one else.
      if (readSlackFault(error).kind !== 'refused') throw error;
    }
  }
  return channelIds;
}

async function* eachOwnMessage(deps: OwnMessagesDeps, channel: string): AsyncGenerator<Message> {
  for await (const message of eachMessage(deps, channel, undefined)) {
    if (message.user === deps.botUserId) yield message;
    if (!message.reply_count) continue;
    for await (const reply of eachMessage(deps, channel, message.ts))
      if (reply.ts !== message.ts && reply.user === deps.botUserId) yield reply;
  }
}

async function* eachMessage(
  deps: OwnMessagesDeps,
  channel: string,
  thread: string | undefined,
): AsyncGenerator<Message> {
  const pages = pagesOf((from) => {
    const query = { channel, limit: PAGE, ...from };
    return repeatUnlessStopped(deps, () =>
      thread === undefined
        ? deps.lookups.conversations.history(query)
        : deps.lookups.conversations.replies({ ...query, ts: thread }),
    );
  });
  for await (const { messages = [] } of pages) {
    yield* messages.flatMap((message) => messageSchema.safeParse(message).data ?? []);
  }
}

interface OwnMessage {
  channel: string;
  message: Message;
  isTheirs: boolean;
}

async function eraseMessage(
  deps: OwnMessagesDeps,
  { channel, message, isTheirs }: OwnMessage,
  replace: (text: string) => string,
  done: ErasedMessages,
): Promise<void> {
  const { posting, log } = deps;
  const { ts, text, blocks, files } = message;
  if (isTheirs) {
    await repeatUnlessStopped(deps, () => posting.chat.delete({ channel, ts }));
    done.deleted += 1;
    return;
  }
  if (files && files.length > 0) done.files += files.length;
  const before = JSON.stringify({ text, blocks });
  const after = replace(before);
  if (after === before) return;
  const edited = editedSchema.parse(JSON.parse(after));
  try {
    await repeatUnlessStopped(deps, () => posting.chat.update({ channel, ts, ...edited }));
    done.edited += 1;
  } catch (error) {
    const fault = readSlackFault(error);
    if (fault.kind !== 'refused') throw error;
    log.warn({ channel, ts, code: fault.code }, 'Erasing a person from a message failed in Slack');
    done.unreachable += 1;
  }
}

const editedSchema = z.object({ text: z.string(), blocks: z.array(z.looseObject({})).optional() });
