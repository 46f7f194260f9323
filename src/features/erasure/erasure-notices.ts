import { markup, mention, type Markup } from '../../core/base/text/markup.ts';
import type { WriteDecision } from '../../core/outbox/message-duties.ts';
import type { MessageHandler } from '../../core/outbox/message-kind.ts';
import { namesNobody } from '../../core/outbox/poster.ts';
import type { Services } from '../../core/services.ts';
import { button, type Button } from '../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose } from '../../core/slack/blocks/paragraphs.ts';
import { findErasure, identifiersOf } from './core/erasures.ts';
import { erasureNotice, type ErasureNotice } from './core/notice.ts';
import { findErasureRequest } from './core/requests.ts';

export const REVIEW_ACTION = 'erasure_review';
export const UNDOABLE = 'This can’t be undone';

export function erasureMessages(deps: Pick<Services, 'db' | 'clock' | 'people'>): MessageHandler[] {
  return erasureNotice.handledBy(deps, async ({ payload }) => write(deps, payload));
}

const who = (by: string): Markup => (/^[UW]/.test(by) ? mention(by) : markup`the operator`);
const send = (lines: Markup[], buttons: Button[] = []): WriteDecision => ({
  kind: 'send',
  message: namesNobody(messageOf(prose(lines), buttonRow(...buttons))),
});

async function write({ db }: Pick<Services, 'db'>, { id, event, by, agreedBy }: ErasureNotice): Promise<WriteDecision> {
  switch (event) {
    case 'asked': {
      const request = await findErasureRequest(db, id);
      if (!request) return { kind: 'skip', reason: 'The request was decided.' };
      const review = button({ text: 'Review', actionId: REVIEW_ACTION, value: id, style: 'primary' });
      return send(
        [
          markup`*${who(by)} requests to erase ${request.email} from Quartermaster.*`,
          markup`The person is or was an admin or manager, or decided something, so a second admin has to agree.`,
        ],
        [review],
      );
    }
    case 'begun': {
      const erasure = await findErasure(db, id);
      const email = erasure && identifiersOf(erasure)?.email[0];
      const agreed = agreedBy === undefined ? markup`` : markup`, and ${who(agreedBy)} agreed`;
      return send([
        markup`*The erasure of ${email ?? 'a person'} from Quartermaster has begun* (\`${id}\`).`,
        markup`Requested by ${who(by)}${agreed}. ${UNDOABLE}. All admins get a message when it is done.`,
      ]);
    }
    case 'declined':
      return send([markup`${who(by)} declined the erasure \`${id}\`. Nothing was erased.`]);
    case 'done':
      return send([markup`✅ *Erasure \`${id}\` is done.* Requested by ${who(by)}. ${UNDOABLE}.`]);
    default:
      return event satisfies never;
  }
}
