import { joinMarkup, markup, type Markup } from '../../markup.ts';
import { partsOf, sectionsOf } from '../notices/lines.ts';
import { actions, message, section, type BlockMessage, type Button } from '../../slack/blocks/blocks.ts';

/** An answer leaves room for its title and its buttons. */
const MAX_PAGE_LENGTH = 7_000;

/** One page of many lines, with the way to the others. */
export function pageMessage(options: {
  title: Markup;
  lines: readonly Markup[];
  page: number;
  /** Leads to another page. */
  turn: (page: number, text: string) => Button;
  buttons: readonly Button[];
}): BlockMessage {
  const pages = partsOf(options.lines, MAX_PAGE_LENGTH);
  const page = Math.min(options.page, Math.max(pages.length - 1, 0));
  const lines = pages[page] ?? [];
  const title = pages.length > 1 ? markup`${options.title} (page ${page + 1} of ${pages.length})` : options.title;
  const buttons = [
    ...(page > 0 ? [options.turn(page - 1, 'Previous page')] : []),
    ...(page < pages.length - 1 ? [options.turn(page + 1, 'Next page')] : []),
    ...options.buttons,
  ];
  return message(joinMarkup([title, ...lines], '\n'), [
    section(title),
    ...sectionsOf(lines),
    ...(buttons.length > 0 ? [actions(...buttons)] : []),
  ]);
}
