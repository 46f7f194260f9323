import { isPlatformError } from '../../core/platform/errors.ts';
import { markup, readerTime, type Markup } from '../../core/base/text/markup.ts';
import { formatNumber } from '../../core/base/text/numbers.ts';
import { button, section, type BlockMessage } from '../../core/slack/blocks/blocks.ts';
import { reportError, type UserError } from '../../core/slack/blocks/faults.ts';
import {
  faultParagraph,
  heading,
  messageOf,
  NOTHING,
  note,
  sentence,
  type Paragraph,
} from '../../core/slack/blocks/paragraphs.ts';
import type { Interaction } from '../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../core/slack/people/people.ts';
import type { Services } from '../../core/services.ts';
import { MAX_SEEN, readViews, seenSessions, type SeenSession } from './seen.ts';
import { PAGE_ACTION } from './views.ts';

/** `/session`: the sessions that Quartermaster has seen, without those that only other readers opened. */
export async function listSessions(
  deps: Pick<Services, 'platform' | 'db'>,
  { person, reply, log }: Interaction<FreshPerson>,
): Promise<void> {
  const [computers, views] = await Promise.all([readComputers(deps, log), readViews(deps.db, person.slackId)]);
  const seen = seenSessions(computers.found, views);
  await reply.show(seenMessage(seen, computers.fault));
}

/** If the computers cannot be read, the rest is still shown. */
async function readComputers({ platform }: Pick<Services, 'platform' | 'db'>, log: Interaction['log']) {
  try {
    return { found: await platform.computers.list(), fault: undefined };
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    return { found: [], fault: reportError(error, log, { what: 'computers of sessions' }) };
  }
}

/** Lists the sessions with a button each; only the reader sees the message. */
export function seenMessage(seen: readonly SeenSession[], fault: UserError | undefined): BlockMessage {
  const visibleSessions = seen.slice(0, MAX_SEEN);
  const hiddenCount = seen.length - visibleSessions.length;
  return messageOf(
    heading('Sessions'),
    sentence(seen.length === 0 ? NONE : ''),
    ...visibleSessions.map((one) => sessionParagraph(one)),
    fault ? faultParagraph('The computers', fault) : NOTHING,
    note(hiddenCount > 0 ? `The newest ${formatNumber(visibleSessions.length)} of ${formatNumber(seen.length)}.` : ''),
    note(
      'These are the installs of computers and the sessions you’ve looked at. For any other, type /session and its id.',
    ),
  );
}

const NONE = 'Quartermaster hasn’t seen any sessions yet.';

function sessionParagraph(seen: SeenSession): Paragraph<Markup> {
  const line = markup`\`${seen.id}\`\n${sessionWords(seen)}`;
  const open = button({ text: 'Open', actionId: PAGE_ACTION, value: seen.id });
  return { blocks: [section(line, open)], lines: [line] };
}

function sessionWords({ computer, viewedAt, at }: SeenSession): Markup {
  if (computer === undefined) return markup`Looked at by you, ${readerTime(at)}`;
  const viewedClause = viewedAt ? markup` · looked at by you` : markup``;
  return markup`Install on ${computer}, ${readerTime(at)}${viewedClause}`;
}
