import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import { withRest, joinMarkup, markup, type Markup, readerTime } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import type { Database } from '../../../core/store/tables.ts';
import { diffButton, settingsButton } from '../core/controls-buttons.ts';
import type { Notice } from '../core/revision-payload.ts';
import { membersOf, outlinesSpan, publicAuthorOf, type RevisionOutline } from '../core/revisions.ts';
import { isRelevant, type WatchFilter } from '../core/watches.ts';
import type { Footer } from './acknowledge.ts';
import { gapNotes, type RenderedNotice } from './revision-messages.ts';
import { partMessages } from './thread.ts';

type ManyNotice = Extract<Notice, { kind: 'many' }>;

const MAX_MEMBERS = 8;
/** One line per revision; the history shows those beyond this length. */
const MAX_LINES = 2_500;

/** Lists the revisions that match a watch, without their settings: there may be thousands. */
async function matchingRevisions(
  db: Database,
  { first, last }: ManyNotice,
  filter: WatchFilter,
): Promise<RevisionOutline[]> {
  const rows = await outlinesSpan(db, first, last);
  return rows.filter((row) => isRelevant(row, filter));
}

export async function manyNotice(
  db: Database,
  notice: ManyNotice,
  filter: WatchFilter,
  footer: (through: number) => Promise<Footer>,
): Promise<RenderedNotice | undefined> {
  const rows = await matchingRevisions(db, notice, filter);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return undefined;
  const people = new Set(rows.map((row) => row.userEmail ?? row.userId ?? row.userName ?? ''));
  const weaker = rows.filter((row) => (row.weaker ?? 0) > 0).length;
  const title = markup`*${countOf(rows.length, 'revision')} of the enterprise controls by ${countOf(people.size, 'person', 'people')}*, from ${readerTime(new Date(first.changedAt))} to ${readerTime(new Date(last.changedAt))}`;
  const lines = [
    ...(weaker > 0 ? [markup`:warning: *${countOf(weaker, 'revision')} weakened something.*`] : []),
    membersLine(rows),
    markup`_The thread lists each of them._`,
  ];
  const notes = gapNotes(notice.gap, first.revision);
  const { lines: acknowledged, buttons } = await footer(last.revision);
  return {
    hasThread: true,
    message: messageOf(
      prose(title),
      prose(lines),
      smallPrint(markup`Revisions ${first.revision} to ${last.revision}`),
      ...notes.map((note) => smallPrint(note)),
      prose(acknowledged),
      buttonRow(diffButton(first.previous, last.revision, 0, 'Details'), settingsButton(last.revision), ...buttons),
    ),
  };
}

function membersLine(rows: readonly RevisionOutline[]): Markup {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const member of new Set(membersOf(row))) counts.set(member, (counts.get(member) ?? 0) + 1);
  }
  const most = [...counts].toSorted((one, other) => other[1] - one[1]).slice(0, MAX_MEMBERS);
  if (most.length === 0) return markup`Nothing visible changed.`;
  const named = most.map(([member, count]) => markup`\`${member}\` (${countOf(count, 'time')})`);
  return markup`Changed most often: ${joinMarkup(named, ', ')}`;
}

export async function manyThread(db: Database, notice: ManyNotice, filter: WatchFilter): Promise<BlockMessage[]> {
  const rows = await matchingRevisions(db, notice, filter);
  const lines = rows.map((row) => lineOf(row));
  return partMessages(withRest(lines, MAX_LINES, restLine));
}

const restLine = (remaining: number) =>
  markup`_${countOf(remaining, 'more revision')}: \`/controls history\` has them all._`;

function lineOf(row: RevisionOutline): Markup {
  const members = membersOf(row).slice(0, 3);
  const named = members.length === 0 ? markup`no visible change` : joinMarkup(members.map((one) => markup`\`${one}\``));
  const mark = (row.weaker ?? 0) > 0 ? markup` :warning:` : markup``;
  return markup`*${row.revision}*  ${publicAuthorOf(row)}, ${readerTime(new Date(row.changedAt))}: ${named}${mark}`;
}
