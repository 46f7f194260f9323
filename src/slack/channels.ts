import type { WebClient } from '@slack/web-api';
import { readSlackFault, refusalSentence } from './slack-errors.ts';

export type ChannelEntry =
  | { kind: 'entered'; channel: string }
  /** `needsInvite`: it is private, or does not exist; the two cannot be told apart from outside. */
  | { kind: 'refused'; sentence: string; needsInvite: boolean };

const LIST_PAGE = 1_000;
/** conversations.list is slow in large workspaces; an id needs none of it. */
const MAXIMUM_LIST_PAGES = 20;

/**
 * Makes sure that the bot is in a channel that it is going to post to: it joins public ones by itself; private ones need an
 * `/invite`. A person's id stands for a direct message and needs nothing.
 *
 * @param reference a channel id, a name with or without `#`, or a user id
 * @returns the channel's id, or one sentence that says what to do
 */
export async function enterChannel(lookups: WebClient, reference: string): Promise<ChannelEntry> {
  try {
    if (/^[UWD][A-Z0-9]{2,}$/.test(reference)) return { kind: 'entered', channel: reference };
    const channel = /^[CG][A-Z0-9]{2,}$/.test(reference)
      ? reference
      : await findByName(lookups, reference.replace(/^#/, ''));
    if (channel === undefined) {
      return {
        kind: 'refused',
        needsInvite: true,
        sentence: `There is no public channel ${reference}. For a private one, set its id and type /invite @Quartermaster there.`,
      };
    }
    return await enter(lookups, channel);
  } catch (error) {
    const fault = readSlackFault(error);
    if (fault.kind === 'refused') return refusedBy(fault.code);
    return { kind: 'refused', sentence: 'Slack could not be asked about the channel.', needsInvite: false };
  }
}

function refusedBy(code: string): ChannelEntry {
  const needsInvite = code === 'channel_not_found' || code === 'not_in_channel';
  return { kind: 'refused', sentence: refusalSentence(code), needsInvite };
}

async function findByName(lookups: WebClient, name: string): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < MAXIMUM_LIST_PAGES; page += 1) {
    const answer = await lookups.conversations.list({
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: LIST_PAGE,
      ...(cursor ? { cursor } : {}),
    });
    const found = answer.channels?.find((channel) => channel.name === name);
    if (found?.id) return found.id;
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return undefined;
  }
  return undefined;
}

async function enter(lookups: WebClient, channel: string): Promise<ChannelEntry> {
  const { channel: info } = await lookups.conversations.info({ channel });
  if (info?.is_archived) return refusedBy('is_archived');
  if (info?.is_member) return { kind: 'entered', channel };
  // Nobody joins a private channel by themselves; Slack would refuse it.
  if (info?.is_private) return refusedBy('not_in_channel');
  await lookups.conversations.join({ channel });
  return { kind: 'entered', channel };
}
