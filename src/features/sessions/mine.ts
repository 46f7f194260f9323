import { hasRole, type RequiredRole } from '../../core/base/roles.ts';
import { markup, type Markup } from '../../core/base/text/markup.ts';
import { countOf, formatNumber } from '../../core/base/text/numbers.ts';
import { button, section, type BlockMessage } from '../../core/slack/blocks/blocks.ts';
import { heading, messageOf, note, sentence, type Paragraph } from '../../core/slack/blocks/paragraphs.ts';
import type { Interaction } from '../../core/slack/interactions/interactions.ts';
import { countHookSessions, listHookSessions } from './hooks/core/sessions.ts';
import type { HookDatabase, HookSession } from './hooks/core/session-tables.ts';
import { detailLines, sinceMarkup, stateMarkup } from './hooks/core/texts.ts';
import { parseSession } from './session-command.ts';
import { MAX_SEEN } from './seen.ts';
import { PAGE_ACTION } from './views.ts';

/** `/session mine`: the sessions of the reader’s own agent only. */
export async function listMine(
  { db, role, keptDays }: { db: HookDatabase; role: RequiredRole; keptDays: number },
  { person, reply }: Pick<Interaction, 'person' | 'reply'>,
): Promise<void> {
  const [sessions, count] = await Promise.all([
    listHookSessions(db, person.slackId, MAX_SEEN),
    countHookSessions(db, person.slackId),
  ]);
  await reply.show(mineMessage(sessions, { count, keptDays, canOpen: hasRole(person.role, role) }));
}

const NONE = 'Quartermaster hasn’t heard from your agent';

function mineMessage(
  sessions: readonly HookSession[],
  { count, keptDays, canOpen }: { count: number; keptDays: number; canOpen: boolean },
): BlockMessage {
  const hasMore = count > sessions.length;
  const lately = `in the last ${countOf(keptDays, 'day')}`;
  return messageOf(
    heading('Your sessions'),
    sentence(sessions.length === 0 ? `${NONE} ${lately}. Type /session notify to begin.` : ''),
    ...sessions.map((one) => mineParagraph(one, canOpen)),
    note(hasMore ? `The newest ${formatNumber(sessions.length)} of ${formatNumber(count)} ${lately}.` : ''),
    note(sessions.length === 0 ? '' : 'Only you see this list.'),
  );
}

function mineParagraph(session: HookSession, canOpen: boolean): Paragraph<Markup> {
  const { sessionId: id } = session;
  const lines = [markup`${stateMarkup(session)}, ${sinceMarkup(session)}`, ...detailLines(session), markup`\`${id}\``];
  const open =
    canOpen && parseSession([id]).kind === 'run'
      ? button({ text: 'Open', actionId: PAGE_ACTION, value: id })
      : undefined;
  return { blocks: [section(lines, open)], lines };
}
