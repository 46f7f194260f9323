import { createCache } from '../../../core/base/cache.ts';
import { joinOfSetting } from '../../../core/slack/outbound/channels/apply-channel-setting.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import type { CardTarget } from '../core/notify.ts';

const TARGET_LIFE_MS = 5 * 60_000;

/** Cards go to the configured channel if the bot can join it; otherwise to each admin. */
export function createCardTarget(deps: Pick<LimitDeps, 'config' | 'clock' | 'channels' | 'log'>) {
  const { limitsChannel } = deps.config;
  const targets = createCache(deps.clock, TARGET_LIFE_MS, async (reference: string): Promise<CardTarget> => {
    const entry = await joinOfSetting(deps.channels, reference);
    if (entry.kind === 'joined') return { kind: 'channel', channel: entry.channel };
    deps.log.error({ channel: reference, sentence: entry.sentence }, 'Using LIMITS_CHANNEL failed');
    return { kind: 'admins', fallbackReason: entry.sentence };
  });
  return (): Promise<CardTarget> =>
    limitsChannel === undefined
      ? Promise.resolve({ kind: 'admins', fallbackReason: undefined })
      : targets.get(limitsChannel);
}
