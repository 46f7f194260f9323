import type { Database } from '../../../core/store/tables.ts';
import { section, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, smallPrint, type Paragraph } from '../../../core/slack/blocks/paragraphs.ts';
import {
  clipMarkup,
  joinMarkup,
  listMarkup,
  markup,
  withRest,
  readerTime,
  utcTime,
  type Markup,
} from '../../../core/base/text/markup.ts';
import { formatPeriod } from '../../../core/base/time/calendar.ts';
import { countOf, formatRanges } from '../../../core/base/text/numbers.ts';
import { diffButton, historyButton, type HistoryPosition } from '../core/controls-buttons.ts';
import type { ClassifiedChange } from '../diff/diff.ts';
import { plainLine } from '../notices/lines.ts';
import { isBelow } from '../diff/paths.ts';
import { authorOf, membersOf, outlinesBefore, type RevisionOutline } from '../core/revisions.ts';

const MAX_MEMBERS = 3;
const MAX_RANGES = 5;
/** A section with three lines and a title stays within Slack’s 3,000 characters. */
const MAX_LINE = 600;
/** The number of revisions read at once during a search for changes of one member. */
const BATCH = 200;

export interface HistoryPage {
  rows: RevisionOutline[];
  hasMore: boolean;
}

export async function readHistoryPage(db: Database, position: HistoryPosition): Promise<HistoryPage> {
  const rows: RevisionOutline[] = [];
  let { before } = position;
  for (;;) {
    const batch = await outlinesBefore(db, { before, email: position.email, days: position.days, most: BATCH });
    rows.push(...batch.filter((row) => isAbout(row, position.member)));
    if (rows.length > position.most || batch.length < BATCH) break;
    before = batch.at(-1)?.revision;
  }
  return { rows: rows.slice(0, position.most), hasMore: rows.length > position.most };
}

function isAbout(row: RevisionOutline, member: string | undefined): boolean {
  return member === undefined || membersOf(row).some((path) => isBelow(path, member) || isBelow(member, path));
}

export function historyMessage(
  { rows, hasMore }: HistoryPage,
  position: HistoryPosition,
  {
    changes = new Map(),
    unreadable = [],
  }: { changes?: ReadonlyMap<number, readonly ClassifiedChange[]>; unreadable?: readonly number[] } = {},
): BlockMessage {
  const title = titleOf(position, position.email, rows.length);
  const last = rows.at(-1);
  const buttons = [
    ...(position.before === undefined ? [] : [historyButton('Newest', { ...position, before: undefined })]),
    ...(hasMore && last ? [historyButton('Older', { ...position, before: last.revision })] : []),
  ];
  return messageOf(
    prose(title),
    ...rows.map((row) => rowParagraph(row, changes.get(row.revision))),
    smallPrint(...unreadableLines(unreadable)),
    buttonRow(...buttons),
  );
}

/** Revisions of an unknown author, day and content belong to every selection. */
const unreadableLines = (revisions: readonly number[]): Markup[] =>
  revisions.length === 0
    ? []
    : [
        markup`⚠️ ${revisions.length === 1 ? 'Revision' : 'Revisions'} ${formatRanges(revisions, MAX_RANGES)} can’t be read.`,
      ];

function rowParagraph(row: RevisionOutline, changes: readonly ClassifiedChange[] = []): Paragraph<Markup> {
  const diff = diffButton(row.previous, row.revision, 0, 'Details');
  if (changes.length > 0) {
    const lines = changes.map((change) => clipMarkup(plainLine(change), MAX_LINE));
    const all = withRest(lines, MAX_MEMBERS, (count) => markup`and ${countOf(count, 'other change')}`);
    return {
      blocks: [section([rowMarkup(row, true), ...all], diff)],
      lines: [joinMarkup([rowMarkup(row, false), joinMarkup(all, '; ')], ': ')],
    };
  }
  return {
    blocks: [section([rowMarkup(row, true), membersMarkup(row)], diff)],
    lines: [joinMarkup([rowMarkup(row, false), membersMarkup(row)], ': ')],
  };
}

function titleOf({ member, before, days }: HistoryPosition, whom: string | undefined, count: number): Markup {
  const about = [
    ...(whom === undefined ? [] : [markup`made by ${whom}`]),
    ...(member === undefined ? [] : [markup`that changed \`${member}\``]),
    ...(days === undefined ? [] : [markup`from ${formatPeriod(days)} (UTC)`]),
    ...(before === undefined ? [] : [markup`before ${before}`]),
  ];
  const which = joinMarkup([markup`revisions`, ...about], ' ');
  if (count === 0) return markup`There are no ${which}.`;
  return markup`*Enterprise controls: ${which}, newest first*`;
}

function rowMarkup(row: RevisionOutline, isForReader: boolean): Markup {
  const at = new Date(row.changedAt);
  const weaker = row.weaker ? markup` · :warning: ${row.weaker} weaker` : markup``;
  return markup`*${row.revision}*  ${authorOf(row)} · ${isForReader ? readerTime(at) : utcTime(at)}${weaker}`;
}

function membersMarkup(row: RevisionOutline): Markup {
  const members = membersOf(row);
  if (row.members === null) return markup`_the oldest known revision_`;
  if (members.length === 0) return markup`_nothing visible changed_`;
  const named = members.map((member) => markup`\`${member.slice(0, 100)}\``);
  return listMarkup(named, MAX_MEMBERS, (remaining) => countOf(remaining, 'other'));
}
