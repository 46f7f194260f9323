import type { ControlsDeps } from '../core/deps.ts';
import { beginWatch, endWatch } from './handlers.ts';
import { EVERYTHING, listWatches } from './watches.ts';

/**
 * Brings the watch of `CONTROLS_CHANNEL` in line with the settings, so that a new install works without a command. Until Slack
 * has let the bot into the channel it is tried again every minute.
 *
 * @returns a job that does nothing once it has succeeded
 */
export function watchFromSettings(deps: ControlsDeps): () => Promise<void> {
  const { config, db, channels, log } = deps;
  let isDone = false;
  let lastSentence = '';
  return async () => {
    if (isDone) return;
    const entry = config.controlsChannel === undefined ? undefined : await channels.enter(config.controlsChannel);
    if (entry?.kind === 'refused') {
      if (entry.sentence !== lastSentence)
        log.error({ setting: 'CONTROLS_CHANNEL', channel: config.controlsChannel }, entry.sentence);
      lastSentence = entry.sentence;
      return;
    }
    const watches = await listWatches(db);
    const others = watches.filter(({ owner, channel }) => owner === null && channel !== entry?.channel);
    for (const { channel } of others) await endWatch(deps, channel, 'settings');
    // One that somebody set up there stays as they wanted it.
    if (entry && !watches.some(({ channel, state }) => channel === entry.channel && state === 'active')) {
      await beginWatch(deps, { channel: entry.channel, filter: EVERYTHING, owner: null });
    }
    isDone = true;
  };
}
