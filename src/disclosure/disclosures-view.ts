import { formatDate } from '../base/time/calendar.ts';
import { channelMention, joinMarkup, markup, mention, type Markup } from '../base/text/markup.ts';
import { countOf } from '../base/text/numbers.ts';
import { actions, button, context, header, section, type Block } from '../slack/blocks/blocks.ts';
import { blocksOf, longProse } from '../slack/blocks/paragraphs.ts';
import { modal, type ModalView } from '../slack/blocks/views.ts';
import type { DisclosureKind } from '../base/privacy/disclosure.ts';
import type { LookLine } from './summary.ts';

export const ALL_LOOKS_ACTION = 'usage_all_looks';
export const LOOKS_TITLE = 'Who saw my figures';
export const SHOWN_DAYS = 30;

const NOBODY = markup`Nobody looked at your figures in the last ${SHOWN_DAYS} days.`;

const MAX_LINES = 5;
const MAX_LISTED = 3;
const MAX_IN_MODAL = 100;

const WORDS: Record<DisclosureKind, string> = {
  usage: 'your usage',
  overview: 'an overview',
  list: 'a list',
  file: 'a file',
  digest: 'a digest',
  budget: 'a budget',
  watch: 'an unusual day',
  limit_request: 'a request for your limit',
  limit_trial: 'a limit that was tried out',
  limit_review: 'limits to review',
};

export function looksBlocks(lines: readonly LookLine[]): Block[] {
  if (lines.length === 0) return [header(LOOKS_TITLE), section(NOBODY)];
  const about = markup`By name, in the last ${SHOWN_DAYS} days (UTC). A channel is one in which your figures were posted.`;
  const isAll = lines.length <= MAX_LINES && lines.every((line) => !isCut(line));
  return [
    header(LOOKS_TITLE),
    section(lines.slice(0, MAX_LINES).map((line) => lineOf(line, MAX_LISTED))),
    ...(isAll ? [] : [actions(button({ text: 'Show all', actionId: ALL_LOOKS_ACTION }))]),
    context(about),
  ];
}

export function looksView(lines: readonly LookLine[]): ModalView {
  const shown = lines.slice(0, MAX_IN_MODAL).map((line) => lineOf(line, MAX_IN_MODAL));
  const left = lines.length - shown.length;
  const more = left > 0 ? [markup`and ${countOf(left, 'other person', 'other people')}`] : [];
  return modal({
    title: LOOKS_TITLE,
    blocks: shown.length === 0 ? [section(NOBODY)] : blocksOf([longProse([...shown, ...more])]),
  });
}

const isCut = (line: LookLine) => line.kind === 'lists' && line.lookers.length > MAX_LISTED;

const who = (looker: string): Markup => (/^[UW]/.test(looker) ? mention(looker) : channelMention(looker));

function lineOf(line: LookLine, mostListed: number): Markup {
  if (line.kind === 'lists') {
    const shown = line.lookers.slice(0, mostListed).map((looker) => who(looker));
    const left = line.lookers.length - shown.length;
    const more = left > 0 ? markup` and ${countOf(left, 'other', 'others')}` : markup``;
    return markup`•  ${joinMarkup(shown, ', ')}${more}: lists that can name everybody, last on ${formatDate(line.last)}`;
  }
  const other = line.otherDays > 0 ? markup` and ${countOf(line.otherDays, 'other day')}` : markup``;
  return markup`•  ${who(line.looker)}, on ${formatDate(line.last)}${other}: ${line.whats.map((what) => WORDS[what]).join(', ')}`;
}
