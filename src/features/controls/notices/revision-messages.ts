import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import { context, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, longProse, messageOf, prose, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import { withRest, markup, readerTime, utcTime, type Markup } from '../../../core/base/text/markup.ts';
import { countOf, formatRanges } from '../../../core/base/text/numbers.ts';
import { diffButton, previousElement, settingsButton } from '../core/controls-buttons.ts';
import type { ClassifiedChange } from '../diff/diff.ts';
import { isWhole } from '../diff/text.ts';
import { memberMarkup } from '../diff/paths.ts';
import type { Notice } from '../core/revision-payload.ts';
import { authorOf, membersOf, publicAuthorOf, type RevisionOutline } from '../core/revisions.ts';
import { MARKS_EXPLAINED, plainLine, shortLine, revisionSummary, summaryOf } from './lines.ts';
import { NO_FOOTER, type Footer } from './acknowledge.ts';
import type { RevisionChanges } from './revision-changes.ts';

/** About as much as a phone shows without scrolling; the rest is in the thread. */
const TOP_CHANGES = 6;
const TOP_REVISIONS = 8;

export type Gap = Extract<Notice, { kind: 'single' }>['gap'];

export interface RenderedNotice {
  message: BlockMessage;
  hasThread: boolean;
}

/** Describes one revision: author and subject first, then each change, weakening ones before all others. */
export function revisionNotice(
  revisionChanges: RevisionChanges,
  gap: Gap,
  where: 'channel' | 'answer',
  footer: Footer = NO_FOOTER,
): RenderedNotice {
  const { row, changes } = revisionChanges;
  const top = changes.slice(0, TOP_CHANGES);
  const hasThread = changes.length > top.length || !top.every(({ change }) => isWhole(change));
  const author = where === 'channel' ? publicAuthorOf(row) : authorOf(row);
  const title = markup`*${author} changed the enterprise controls:* ${pointOf(revisionChanges)}`;
  const lines = [
    ...(changes.length === 0 ? [nothingLine(row)] : top.map((one) => shortLine(one))),
    ...restLines(revisionChanges, top.length, hasThread, where),
    ...(revisionChanges.namedUse ? [revisionChanges.namedUse] : []),
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
      prose(footer.lines),
      buttonRow(...(changes.length === 0 ? buttons.slice(1) : buttons), ...footer.buttons),
    ),
  };
}

/** Names a single change in the part that a phone shows first; several changes are counted. */
function pointOf(revisionChanges: RevisionChanges): Markup {
  const { changes, filteredOut } = revisionChanges;
  const [only] = changes;
  const isWeaker = only?.verdict?.kind === 'weaker';
  if (!only || changes.length > 1 || filteredOut > 0 || isWeaker) return markup`${revisionSummary(revisionChanges)}`;
  return memberMarkup(only.change.path);
}

function nothingLine({ previous, members }: RevisionOutline): Markup {
  if (previous === null && members === null)
    return markup`This is the oldest revision that Quartermaster knows, so there is nothing to compare it with.`;
  return markup`No visible difference from the revision before.`;
}

function restLines(
  { changes, filteredOut }: RevisionChanges,
  shownCount: number,
  hasThread: boolean,
  where: 'channel' | 'answer',
): Markup[] {
  const place = where === 'channel' ? 'in the thread' : 'in the full diff';
  const hiddenCount = changes.length - shownCount;
  const rest = hiddenCount > 0 ? `${countOf(hiddenCount, 'more change')} ${place}.` : `Details are ${place}.`;
  return [
    ...(hasThread ? [markup`_${rest}_`] : []),
    ...(filteredOut > 0 ? [markup`_${countOf(filteredOut, 'other change')} that this channel doesn’t get._`] : []),
  ];
}

function aboutLine(row: RevisionOutline): Markup {
  const base = markup`Revision ${row.revision} · ${readerTime(new Date(row.changedAt))}`;
  return row.previous === null ? base : markup`${base} · compared with revision ${row.previous}`;
}

const aboutText = (row: RevisionOutline) => markup`Revision ${row.revision}, ${utcTime(new Date(row.changedAt))}.`;

export function gapNotes(gap: Gap, revision: number): Markup[] {
  if (!gap) return [];
  const { after, isKnownGone } = gap;
  const [first, last] = [isKnownGone ? after : after + 1, revision - 1];
  const missing =
    first >= last ? `It no longer shows revision ${first}.` : `It does not show revisions ${first}–${last}.`;
  return [
    markup`:information_source: *The history has a gap.* ${missing} This one is compared with revision ${after}, the last one that Quartermaster knew.`,
  ];
}

export function burstNotice(allRevisionChanges: readonly RevisionChanges[], gap: Gap, footer: Footer): RenderedNotice {
  const [first, last] = [allRevisionChanges[0], allRevisionChanges.at(-1)];
  if (!first || !last) return { message: messageOf(), hasThread: false };
  const changes = allRevisionChanges.flatMap((revisionChanges) => revisionChanges.changes);
  const title = markup`*${publicAuthorOf(first.row)} saved ${countOf(allRevisionChanges.length, 'revision')} of the enterprise controls ${spanOf(first, last)}:* ${summaryOf(changes)}`;
  const outlines = allRevisionChanges.map((revisionChanges) => outline(revisionChanges));
  const lines = [
    ...withRest(outlines, TOP_REVISIONS, (remaining) => markup`_${countOf(remaining, 'more revision')}._`),
    markup`_Details are in the thread._`,
  ];
  const revisions = formatRanges(allRevisionChanges.map(({ row }) => row.revision));
  const details = diffButton(first.row.previous, last.row.revision, 0, 'Details');
  return {
    hasThread: true,
    message: messageOf(
      prose(title),
      smallPrint(markup`Revisions ${revisions} · the last one ${readerTime(new Date(last.row.changedAt))}`),
      longProse(lines),
      ...gapNotes(gap, first.row.revision).map((note) => smallPrint(note)),
      prose(footer.lines),
      buttonRow(details, settingsButton(last.row.revision), ...footer.buttons),
    ),
  };
}

function spanOf(first: RevisionChanges, last: RevisionChanges): string {
  const minutes = Math.round((Date.parse(last.row.changedAt) - Date.parse(first.row.changedAt)) / MINUTE_MS);
  if (minutes < 1) return 'within a minute';
  return minutes < 120 ? `within ${countOf(minutes, 'minute')}` : `within ${countOf(Math.round(minutes / 60), 'hour')}`;
}

function outline({ row, changes }: RevisionChanges): Markup {
  const [first] = changes;
  const more = changes.length > 1 ? markup` _and ${countOf(changes.length - 1, 'more change')}_` : markup``;
  const summary = first ? plainLine(first) : markup`no visible change`;
  return markup`*${row.revision}*  ${summary}${more}`;
}

export function rewrittenNotice(row: RevisionOutline, changes: readonly ClassifiedChange[]): RenderedNotice {
  const title = markup`⚠️ *Revision ${row.revision} was rewritten:* ${summaryOf(changes)} since Quartermaster first read it`;
  const why = markup`Revisions shouldn’t change. The platform now shows other settings for this one, without a new revision.`;
  const top = changes.slice(0, TOP_CHANGES);
  const hasThread = changes.length > top.length || !top.every(({ change }) => isWhole(change));
  const lines = [...top.map((one) => shortLine(one)), ...(hasThread ? [markup`_Details are in the thread._`] : [])];
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

export function unreadableNotice({ revisions }: { revisions: readonly number[] }): RenderedNotice {
  const which = `${revisions.length === 1 ? 'Revision' : 'Revisions'} ${formatRanges(revisions, TOP_REVISIONS)}`;
  const title = markup`⚠️ *${which} of the enterprise controls can’t be read.*`;
  const what = markup`The platform shows ${revisions.length === 1 ? 'it' : 'them'} without settings that Quartermaster understands, so the changes are unknown. Check them on the platform. If they can be read later, they are posted here.`;
  return { hasThread: false, message: messageOf(prose([title, what])) };
}

export function cameBackNotice({ revisions, to }: { revisions: number; to: number }): RenderedNotice {
  const title = markup`✅ *The enterprise control history is complete again.*`;
  const what = markup`It ends at revision ${to}. ${countOf(revisions, 'revision')} ${revisions === 1 ? 'was' : 'were'} posted before and won’t be posted again.`;
  return { hasThread: false, message: messageOf(prose([title, what]), buttonRow(settingsButton(to))) };
}

export function rolledBackNotice({ from, to }: { from: number; to: number | null }): RenderedNotice {
  const title = markup`⚠️ *The enterprise control history went back.*`;
  const ends =
    to === null
      ? markup`It ended at revision ${from} and is empty now.`
      : markup`It ended at revision ${from} and now ends at ${to}.`;
  const next = markup`Quartermaster continues from there and posts every revision after it.`;
  const buttons = to === null ? [] : [settingsButton(to)];
  return { hasThread: false, message: messageOf(prose([title, ends, next]), buttonRow(...buttons)) };
}
