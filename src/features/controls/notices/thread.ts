import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { longProse, messageOf } from '../../../core/slack/blocks/paragraphs.ts';
import { markup, packLines, type Markup, readerTime } from '../../../core/base/text/markup.ts';
import type { ClassifiedChange } from '../diff/diff.ts';
import { publicAuthorOf } from '../core/revisions.ts';
import { fullLines } from './lines.ts';
import type { RevisionChanges } from './revision-changes.ts';

/** Below Slack's limit for all blocks of a message. */
const MAX_PART_LENGTH = 8_000;
/** A change of a megabyte would fill a thread for minutes; the file contains all of it. */
const MAX_PARTS = 25;

export function threadParts(allRevisionChanges: readonly RevisionChanges[]): BlockMessage[] {
  const isMany = allRevisionChanges.length > 1;
  const lines = allRevisionChanges.flatMap((revisionChanges) => [
    ...(isMany ? [titleOf(revisionChanges)] : []),
    ...linesOf(revisionChanges.changes),
  ]);
  return partMessages(lines);
}

export const changeParts = (changes: readonly ClassifiedChange[]): BlockMessage[] => partMessages(linesOf(changes));

function linesOf(changes: readonly ClassifiedChange[]): Markup[] {
  return changes.length === 0 ? [markup`Nothing visible changed.`] : changes.flatMap((one) => fullLines(one));
}

function titleOf({ row }: RevisionChanges): Markup {
  return markup`*Revision ${row.revision}*, ${publicAuthorOf(row)}, ${readerTime(new Date(row.changedAt))}`;
}

export function partMessages(lines: readonly Markup[]): BlockMessage[] {
  const parts = packLines(lines, MAX_PART_LENGTH);
  const visibleParts = parts.slice(0, MAX_PARTS);
  const cutLines = parts.slice(MAX_PARTS).flat().length;
  return visibleParts.map((some, index) => {
    const isLast = index === visibleParts.length - 1;
    const cut = isLast && cutLines > 0 ? [markup`_Cut here: ${cutLines} more lines. The full diff has them all._`] : [];
    return messageOf(longProse([...some, ...cut]));
  });
}
