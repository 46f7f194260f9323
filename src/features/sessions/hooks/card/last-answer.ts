import { isPlatformError } from '../../../../core/platform/errors.ts';
import type { Click } from '../../../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../../../core/slack/people/people.ts';
import { sentenceView, type OpenModal } from '../../../../core/slack/blocks/views.ts';
import { audit } from '../../../../core/store/audit.ts';
import { readTranscript } from '../../reading.ts';
import { parseSession } from '../../session-command.ts';
import { VIEWED, sessionSubject } from '../../seen.ts';
import { wholeView } from '../../views.ts';
import type { HookDeps } from '../core/hooks-deps.ts';
import { findHookSession } from '../core/sessions.ts';

export const ANSWER_TITLE = 'Last answer';

const NOT_SHOWN = 'The text of sessions isn’t shown here: the server operator has not set HOOKS_SHOW_TEXT.';
const NOT_YOURS = 'Quartermaster knows no such session of yours.';
const UNKNOWN = 'The platform doesn’t know this session.';
const NONE = 'There is no answer yet that is meant to be seen.';

/** *Last answer*: the agent’s last message, in a session of the reader’s own client. Audited before it is read. */
export async function showLastAnswer(deps: HookDeps, click: Click<FreshPerson>, modal: OpenModal): Promise<void> {
  const say = (sentence: string) => modal.show(sentenceView(ANSWER_TITLE, sentence));
  if (!deps.config.hooksShowText) return say(NOT_SHOWN);
  const { person, value } = click;
  const session = await findHookSession(deps.db, value);
  if (session?.owner !== person.slackId) return say(NOT_YOURS);
  const { sessionId } = session;
  // A client may use a session id that no address can contain.
  if (parseSession([sessionId]).kind !== 'run') return say(UNKNOWN);
  const entry = { about: sessionSubject(sessionId), actor: person.slackId, action: VIEWED, detail: 'the last answer' };
  await deps.db.transaction().execute((trx) => audit(trx, entry, deps.clock.now()));
  try {
    const { messages } = await readTranscript(deps.platform, { sessionId, role: 'assistant' });
    const last = messages.findLast(({ text }) => text.trim() !== '');
    await (last ? modal.show(wholeView(ANSWER_TITLE, last)) : say(NONE));
  } catch (error) {
    if (!isPlatformError(error, 'not_found')) throw error;
    await say(UNKNOWN);
  }
}
