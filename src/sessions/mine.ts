import { hasRole, type RequiredRole } from '../base/roles.ts';
import { markup, type Markup } from '../base/markup.ts';
import { formatNumber } from '../base/numbers.ts';
import { button, section, type BlockMessage } from '../slack/blocks/blocks.ts';
import { heading, messageOf, note, sentence, type Paragraph } from '../slack/blocks/paragraphs.ts';
import type { Interaction } from '../slack/interactions.ts';
import { countHookSessions, listHookSessions } from './hooks/core/sessions.ts';
import type { HookDatabase, HookSession } from './hooks/core/tables.ts';
import { detailLines, sinceMarkup, stateMarkup } from './hooks/core/texts.ts';
import { parseSession } from './request.ts';
import { MAX_SEEN } from './seen.ts';
import { PAGE_ACTION } from './views.ts';

/** `/session mine`: what the reader's own agent told of. Nobody else's is among them. */
export async function listMine(
  { db, role }: { db: HookDatabase; role: RequiredRole },
  { person, reply }: Pick<Interaction, 'person' | 'reply'>,
): Promise<void> {
  const [sessions, count] = await Promise.all([
    listHookSessions(db, person.slackId, MAX_SEEN),
    countHookSessions(db, person.slackId),
  ]);
  await reply.show(mineMessage(sessions, { count, canOpen: hasRole(person.role, role) }));
}

const NONE = 'Quartermaster hasn’t heard from your agent in the last 30 days. Type /session notify to begin.';

function mineMessage(
  sessions: readonly HookSession[],
  { count, canOpen }: { count: number; canOpen: boolean },
): BlockMessage {
  const left = count > sessions.length;
  return messageOf(
    heading('Your sessions'),
    sentence(sessions.length === 0 ? NONE : ''),
    ...sessions.map((one) => mineParagraph(one, canOpen)),
    note(left ? `The newest ${formatNumber(sessions.length)} of ${formatNumber(count)} in the last 30 days.` : ''),
    note(sessions.length === 0 ? '' : 'Nobody else sees this list.'),
  );
}

function mineParagraph(session: HookSession, canOpen: boolean): Paragraph<Markup> {
  const { session_id: id } = session;
  const lines = [markup`${stateMarkup(session)}, ${sinceMarkup(session)}`, ...detailLines(session), markup`\`${id}\``];
  const open =
    canOpen && parseSession([id]).kind === 'run'
      ? button({ text: 'Open', actionId: PAGE_ACTION, value: id })
      : undefined;
  return { blocks: [section(lines, open)], lines };
}
