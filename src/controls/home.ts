import { commandText } from '../slack/commands/command-text.ts';
import type { HomeSection } from '../slack/interactions.ts';
import { actions, header, section, type Block } from '../slack/blocks/blocks.ts';
import { runCommandButton } from '../slack/blocks/messages.ts';
import { markup, readerTime } from '../base/text/markup.ts';
import { diffButton } from './core/controls-buttons.ts';
import { readCursor } from './core/cursor.ts';
import { revisionSummary, shortLine } from './notices/lines.ts';
import { readRevisionChanges } from './notices/revision-changes.ts';
import type { ControlsDeps } from './core/controls-deps.ts';
import { authorOf, latestRevision } from './core/revisions.ts';
import type { ControlsCursor } from './core/controls-tables.ts';
import { controlsWatch } from './watch/controls-watch.ts';

/** After the digests. */
const ORDER = 40;
const TOP_CHANGES = 3;

export function controlsHome(deps: ControlsDeps): HomeSection {
  return {
    order: ORDER,
    role: 'manager',
    read: async (person) => {
      const cursor = await readCursor(deps.db);
      return [
        header('Enterprise controls'),
        ...(await latestBlocks(deps)),
        ...lastErrorBlocks(cursor),
        ...(await controlsWatch(deps).homeRows(person)),
      ];
    },
  };
}

async function latestBlocks(deps: ControlsDeps): Promise<Block[]> {
  const latest = await latestRevision(deps.db);
  const revisionChanges = latest && (await readRevisionChanges(deps, latest.revision));
  if (!revisionChanges) return [section(markup`No revisions yet.`)];
  const { row, changes } = revisionChanges;
  const lines = [
    markup`*Revision ${row.revision}* by ${authorOf(row)}, ${readerTime(new Date(row.changedAt))}: ${revisionSummary(revisionChanges)}`,
    ...changes.slice(0, TOP_CHANGES).map((one) => shortLine(one)),
  ];
  return [
    section(lines),
    actions(
      ...(changes.length > 0 ? [diffButton(row.previous, row.revision)] : []),
      runCommandButton('History', '/controls', commandText`history`),
    ),
  ];
}

function lastErrorBlocks({ lastError, readAt, failures }: ControlsCursor): Block[] {
  if (lastError === null || failures < 2) return [];
  const since = readAt === null ? markup`` : markup` since ${readerTime(new Date(readAt))}`;
  return [
    section(
      markup`⚠️ *The history couldn’t be read${since}.* ${lastError} Quartermaster keeps trying; nothing is lost.`,
    ),
  ];
}
