import type { Logger } from '../../base/log.ts';
import type { ChannelEntry, Channels } from './channels.ts';

/**
 * Brings what goes to the channel of a setting in line with the settings. Until Slack has let the bot into the channel it is
 * tried again whenever the job runs, and each new reason is logged once.
 *
 * @param bringInLine gets the id of the channel; nothing where the setting names none
 * @returns a job that does nothing once it has succeeded
 */
export function channelOfSetting(
  { channels, log }: { channels: Channels; log: Logger },
  { setting, channel }: { setting: string; channel: string | undefined },
  bringInLine: (channel: string | undefined) => Promise<void>,
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
    await bringInLine(entry?.channel);
    isDone = true;
  };
}

/** Joins the channel of a setting; the operator may name a person, who then gets direct messages. */
export async function joinOfSetting(channels: Pick<Channels, 'join'>, reference: string): Promise<ChannelEntry> {
  return /^[UW][A-Z0-9]{2,}$/.test(reference) ? { kind: 'joined', channel: reference } : channels.join(reference);
}
