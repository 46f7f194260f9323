import { formatDate } from '../../core/base/time/calendar.ts';
import { channelMention, joinMarkup, markup, mention, type Markup } from '../../core/base/text/markup.ts';
import { countOf, formatNumber } from '../../core/base/text/numbers.ts';
import { actions, button, context, header, section, type Block } from '../../core/slack/blocks/blocks.ts';
import { blocksOf, longProse } from '../../core/slack/blocks/paragraphs.ts';
import { modal, type ModalView } from '../../core/slack/blocks/views.ts';
import type { Role } from '../../core/base/roles.ts';
import type { DisclosureKind } from '../../core/base/privacy/disclosure.ts';
import type { ReaderLine } from './summary.ts';

export const ALL_DISCLOSURES_ACTION = 'usage_all_looks';
export const DISCLOSURES_TITLE = 'Who saw my figures';
export const SHOWN_DAYS = 30;

const NOBODY = markup`No one looked at your figures in the last ${SHOWN_DAYS} days.`;

const MAX_LINES = 5;
const MAX_LISTED = 3;
const MAX_IN_MODAL = 100;

const KIND_WORDS: Record<DisclosureKind, string> = {
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
  slackbot: 'an answer in Slackbot',
  token: 'an answer in a coding client',
};

/** Who may look up figures of single people. */
export interface Permitted {
  role: Role;
  /** How many others have that role. */
  others: number;
}

/** @param permitted undefined while Slack does not name them */
export function disclosuresBlocks(lines: readonly ReaderLine[], permitted: Permitted | undefined): Block[] {
  const who = permitted ? [context(permittedWords(permitted))] : [];
  if (lines.length === 0) return [header(DISCLOSURES_TITLE), section(NOBODY), ...who];
  const about = markup`Last ${SHOWN_DAYS} days (UTC). A channel appears here if your figures were posted in it.`;
  const isAll = lines.length <= MAX_LINES && lines.every((line) => !isCut(line));
  return [
    header(DISCLOSURES_TITLE),
    section(lines.slice(0, MAX_LINES).map((line) => lineOf(line, MAX_LISTED))),
    ...(isAll ? [] : [actions(button({ text: 'Show all', actionId: ALL_DISCLOSURES_ACTION }))]),
    context(about),
    ...who,
  ];
}

function permittedWords({ role, others }: Permitted): Markup {
  const roles = role === 'admin' ? 'the admins' : 'the managers and admins';
  if (others === 0) return markup`Nobody else can look up your figures.`;
  return markup`${countOf(others, 'other person', 'other people')} can look up your figures: ${roles} that \`/quartermaster\` names.`;
}

export function disclosuresView(lines: readonly ReaderLine[]): ModalView {
  const visibleLines = lines.slice(0, MAX_IN_MODAL).map((line) => lineOf(line, MAX_IN_MODAL));
  const remainingLines = lines.length - visibleLines.length;
  const more = remainingLines > 0 ? [markup`and ${formatNumber(remainingLines)} more`] : [];
  return modal({
    title: DISCLOSURES_TITLE,
    blocks: visibleLines.length === 0 ? [section(NOBODY)] : blocksOf([longProse([...visibleLines, ...more])]),
  });
}

const isCut = (line: ReaderLine) => line.kind === 'lists' && line.readers.length > MAX_LISTED;

const readerMention = (reader: string): Markup => (/^[UW]/.test(reader) ? mention(reader) : channelMention(reader));

function lineOf(line: ReaderLine, mostListed: number): Markup {
  if (line.kind === 'lists') {
    const visibleReaders = line.readers.slice(0, mostListed).map((reader) => readerMention(reader));
    const remainingReaders = line.readers.length - visibleReaders.length;
    const more = remainingReaders > 0 ? markup` and ${countOf(remainingReaders, 'other', 'others')}` : markup``;
    return markup`•  ${joinMarkup(visibleReaders, ', ')}${more}: lists that can name everyone, last on ${formatDate(line.last)}`;
  }
  const other = line.otherDays > 0 ? markup` and ${countOf(line.otherDays, 'other day')}` : markup``;
  return markup`•  ${readerMention(line.reader)}, on ${formatDate(line.last)}${other}: ${line.parts.map((what) => KIND_WORDS[what]).join(', ')}`;
}
