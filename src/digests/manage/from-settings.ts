import { EVERY_DAY } from '../../schedule/occurrences.ts';
import { putSubscription, removeSubscription } from '../../schedule/subscriptions.ts';
import type { DigestDeps } from '../core/deps.ts';
import { SETTINGS_SUBSCRIPTION } from '../core/describe.ts';

/**
 * Brings the digest of `DIGEST_CHANNEL` in line with the settings, so that a new install works without a modal. Until Slack
 * has let the bot into the channel it is tried again every minute.
 *
 * @returns a job that does nothing once it has succeeded
 */
export function digestFromSettings(deps: DigestDeps): () => Promise<void> {
  const { digestChannel, digestAt, timeZone } = deps.config;
  let isDone = false;
  let lastSentence = '';
  return async () => {
    if (isDone) return;
    if (digestChannel === undefined) {
      await removeSubscription(deps.db, SETTINGS_SUBSCRIPTION, null, deps.clock.now());
      isDone = true;
      return;
    }
    const entry = await deps.channels.enter(digestChannel);
    if (entry.kind === 'refused') {
      if (entry.sentence !== lastSentence)
        deps.log.error({ setting: 'DIGEST_CHANNEL', channel: digestChannel }, entry.sentence);
      lastSentence = entry.sentence;
      return;
    }
    const schedule = { days: EVERY_DAY, at: digestAt, zone: timeZone };
    const daily = { id: SETTINGS_SUBSCRIPTION, kind: 'digest', channel: entry.channel, schedule, settings: {} };
    await putSubscription(deps.db, daily, deps.clock.now());
    deps.log.info(
      { channel: entry.channel, at: digestAt, zone: timeZone },
      'The daily digest of the settings is planned',
    );
    isDone = true;
  };
}
