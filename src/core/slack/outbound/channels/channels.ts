import type { WebClient } from '@slack/web-api';
import { RATE_LIMITED, waitAskedMs } from '../../../base/time/back-off.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { createCache } from '../../../base/cache.ts';
import { findChannelByName } from './channel-list.ts';
import { sharingOf, sharedSentence } from './channel-sharing.ts';
import { pagesOf } from '../../client/slack-pages.ts';
import { declinedScopeSentence } from '../../client/optional-scopes.ts';
import { readSlackFault, refusalSentence } from '../../client/errors.ts';
import { isFinalRefusal, SHARED_CHANNEL } from '../../client/refusal-codes.ts';

export type ChannelEntry =
  | { kind: 'joined'; channel: string }
  /** `needsInvite`: the channel is private or does not exist; the bot cannot distinguish the two. */
  | { kind: 'refused'; sentence: string; needsInvite: boolean };

export type ChannelVerdict =
  | { kind: 'allowed' }
  | { kind: 'refused'; code: string; sentence: string }
  /** Slack did not answer, or asked to wait. Without `delayMs`, the pauses grow. */
  | { kind: 'later'; delayMs?: number; askedMs?: number; sentence: string };

export interface Channels {
  /**
   * Joins public channels; private ones need an `/invite`. Ids of people and of direct messages are refused: only a
   * person's own identity gives those.
   *
   * @param reference a channel id, or a name with or without `#`
   * @param requester only members may ask for a private channel. Missing: the settings ask.
   */
  join(reference: string, requester?: string): Promise<ChannelEntry>;
  /** Does not join the channel. */
  find(reference: string): Promise<string | undefined>;
  /** Does not join the channel. The bot must be in it and may post to it. */
  nameIfPostable(channel: string): Promise<string | undefined>;
  /** For readers who may not be in the channel; undefined if it is private or unknown. */
  publicName(channel: string): Promise<string | undefined>;
  /** Runs before each post; Slack is asked once in five minutes. */
  checkReaders(channel: string): Promise<ChannelVerdict>;
}

const MEMBERS_PAGE = 1_000;
/** A channel may become shared at any time, but conversations.info answers only 50 calls a minute. */
const VERDICT_LIFE_MS = 5 * 60_000;
const NAME_LIFE_MS = 60 * 60_000;
const ASK_AGAIN_MS = 15_000;

const NOT_A_MEMBER = 'You’re not in this private channel. Only its members can post there through Quartermaster.';

interface ChannelDeps {
  lookups: WebClient;
  clock: Clock;
  allowShared: boolean;
}

type ReadInfo = (channel: string) => ReturnType<WebClient['conversations']['info']>;

export function createChannels(deps: ChannelDeps): Channels {
  const { lookups, clock, allowShared } = deps;
  const readInfo = createLimitedQuestion(clock, (channel: string) => lookups.conversations.info({ channel }));
  const publicNames = createCache(clock, NAME_LIFE_MS, async (channel: string) => {
    const { channel: info } = await readInfo(channel);
    return info?.is_private === false ? info.name : undefined;
  });
  const verdicts = createCache(clock, VERDICT_LIFE_MS, (channel: string) => askWhoReads(readInfo, channel));
  return {
    join: async (reference, requester) => {
      try {
        if (isConversationOfPeople(reference)) return NOT_A_CHANNEL;
        const channel = await idOf(lookups, reference);
        if (channel === undefined) return noSuchChannel(reference);
        return await joinAs({ ...deps, readInfo }, channel, requester);
      } catch (error) {
        const fault = readSlackFault(error);
        if (fault.kind === 'refused') return refusedBy(fault.code);
        return { kind: 'refused', sentence: 'Reading the channel from Slack failed.', needsInvite: false };
      }
    },
    find: (reference) => idOf(lookups, reference).catch(() => undefined),
    nameIfPostable: (channel) => nameIfPostable({ ...deps, readInfo }, channel).catch(() => undefined),
    publicName: (channel) => publicNames.get(channel).catch(() => undefined),
    checkReaders: async (channel) => {
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
  sentence: 'This is a person, not a channel. You can’t set up messages for another person.',
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

async function askWhoReads(readInfo: ReadInfo, channel: string): Promise<ChannelVerdict> {
  const { channel: info } = await readInfo(channel);
  const sharing = sharingOf(info ?? {});
  if (sharing === 'none') return { kind: 'allowed' };
  return { kind: 'refused', code: SHARED_CHANNEL, sentence: sharedSentence(sharing) };
}

/** Slack limits a method and not a channel: otherwise each message that waits would ask for itself. */
function createLimitedQuestion<Asked, Answer>(
  clock: Clock,
  ask: (asked: Asked) => Promise<Answer>,
): (asked: Asked) => Promise<Answer> {
  let limit: { untilMs: number; error: unknown } | undefined;
  return async (asked) => {
    if (limit && clock.now().getTime() < limit.untilMs) throw limit.error;
    try {
      return await ask(asked);
    } catch (error) {
      const fault = readSlackFault(error);
      if (fault.kind === 'rate_limited')
        limit = { untilMs: clock.now().getTime() + waitAskedMs(fault.askedMs, RATE_LIMITED.firstMs), error };
      throw error;
    }
  };
}

/** A channel with unknown readers gets no messages. A code that is final here would be final for the post as well. */
function verdictOfFault(error: unknown): ChannelVerdict {
  const fault = readSlackFault(error);
  if (fault.kind === 'rate_limited') return { kind: 'later', askedMs: fault.askedMs, sentence: 'Slack asked to wait' };
  if (fault.kind !== 'refused') return { kind: 'later', delayMs: ASK_AGAIN_MS, sentence: fault.detail };
  const sentence = refusalSentence(fault.code);
  return isFinalRefusal(fault.code) ? { kind: 'refused', code: fault.code, sentence } : { kind: 'later', sentence };
}

function refusedBy(code: string): ChannelEntry {
  const needsInvite = code === 'channel_not_found' || code === 'not_in_channel';
  return { kind: 'refused', sentence: refusalSentence(code), needsInvite };
}

async function joinAs(
  { lookups, allowShared, readInfo }: ChannelDeps & { readInfo: ReadInfo },
  channel: string,
  requester: string | undefined,
): Promise<ChannelEntry> {
  const { channel: info } = await readInfo(channel);
  if (info?.is_archived) return refusedBy('is_archived');
  const sharing = sharingOf(info ?? {});
  if (sharing !== 'none' && !allowShared)
    return { kind: 'refused', sentence: sharedSentence(sharing), needsInvite: false };
  // The bot cannot join a private channel by itself; Slack would refuse it.
  if (info?.is_private && !info.is_member) return refusedBy('not_in_channel');
  if (info?.is_private && requester !== undefined && !(await isMember(lookups, channel, requester)))
    return { kind: 'refused', sentence: NOT_A_MEMBER, needsInvite: false };
  return info?.is_member || (await joinsPublic(lookups, channel))
    ? { kind: 'joined', channel }
    : refusedBy('not_in_channel');
}

/** Returns `false` if people declined the scope for it: then somebody must invite the bot. */
async function joinsPublic(lookups: WebClient, channel: string): Promise<boolean> {
  try {
    await lookups.conversations.join({ channel });
    return true;
  } catch (error) {
    if (declinedScopeSentence(error) === undefined) throw error;
    return false;
  }
}

async function nameIfPostable(
  { allowShared, readInfo }: Pick<ChannelDeps, 'allowShared'> & { readInfo: ReadInfo },
  channel: string,
): Promise<string | undefined> {
  if (!isChannel(channel)) return undefined;
  const { channel: info } = await readInfo(channel);
  const isOpen = info?.is_member && !info.is_archived && (allowShared || sharingOf(info) === 'none');
  return isOpen ? info.name : undefined;
}

async function isMember(lookups: WebClient, channel: string, person: string): Promise<boolean> {
  const query = { channel, limit: MEMBERS_PAGE };
  for await (const { members } of pagesOf((from) => lookups.conversations.members({ ...query, ...from })))
    if (members?.includes(person)) return true;
  return false;
}
