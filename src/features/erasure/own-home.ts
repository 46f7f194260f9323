import { section } from '../../core/slack/blocks/blocks.ts';
import { markup } from '../../core/base/text/markup.ts';
import { readSlackFault } from '../../core/slack/client/errors.ts';
import { retryAfterRateLimits } from '../../core/slack/client/retry-after-rate-limits.ts';
import { REFUSAL_SENTENCES } from '../../core/slack/people/people.ts';
import type { OwnMessagesDeps } from './own-messages.ts';

/** Overwrites the person’s App Home, which would show their figures until it is opened again. */
export async function overwriteHome(
  { posting, clock, signal, log }: Pick<OwnMessagesDeps, 'posting' | 'clock' | 'signal' | 'log'>,
  slackIds: readonly string[],
): Promise<void> {
  const view = { type: 'home' as const, blocks: [section(markup`${REFUSAL_SENTENCES.erased}`)] };
  for (const user of slackIds) {
    try {
      await retryAfterRateLimits(
        clock,
        () => posting.apiCall('views.publish', { user_id: user, view }),
        () => {},
        signal,
      );
    } catch (error) {
      const fault = readSlackFault(error);
      // A person who has left no longer sees it.
      if (fault.kind !== 'refused') throw error;
      log.info({ code: fault.code }, 'Erasing an App Home failed, because Slack does not show it');
    }
  }
}
