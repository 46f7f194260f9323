import { markup, packLines, type Markup } from '../../base/text/markup.ts';
import type { BlockMessage, Button } from '../../slack/blocks/blocks.ts';
import { buttonRow, longProse, messageOf, prose } from '../../slack/blocks/paragraphs.ts';

/** About what a phone shows: a member with its path takes two lines there. */
const MAX_PAGE_LENGTH = 1_000;

export function pageMessage(options: {
  title: Markup;
  lines: readonly Markup[];
  page: number;
  turn: (page: number, text: string) => Button;
  buttons: readonly Button[];
}): BlockMessage {
  const pages = packLines(options.lines, MAX_PAGE_LENGTH);
  const page = Math.min(options.page, Math.max(pages.length - 1, 0));
  const lines = pages[page] ?? [];
  const title = pages.length > 1 ? markup`${options.title} (page ${page + 1} of ${pages.length})` : options.title;
  const buttons = [
    ...(page > 0 ? [options.turn(page - 1, 'Previous page')] : []),
    ...(page < pages.length - 1 ? [options.turn(page + 1, 'Next page')] : []),
    ...options.buttons,
  ];
  return messageOf(prose(title), longProse(lines), buttonRow(...buttons));
}
