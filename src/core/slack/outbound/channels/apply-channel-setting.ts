import type { Logger } from '../../../base/log.ts';
import type { ChannelEntry, Channels } from './channels.ts';

/**
 * Until Slack lets the bot into the channel, each run tries again, and each new reason is logged once.
 *
 * @param apply gets the id of the channel; undefined if the setting names none
 */
export function channelOfSetting(
  { channels, log }: { channels: Channels; log: Logger },
  { setting, channel }: { setting: string; channel: string | undefined },
  apply: (channel: string | undefined) => Promise<void>,
): () => Promise<void> {
  let isDone = false;
  let lastSentence = '';
  return async () => {
    if (isDone) return;
    const entry = channel === undefined ? undefined : await joinOfSetting(channels, channel);
    if (entry?.kind === 'refused') {
      if (entry.sentence !== lastSentence) log.error({ setting, channel }, entry.sentence);
      lastSentence = entry.sentence;
      return;
    }
    await apply(entry?.channel);
    isDone = true;
  };
}

/** The operator may name a person instead, who then gets direct messages. */
export async function joinOfSetting(channels: Pick<Channels, 'join'>, reference: string): Promise<ChannelEntry> {
  return /^[UW][A-Z0-9]{2,}$/.test(reference) ? { kind: 'joined', channel: reference } : channels.join(reference);
}
