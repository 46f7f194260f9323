import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../base/log.ts';
import type { People } from '../people/people.ts';
import { mrkdwnOf, type Markup } from '../../base/text/markup.ts';

/** Notifies admins when the outbox itself is broken. The notice may be missing or come twice. Never throws. */
export async function notifyAdmins(
  { people, posting, log }: { people: Pick<People, 'admins'>; posting: WebClient; log: Logger },
  text: Markup,
): Promise<void> {
  try {
    for (const admin of await people.admins()) {
      await posting.chat
        .postMessage({ channel: admin, text: mrkdwnOf(text) })
        .catch((error: unknown) => log.warn({ err: error, admin }, 'Notifying an admin failed'));
    }
  } catch (error) {
    log.warn({ err: error }, 'Notifying the admins failed');
  }
}
