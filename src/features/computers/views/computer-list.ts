import type { Column } from '../../../core/base/text/columns.ts';
import { commandText, type CommandText } from '../../../core/slack/commands/command-text.ts';
import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import { button, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { runCommandButtons } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, headline, note, paragraphMessage, table, noteAt } from '../../../core/slack/blocks/paragraphs.ts';
import { clip } from '../../../core/base/text/markup.ts';
import { countOf, formatNumber } from '../../../core/base/text/numbers.ts';
import { createButton, MORE_ACTION } from '../core/computer-buttons.ts';
import { countProblems, countUnderWay, findComputers } from '../core/matching.ts';
import { ageWords, statusWords, stepWords } from '../core/text.ts';

/** With the longest names, this many rows stay within Slack’s character limit. */
const MAX_ROWS = 60;

export interface ListFacts {
  all: readonly Computer[];
  filter: string;
  offset: number;
  mayCreate: boolean;
  readAt: Date;
}

export function listMessage({ all, filter, offset, mayCreate, readAt }: ListFacts): BlockMessage {
  const matches = findComputers(all, filter);
  const visibleRows = matches.slice(offset, offset + MAX_ROWS);
  const next = offset + visibleRows.length;
  const hiddenCount = matches.length - next;
  const paragraphs = [
    headline(headlineOf(matches, all.length, filter), belowOf(matches)),
    table({
      caption: offset === 0 ? 'Computers, failed ones first' : `Computers ${offset + 1} to ${next}`,
      columns: columnsAt(readAt),
      rows: visibleRows,
      pageSize: 15,
    }),
    note(hiddenCount > 0 ? `And ${countOf(hiddenCount, 'more computer')}.` : ''),
    note('The list has the computers that the platform shows to the owner of Quartermaster’s API key.'),
    noteAt('Read', readAt),
  ];
  const [worst] = visibleRows;
  const buttons = [
    ...(mayCreate ? [createButton()] : []),
    ...(worst
      ? runCommandButtons(`Details of ${clip(worst.name, 40)}`, '/computers', commandText`show ${worst.id}`)
      : []),
    ...moreButtons(hiddenCount > 0 ? wordsOf(filter, next) : undefined),
    ...runCommandButtons('Refresh', '/computers', wordsOf(filter, offset)),
  ];
  return paragraphMessage('Computers', paragraphs, buttonRow(...buttons));
}

function wordsOf(filter: string, offset: number): CommandText | undefined {
  return filter === '' ? commandText`list from:${offset}` : commandText`filter ${filter} from:${offset}`;
}

const moreButtons = (words: CommandText | undefined) =>
  words ? [button({ text: 'More', actionId: MORE_ACTION, value: words.text })] : [];

function headlineOf(matches: readonly Computer[], all: number, filter: string): string {
  if (all === 0) return 'There is no computer yet';
  if (matches.length === 0) return `None of ${countOf(all, 'computer')} holds “${clip(filter, 60)}”`;
  const which = filter === '' ? '' : ` of ${formatNumber(all)} hold “${clip(filter, 60)}”`;
  return filter === '' ? countOf(matches.length, 'computer') : `${formatNumber(matches.length)}${which}`;
}

function belowOf(matches: readonly Computer[]): string {
  if (matches.length === 0) return '';
  const [problems, underWay] = [countProblems(matches), countUnderWay(matches)];
  const parts = [
    ...(problems > 0 ? [`${formatNumber(problems)} failed`] : []),
    ...(underWay > 0 ? [`${formatNumber(underWay)} being set up`] : []),
    `${formatNumber(matches.length - problems - underWay)} ready`,
  ];
  return parts.join(', ');
}

const columnsAt = (now: Date): Column<Computer, string>[] => [
  { title: 'Computer', cell: ({ name }) => clip(name, 63) },
  { title: 'Status', cell: (computer) => clip(statusWords(computer), 40) },
  { title: 'Step', cell: stepWords },
  { title: 'Age', cell: (computer) => ageWords(computer, now) },
  { title: 'User', cell: ({ remoteUser }) => clip(remoteUser ?? '–', 63) },
  { title: 'Provider', cell: ({ providerType }) => clip(providerType, 40) || '–' },
];
