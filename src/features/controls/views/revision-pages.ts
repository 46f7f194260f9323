import { markup, packLines, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import type { JsonObject } from '../../../core/platform/redaction/json.ts';
import type { BlockMessage, Button } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, longProse, messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { diffButton, jsonButton, settingsButton } from '../core/controls-buttons.ts';
import { type RevisionRow, authorOf, settingsOf } from '../core/revisions.ts';
import { diffClassified } from '../diff/diff.ts';
import { valueLines } from '../diff/text.ts';
import { fullLines, MARKS_EXPLAINED, summaryOf } from '../notices/lines.ts';

/** Shows every member of the settings at a revision. Secrets were never stored. */
export function settingsMessage(row: RevisionRow, page: number): BlockMessage {
  const lines = Object.entries(settingsOf(row))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) => valueLines([name], value));
  const at = readerTime(new Date(row.changedAt));
  return pageMessage({
    title: markup`*Settings at revision ${row.revision}*, by ${authorOf(row)}, ${at}. Secrets are hidden.`,
    lines: lines.length > 0 ? lines : [markup`No settings.`],
    page,
    pageButton: (other, text) => settingsButton(row.revision, other, text),
    buttons: [jsonButton(row.revision), diffButton(row.previous, row.revision, 0, 'What it changed')],
  });
}

export function diffMessage(
  from: { revision: number | null; settings: JsonObject },
  to: { revision: number; settings: JsonObject },
  page: number,
): BlockMessage {
  const changes = diffClassified(from.settings, to.settings);
  const start =
    from.revision === null
      ? markup`Up to revision ${to.revision}`
      : markup`From revision ${from.revision} to ${to.revision}`;
  const lines = changes.flatMap((change) => fullLines(change));
  const isMarked = changes.some(({ verdict }) => verdict);
  return pageMessage({
    title: markup`*${start}:* ${summaryOf(changes)}`,
    lines: [...(lines.length > 0 ? lines : [markup`No visible differences.`]), ...(isMarked ? [MARKS_EXPLAINED] : [])],
    page,
    pageButton: (other, text) => diffButton(from.revision, to.revision, other, text),
    buttons: [settingsButton(to.revision), ...(from.revision === null ? [] : [settingsButton(from.revision)])],
  });
}

/** About as much as a phone shows: a member with its path takes two lines there. */
const MAX_PAGE_LENGTH = 1_000;

function pageMessage(options: {
  title: Markup;
  lines: readonly Markup[];
  page: number;
  pageButton: (page: number, text: string) => Button;
  buttons: readonly Button[];
}): BlockMessage {
  const pages = packLines(options.lines, MAX_PAGE_LENGTH);
  const page = Math.min(options.page, Math.max(pages.length - 1, 0));
  const lines = pages[page] ?? [];
  const title = pages.length > 1 ? markup`${options.title} (page ${page + 1} of ${pages.length})` : options.title;
  const buttons = [
    ...(page > 0 ? [options.pageButton(page - 1, 'Previous page')] : []),
    ...(page < pages.length - 1 ? [options.pageButton(page + 1, 'Next page')] : []),
    ...options.buttons,
  ];
  return messageOf(prose(title), longProse(lines), buttonRow(...buttons));
}
