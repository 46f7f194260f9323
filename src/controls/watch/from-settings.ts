import { channelOfSetting } from '../../slack/outbound/channels/apply-channel-setting.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { startWatch, stopWatch } from './controls-watch-handlers.ts';
import { EVERYTHING, listWatches } from './watches.ts';

/** Starts the watch of `CONTROLS_CHANNEL`, so that a new install works without a command. */
export function watchFromSettings(deps: ControlsDeps): () => Promise<void> {
  const setting = { setting: 'CONTROLS_CHANNEL', channel: deps.config.controlsChannel };
  return channelOfSetting(deps, setting, async (named) => {
    const watches = await listWatches(deps.db);
    const others = watches.filter(({ owner, channel }) => owner === null && channel !== named);
    for (const { channel } of others) await stopWatch(deps, channel, 'settings');
    // A watch that a person set up there keeps its filter.
    if (named !== undefined && !watches.some(({ channel, state }) => channel === named && state === 'active')) {
      await startWatch(deps, { channel: named, filter: EVERYTHING, owner: null });
    }
  });
}
