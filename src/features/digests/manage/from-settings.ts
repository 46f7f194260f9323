import { EVERY_DAY } from '../../../core/schedule/occurrences.ts';
import { planDue } from '../../../core/schedule/due-subscriptions.ts';
import { putSubscription, removeSubscription } from '../../../core/schedule/subscriptions.ts';
import { digestSubscription } from '../deliver/plan.ts';
import { channelOfSetting } from '../../../core/slack/outbound/channels/apply-channel-setting.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { SETTINGS_SUBSCRIPTION } from '../core/describe.ts';

/** Sets up the digest of `DIGEST_CHANNEL`, so that a new installation works without a form. Removes it if that is empty. */
export function digestFromSettings(deps: DigestDeps): () => Promise<void> {
  const { digestChannel, digestAt, timeZone } = deps.config;
  return channelOfSetting(deps, { setting: 'DIGEST_CHANNEL', channel: digestChannel }, async (channel) => {
    if (channel === undefined) {
      await removeSubscription(deps.db, SETTINGS_SUBSCRIPTION, null, deps.clock.now());
      return;
    }
    const schedule = { days: EVERY_DAY, at: digestAt, zone: timeZone };
    const daily = { id: SETTINGS_SUBSCRIPTION, kind: 'digest', channel, schedule, settings: {} };
    const now = deps.clock.now();
    const kind = digestSubscription(deps.clock);
    await putSubscription(deps.db, daily, now, (trx, stored) => planDue(trx, stored, kind, now));
    deps.log.info({ channel, at: digestAt, zone: timeZone }, 'Planned the daily digest of the settings');
  });
}
