import { commandText } from '../slack/commands/command-text.ts';
import type { HomeSection } from '../slack/interactions.ts';
import { actions, header, section, type Block } from '../slack/blocks/blocks.ts';
import { runCommandButton } from '../slack/blocks/messages.ts';
import { type Person } from '../slack/people/people.ts';
import { hasRole } from '../roles.ts';
import { channelMention, joinMarkup, markup, mention, readerTime, type Markup } from '../markup.ts';
import { diffButton, unwatchButton } from './core/buttons.ts';
import { readCursor } from './core/cursor.ts';
import { shortLine, summaryOf } from './notices/lines.ts';
import { readRevisionChanges } from './notices/revision-changes.ts';
import type { ControlsParts } from './core/parts.ts';
import { authorOf, latestRevision } from './core/revisions.ts';
import type { ControlsCursor, Watch } from './core/tables.ts';
import { listWatches, namesOf } from './watch/watches.ts';
import { watchedMarkup } from './watch/handlers.ts';

/** Behind the digests. */
const ORDER = 40;
const TOP_CHANGES = 3;
const MAX_WATCHES = 8;

/** The latest change of the enterprise controls, and who is told. */
export function controlsHome(parts: ControlsParts): HomeSection {
  return {
    order: ORDER,
    role: 'manager',
    read: async (person) => {
      const cursor = await readCursor(parts.db);
      const watches = await listWatches(parts.db);
      return [
        header('Enterprise controls'),
        ...(await latestBlocks(parts)),
        ...lastErrorBlocks(cursor),
        ...watchBlocks(watches, person),
      ];
    },
  };
}

async function latestBlocks({ db }: ControlsParts): Promise<Block[]> {
  const latest = await latestRevision(db);
  const revisionChanges = latest && (await readRevisionChanges(db, latest.revision));
  if (!revisionChanges) return [section(markup`No revision is known yet.`)];
  const { row, changes } = revisionChanges;
  const lines = [
    markup`*Revision ${row.revision}* by ${authorOf(row)}, ${readerTime(new Date(row.changed_at))}: ${summaryOf(changes)}`,
    ...changes.slice(0, TOP_CHANGES).map((one) => shortLine(one)),
  ];
  return [
    section(joinMarkup(lines, '\n')),
    actions(
      ...(changes.length > 0 ? [diffButton(row.previous, row.revision)] : []),
      runCommandButton('History', '/controls', commandText`history`),
    ),
  ];
}

function lastErrorBlocks({ last_error: lastError, read_at: readAt, failures }: ControlsCursor): Block[] {
  if (lastError === null || failures < 2) return [];
  const since = readAt === null ? markup`` : markup` since ${readerTime(new Date(readAt))}`;
  return [
    section(
      markup`:warning: *The history could not be read${since}.* ${lastError} It is tried again by itself, and nothing is lost.`,
    ),
  ];
}

function watchBlocks(watches: readonly Watch[], person: Person): Block[] {
  const isAdmin = hasRole(person.role, 'admin');
  if (watches.length === 0) {
    const how = isAdmin
      ? markup`Type \`/controls watch #channel\` to tell one.`
      : markup`An admin can set it up with \`/controls watch #channel\`.`;
    return [section(markup`No channel gets changes. ${how}`)];
  }
  const left = watches.length - MAX_WATCHES;
  return [
    ...watches
      .slice(0, MAX_WATCHES)
      .map((watch) => section(watchMarkup(watch), isAdmin ? unwatchButton(watch.channel) : undefined)),
    ...(left > 0 ? [section(markup`${left} more channels hear of changes.`)] : []),
  ];
}

function watchMarkup(watch: Watch): Markup {
  const by = watch.owner === null ? markup`from the settings` : markup`set up by ${mention(watch.owner)}`;
  const base = markup`${channelMention(watch.channel)} gets ${watchedMarkup(namesOf(watch))} · ${by}`;
  if (watch.state === 'paused') {
    return markup`${base} :warning: *Stopped by Quartermaster:* three notices in a row could not be posted. ${watch.last_error ?? ''} Once that is fixed, set it up again.`;
  }
  return watch.last_error === null ? base : markup`${base}. The last notice could not be posted. ${watch.last_error}`;
}
