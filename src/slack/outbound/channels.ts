import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../base/time/clock.ts';
import { createCache } from '../../base/cache.ts';
import { findChannelByName } from './channel-list.ts';
import { sharingOf, SHARED_CHANNEL, sharedSentence } from './channel-sharing.ts';
import { pagesOf } from '../connection/pages.ts';
import { isInstallationFault, readSlackFault, refusalSentence } from '../connection/errors.ts';

export type ChannelEntry =
  | { kind: 'entered'; channel: string }
  /** `needsInvite`: it is private, or does not exist; the two cannot be told apart from outside. */
  | { kind: 'refused'; sentence: string; needsInvite: boolean };

/** Whether something may be posted in a channel, as far as its readers go. */
export type ChannelVerdict =
  | { kind: 'allowed' }
  | { kind: 'refused'; code: string; sentence: string }
  /** Slack could not be asked. */
  | { kind: 'later'; delayMs: number; sentence: string };

/** Where the bot posts: it enters channels, and asks who reads along before anything is posted. */
export interface Channels {
  /**
   * Makes sure that the bot is in a channel that it is going to post to: it joins public ones by itself; private ones need an
   * `/invite`. A person's id stands for a direct message and needs nothing.
   *
   * @param reference a channel id, a name with or without `#`, or a user id
   * @param asker who wants it; into a private channel only its members have something posted. Missing: the settings.
   * @returns the channel's id, or one sentence that says what to do
   */
  enter(reference: string, asker?: string): Promise<ChannelEntry>;
  /** The id of a channel that is named in a command; it is not entered. */
  find(reference: string): Promise<string | undefined>;
  /** The name of a channel that the bot is in already and may post to; it joins none for this. */
  openName(channel: string): Promise<string | undefined>;
  /** Asked before each post; Slack is asked once a minute. */
  judge(channel: string): Promise<ChannelVerdict>;
}

const MEMBERS_PAGE = 1_000;
/** Somebody may share a channel at any time. */
const VERDICT_LIFE_MS = 60_000;
const ASK_AGAIN_MS = 15_000;
const INSTALLATION_FAULT_DELAY_MS = 5 * 60_000;

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
    enter: async (reference, asker) => {
      try {
        if (isPerson(reference)) return { kind: 'entered', channel: reference };
        const channel = await idOf(lookups, reference);
        if (channel === undefined) return noSuchChannel(reference);
        return await enter(deps, channel, asker);
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

const isPerson = (reference: string) => /^[UWD][A-Z0-9]{2,}$/.test(reference);
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

/** What is not known is not allowed; what Slack refuses here it would refuse of the post as well. */
function verdictOfFault(error: unknown): ChannelVerdict {
  const fault = readSlackFault(error);
  if (fault.kind === 'rate_limited')
    return { kind: 'later', delayMs: fault.retryAfterMs, sentence: 'Slack asked to wait' };
  if (fault.kind !== 'refused') return { kind: 'later', delayMs: ASK_AGAIN_MS, sentence: fault.detail };
  const sentence = refusalSentence(fault.code);
  if (isInstallationFault(fault.code)) return { kind: 'later', delayMs: INSTALLATION_FAULT_DELAY_MS, sentence };
  return { kind: 'refused', code: fault.code, sentence };
}

function refusedBy(code: string): ChannelEntry {
  const needsInvite = code === 'channel_not_found' || code === 'not_in_channel';
  return { kind: 'refused', sentence: refusalSentence(code), needsInvite };
}

async function enter(
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
  return { kind: 'entered', channel };
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
