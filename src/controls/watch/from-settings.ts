import { channelOfSetting } from '../../slack/outbound/channels/apply-channel-setting.ts';
import { isInUse } from '../../watches/channel-subscription-table.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { controlsWatch, newWatch } from './controls-watch.ts';
import { controlsWatches, EVERYTHING } from './watches.ts';

/** Starts the watch of `CONTROLS_CHANNEL`, so that a new install works without a command. */
export function watchFromSettings(deps: ControlsDeps): () => Promise<void> {
  const setting = { setting: 'CONTROLS_CHANNEL', channel: deps.config.controlsChannel };
  const { start, stop } = controlsWatch(deps);
  return channelOfSetting(deps, setting, async (named) => {
    const watches = await controlsWatches.list(deps.db);
    const others = watches.filter(({ owner, channel }) => owner === null && channel !== named);
    for (const { channel } of others) await stop(channel, '', 'settings');
    // A watch that a person set up there keeps its filter, and one that a person paused stays paused.
    if (named !== undefined && !watches.some((watch) => watch.channel === named && isInUse(watch)))
      await start(named, null, await newWatch(deps.db, EVERYTHING));
  });
}
