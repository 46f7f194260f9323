import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../base/time/clock.ts';
import { createCache } from '../../base/cache.ts';
import { findChannelByName } from './channel-list.ts';
import { sharingOf, sharedSentence } from './channel-sharing.ts';
import { pagesOf } from '../connection/pages.ts';
import { readSlackFault, refusalSentence } from '../connection/errors.ts';
import { SHARED_CHANNEL, verdictOfRefusal } from '../connection/refusal-codes.ts';

export type ChannelEntry =
  | { kind: 'joined'; channel: string }
  /** `needsInvite`: it is private, or does not exist; the two cannot be told apart from outside. */
  | { kind: 'refused'; sentence: string; needsInvite: boolean };

/** Whether something may be posted in a channel, as far as its readers go. */
export type ChannelVerdict =
  | { kind: 'allowed' }
  | { kind: 'refused'; code: string; sentence: string }
  /** Slack could not be asked. Without `delayMs`, the pauses grow. */
  | { kind: 'later'; delayMs?: number; sentence: string };

/** Where the bot posts: it enters channels, and asks who reads along before anything is posted. */
export interface Channels {
  /**
   * Makes sure that the bot is in a channel that it is going to post to: it joins public ones by itself; private ones need an
   * `/invite`. Ids of people and of direct messages are refused: only a person's own identity yields those.
   *
   * @param reference a channel id, or a name with or without `#`
   * @param asker who wants it; into a private channel only its members have something posted. Missing: the settings.
   * @returns the channel's id, or one sentence that says what to do
   */
  join(reference: string, asker?: string): Promise<ChannelEntry>;
  /** The id of a channel that is named in a command; it is not entered. */
  find(reference: string): Promise<string | undefined>;
  /** The name of a channel that the bot is in already and may post to; it joins none for this. */
  openName(channel: string): Promise<string | undefined>;
  /** Asked before each post; Slack is asked once in five minutes. */
  judge(channel: string): Promise<ChannelVerdict>;
}

const MEMBERS_PAGE = 1_000;
/**
 * A channel may be shared at any time. Asked for each of 50 channels in one minute, conversations.info would pass its limit of
 * 50 calls a minute.
 */
const VERDICT_LIFE_MS = 5 * 60_000;
const ASK_AGAIN_MS = 15_000;

const NOT_A_MEMBER = 'You’re not in this private channel. Only its members can post there through Quartermaster.';

interface ChannelDeps {
  lookups: WebClient;
  clock: Clock;
  /** The operator lets channels that others share get figures. */
  allowShared: boolean;
}

export function createChannels(deps: ChannelDeps): Channels {
  const { lookups, clock, allowShared } = deps;
  const verdicts = createCache(clock, VERDICT_LIFE_MS, (channel) => askWhoReads(lookups, channel));
  return {
    join: async (reference, asker) => {
      try {
        if (isConversationOfPeople(reference)) return NOT_A_CHANNEL;
        const channel = await idOf(lookups, reference);
        if (channel === undefined) return noSuchChannel(reference);
        return await joinAs(deps, channel, asker);
      } catch (error) {
        const fault = readSlackFault(error);
        if (fault.kind === 'refused') return refusedBy(fault.code);
        return { kind: 'refused', sentence: 'Slack could not be asked about the channel.', needsInvite: false };
      }
    },
    find: (reference) => idOf(lookups, reference).catch(() => undefined),
    openName: (channel) => openName(deps, channel).catch(() => undefined),
    judge: async (channel) => {
      if (allowShared || !isChannel(channel)) return { kind: 'allowed' };
      try {
        return await verdicts.get(channel);
      } catch (error) {
        return verdictOfFault(error);
      }
    },
  };
}

const isConversationOfPeople = (reference: string) => /^[UWD][A-Z0-9]{2,}$/.test(reference);
const NOT_A_CHANNEL: ChannelEntry = {
  kind: 'refused',
  sentence: 'This is a person, not a channel. Nobody can set up messages for somebody else.',
  needsInvite: false,
};
const isChannel = (reference: string) => /^[CG][A-Z0-9]{2,}$/.test(reference);

async function idOf(lookups: WebClient, reference: string): Promise<string | undefined> {
  if (isChannel(reference)) return reference;
  return (await findChannelByName(lookups, reference.replace(/^#/, '')))?.id;
}

function noSuchChannel(reference: string): ChannelEntry {
  return {
    kind: 'refused',
    needsInvite: true,
    sentence: `There is no public channel ${reference}. For a private one, use its id, and type /invite @Quartermaster there.`,
  };
}

async function askWhoReads(lookups: WebClient, channel: string): Promise<ChannelVerdict> {
  const { channel: info } = await lookups.conversations.info({ channel });
  const sharing = sharingOf(info ?? {});
  if (sharing === 'none') return { kind: 'allowed' };
  return { kind: 'refused', code: SHARED_CHANNEL, sentence: sharedSentence(sharing) };
}

/** A channel whose readers are unknown gets nothing. A code that is final here would be final for the post as well. */
function verdictOfFault(error: unknown): ChannelVerdict {
  const fault = readSlackFault(error);
  if (fault.kind === 'rate_limited')
    return { kind: 'later', delayMs: fault.retryAfterMs, sentence: 'Slack asked to wait' };
  if (fault.kind !== 'refused') return { kind: 'later', delayMs: ASK_AGAIN_MS, sentence: fault.detail };
  const sentence = refusalSentence(fault.code);
  const verdict = verdictOfRefusal(fault.code);
  return verdict.kind === 'final' ? { kind: 'refused', code: fault.code, sentence } : { ...verdict, sentence };
}

function refusedBy(code: string): ChannelEntry {
  const needsInvite = code === 'channel_not_found' || code === 'not_in_channel';
  return { kind: 'refused', sentence: refusalSentence(code), needsInvite };
}

async function joinAs(
  { lookups, allowShared }: ChannelDeps,
  channel: string,
  asker: string | undefined,
): Promise<ChannelEntry> {
  const { channel: info } = await lookups.conversations.info({ channel });
  if (info?.is_archived) return refusedBy('is_archived');
  const sharing = sharingOf(info ?? {});
  if (sharing !== 'none' && !allowShared)
    return { kind: 'refused', sentence: sharedSentence(sharing), needsInvite: false };
  // Nobody joins a private channel by themselves; Slack would refuse it.
  if (info?.is_private && !info.is_member) return refusedBy('not_in_channel');
  if (info?.is_private && asker !== undefined && !(await isMember(lookups, channel, asker)))
    return { kind: 'refused', sentence: NOT_A_MEMBER, needsInvite: false };
  if (!info?.is_member) await lookups.conversations.join({ channel });
  return { kind: 'joined', channel };
}

async function openName({ lookups, allowShared }: ChannelDeps, channel: string): Promise<string | undefined> {
  if (!isChannel(channel)) return undefined;
  const { channel: info } = await lookups.conversations.info({ channel });
  const isOpen = info?.is_member && !info.is_archived && (allowShared || sharingOf(info) === 'none');
  return isOpen ? info.name : undefined;
}

async function isMember(lookups: WebClient, channel: string, person: string): Promise<boolean> {
  const wanted = { channel, limit: MEMBERS_PAGE };
  for await (const { members } of pagesOf((from) => lookups.conversations.members({ ...wanted, ...from })))
    if (members?.includes(person)) return true;
  return false;
}
