import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../base/log.ts';
import type { People } from '../people/people.ts';
import { mrkdwnOf, type Markup } from '../../base/text/markup.ts';

/**
 * Tells each admin by direct message what cannot go through the outbox, because the outbox itself is what is broken. Posted
 * without a note of it, so it is for what may as well be missing or come twice. Never throws.
 */
export async function notifyAdmins(
  { people, posting, log }: { people: Pick<People, 'admins'>; posting: WebClient; log: Logger },
  text: Markup,
): Promise<void> {
  try {
    for (const admin of await people.admins()) {
      await posting.chat
        .postMessage({ channel: admin, text: mrkdwnOf(text) })
        .catch((error: unknown) => log.warn({ err: error, admin }, 'An admin could not be told'));
    }
  } catch (error) {
    log.warn({ err: error }, 'The admins could not be told');
  }
}
