import { context, type BlockMessage } from '../../slack/blocks/blocks.ts';
import { buttonRow, longProse, messageOf, prose, smallPrint } from '../../slack/blocks/paragraphs.ts';
import { markup, readerTime, utcTime, type Markup } from '../../base/markup.ts';
import { countOf } from '../../base/numbers.ts';
import { diffButton, previousElement, settingsButton } from '../core/buttons.ts';
import type { ClassifiedChange } from '../diff/diff.ts';
import { isWhole } from '../diff/text.ts';
import { memberMarkup } from '../diff/paths.ts';
import type { Notice } from '../core/payload.ts';
import { authorOf, membersOf, publicAuthorOf, type RevisionOutline } from '../core/revisions.ts';
import { MARKS_EXPLAINED, plainLine, shortLine, summaryOf } from './lines.ts';
import type { RevisionChanges } from './revision-changes.ts';

/** So much is read on a phone without scrolling; the rest is in the thread. */
const TOP_CHANGES = 6;
const TOP_REVISIONS = 8;

export type Gap = Extract<Notice, { kind: 'single' }>['gap'];

/** A message, and whether it leaves anything to its thread. */
export interface RenderedNotice {
  message: BlockMessage;
  hasThread: boolean;
}

/** What one revision changed: who and what first, then each change, what got weaker before all else. */
export function revisionNotice(
  revisionChanges: RevisionChanges,
  gap: Gap,
  where: 'channel' | 'answer',
): RenderedNotice {
  const { row, changes } = revisionChanges;
  const top = changes.slice(0, TOP_CHANGES);
  const hasThread = changes.length > top.length || !top.every(({ change }) => isWhole(change));
  const author = where === 'channel' ? publicAuthorOf(row) : authorOf(row);
  const title = markup`*${author} changed the enterprise controls:* ${pointOf(revisionChanges)}`;
  const lines = [
    ...(changes.length === 0 ? [nothingLine(row)] : top.map((one) => shortLine(one))),
    ...restLines(revisionChanges, top.length, hasThread, where),
  ];
  const notes = [...gapNotes(gap, row.revision), ...(changes.some(({ verdict }) => verdict) ? [MARKS_EXPLAINED] : [])];
  const buttons = [
    diffButton(row.previous, row.revision),
    settingsButton(row.revision),
    ...previousElement(row.revision, membersOf(row)),
  ];
  return {
    hasThread,
    message: messageOf(
      prose(title),
      { blocks: [context(aboutLine(row))], lines: [aboutText(row)] },
      longProse(lines),
      ...notes.map((note) => smallPrint(note)),
      buttonRow(...(changes.length === 0 ? buttons.slice(1) : buttons)),
    ),
  };
}

/** A single change is named in what a phone shows first; several are counted. */
function pointOf({ changes, filteredOut }: RevisionChanges): Markup {
  const [only] = changes;
  const isWeaker = only?.verdict?.kind === 'weaker';
  if (!only || changes.length > 1 || filteredOut > 0 || isWeaker) return markup`${summaryOf(changes)}`;
  return memberMarkup(only.change.path);
}

function nothingLine({ previous, members }: RevisionOutline): Markup {
  if (previous === null && members === null)
    return markup`It is the oldest one that Quartermaster knows, so nothing can be said of what it changed.`;
  return markup`Its settings are the same as before, as far as they can be compared.`;
}

function restLines(
  { changes, filteredOut }: RevisionChanges,
  shown: number,
  hasThread: boolean,
  where: 'channel' | 'answer',
): Markup[] {
  const place = where === 'channel' ? 'in the thread' : 'in the full diff';
  const left = changes.length - shown;
  const rest = left > 0 ? `${countOf(left, 'more change')} ${place}.` : `What is cut here stands whole ${place}.`;
  return [
    ...(hasThread ? [markup`_${rest}_`] : []),
    ...(filteredOut > 0
      ? [markup`_${countOf(filteredOut, 'change')} of other members, which this channel does not watch._`]
      : []),
  ];
}

function aboutLine(row: RevisionOutline): Markup {
  const base = markup`Revision ${row.revision} · ${readerTime(new Date(row.changed_at))}`;
  return row.previous === null ? base : markup`${base} · compared with revision ${row.previous}`;
}

const aboutText = (row: RevisionOutline) => markup`Revision ${row.revision}, ${utcTime(new Date(row.changed_at))}.`;

export function gapNotes(gap: Gap, revision: number): Markup[] {
  if (!gap) return [];
  const missing = missingText(gap, revision);
  return [
    markup`:information_source: *The history has a gap.* ${missing} So this is compared with revision ${gap.after}, the last one that Quartermaster knew.`,
  ];
}

function missingText({ after, isKnownGone }: NonNullable<Gap>, revision: number): string {
  const [first, last] = [isKnownGone ? after : after + 1, revision - 1];
  return first >= last ? `It no longer shows revision ${first}.` : `It does not show revisions ${first}–${last}.`;
}

/** Many revisions of one person in one message. */
export function burstNotice(
  stories: readonly RevisionChanges[],
  { earlier, gap }: { earlier: readonly number[]; gap?: Gap },
): RenderedNotice {
  const [first, last] = [stories[0], stories.at(-1)];
  if (!first || !last) return { message: messageOf(), hasThread: false };
  const changes = stories.flatMap((revisionChanges) => revisionChanges.changes);
  const total = stories.length + earlier.length;
  const title = markup`*${publicAuthorOf(first.row)} made ${countOf(total, 'revision')} of the enterprise controls ${spanOf(first, last)}:* ${summaryOf(changes)}`;
  const shown = stories.slice(0, TOP_REVISIONS);
  const left = stories.length - shown.length;
  const lines = [
    ...shown.map((revisionChanges) => outline(revisionChanges)),
    ...(left > 0 ? [markup`_${countOf(left, 'more revision')}._`] : []),
    markup`_Each revision stands whole in the thread._`,
  ];
  const notes = [
    ...(earlier.length > 0
      ? [
          markup`Of these, ${revisionsText(earlier)} ${earlier.length === 1 ? 'has a message' : 'have messages'} of their own above.`,
        ]
      : []),
    ...gapNotes(gap, first.row.revision),
  ];
  return {
    hasThread: true,
    message: messageOf(
      prose(title),
      smallPrint(
        markup`Revisions ${first.row.revision} to ${last.row.revision} · the last one ${readerTime(new Date(last.row.changed_at))}`,
      ),
      longProse(lines),
      ...notes.map((note) => smallPrint(note)),
      buttonRow(
        diffButton(first.row.previous, last.row.revision, 0, 'Full diff of all'),
        settingsButton(last.row.revision),
      ),
    ),
  };
}

const MINUTE_MS = 60_000;

function spanOf(first: RevisionChanges, last: RevisionChanges): string {
  const minutes = Math.round((Date.parse(last.row.changed_at) - Date.parse(first.row.changed_at)) / MINUTE_MS);
  if (minutes < 1) return 'within a minute';
  return minutes < 120 ? `within ${countOf(minutes, 'minute')}` : `within ${countOf(Math.round(minutes / 60), 'hour')}`;
}

function revisionsText(revisions: readonly number[]): string {
  const [first, last] = [revisions[0], revisions.at(-1)];
  return revisions.length === 1 ? `revision ${first}` : `revisions ${first}–${last}`;
}

/** A revision of a burst in one line: its first change, and how many more. */
function outline({ row, changes }: RevisionChanges): Markup {
  const [first] = changes;
  const more = changes.length > 1 ? markup` _and ${countOf(changes.length - 1, 'more change')}_` : markup``;
  const said = first ? plainLine(first) : markup`nothing that can be seen`;
  return markup`*${row.revision}*  ${said}${more}`;
}

/** The content of a revision that was told of is another one now. */
export function rewrittenNotice(row: RevisionOutline, changes: readonly ClassifiedChange[]): RenderedNotice {
  const title = markup`*Revision ${row.revision} is not what it was:* ${summaryOf(changes)} since Quartermaster read it first`;
  const why = markup`A revision should stay as it is. The history shows other settings for it now; no new revision was made.`;
  const top = changes.slice(0, TOP_CHANGES);
  const hasThread = changes.length > top.length || !top.every(({ change }) => isWhole(change));
  const lines = [
    ...top.map((one) => shortLine(one)),
    ...(hasThread ? [markup`_All of it stands in the thread._`] : []),
  ];
  return {
    hasThread,
    message: messageOf(
      prose(title),
      longProse([why, ...lines]),
      smallPrint(aboutLine(row)),
      buttonRow(settingsButton(row.revision)),
    ),
  };
}

/** What the history showed before it went back, it shows again. */
export function cameBackNotice({ revisions, to }: { revisions: number; to: number }): RenderedNotice {
  const title = markup`*The history of the enterprise controls is whole again.*`;
  const what = markup`It ends at revision ${to}. ${countOf(revisions, 'revision')} of it had been told before and ${revisions === 1 ? 'is' : 'are'} not told again.`;
  return { hasThread: false, message: messageOf(prose([title, what]), buttonRow(settingsButton(to))) };
}

/** The history ends before what was announced. */
export function wentBackNotice({ from, to }: { from: number; to: number | null }): RenderedNotice {
  const title = markup`*The history of the enterprise controls went back.*`;
  const ends =
    to === null
      ? markup`It is empty now, and ended at revision ${from} before.`
      : markup`It ends at revision ${to} now, and ended at ${from} before.`;
  const next = markup`Quartermaster goes on from there and tells of every revision after it.`;
  const buttons = to === null ? [] : [settingsButton(to)];
  return { hasThread: false, message: messageOf(prose([title, ends, next]), buttonRow(...buttons)) };
}
