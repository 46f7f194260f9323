import { commandText } from '../../core/slack/commands/command-text.ts';
import { DAY_MS } from '../../core/base/time/durations.ts';
import type { AttentionItem, HomeSection } from '../../core/slack/interactions/interactions.ts';
import { actions, header, section, type Block } from '../../core/slack/blocks/blocks.ts';
import { runCommandButton } from '../../core/slack/blocks/messages.ts';
import { markup, readerTime } from '../../core/base/text/markup.ts';
import { diffButton } from './core/controls-buttons.ts';
import { readCursor } from './core/cursor.ts';
import { revisionSummary, shortLine } from './notices/lines.ts';
import { readRevisionChanges } from './notices/revision-changes.ts';
import type { ControlsDeps } from './core/controls-deps.ts';
import { type ControlsCursor, authorOf, latestRevision, outlinesBefore } from './core/revisions.ts';
import { controlsWatch } from './controls-watch.ts';

const ORDER = 40;
const TOP_CHANGES = 3;
const MAX_RECENT = 20;

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

const RECENT_MS = 7 * DAY_MS;

/** The latest revision that weakened security, for a week. */
export async function readAttention({ db, clock }: ControlsDeps): Promise<AttentionItem[]> {
  const recent = await outlinesBefore(db, { before: undefined, email: undefined, most: MAX_RECENT });
  const nowMs = clock.now().getTime();
  const row = recent.find((one) => (one.weaker ?? 0) > 0 && nowMs - Date.parse(one.changedAt) < RECENT_MS);
  if (!row) return [];
  const line = markup`⚠️ *Revision ${row.revision} of the enterprise controls weakens security*, ${readerTime(new Date(row.changedAt))}.`;
  return [{ line, button: diffButton(row.previous, row.revision, 0, 'Details') }];
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
