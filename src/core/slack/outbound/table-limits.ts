import { checkBlocks } from '../blocks/rules/index.ts';
import { context, section } from '../blocks/blocks.ts';
import { markup, markupLength } from '../../base/text/markup.ts';

/** The lowest limits that Slack ever published: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
const MAX_ROWS = 100;
const MAX_CHARACTERS = 10_000;
/** A section's text holds 3,000 characters. */
const MAX_LIST_LENGTH = 2_800;

type Row = readonly { text?: unknown }[];

interface Table {
  type: string;
  rows: Row[];
  caption?: string;
}

const isTable = (block: object): block is Table =>
  'type' in block && block.type === 'data_table' && 'rows' in block && Array.isArray(block.rows);

const charactersOf = (row: Row) => row.reduce((sum, { text }) => sum + (typeof text === 'string' ? text.length : 0), 0);

/** Whether every workspace accepts the tables of a message, even with the oldest limits. Pure. */
export function fitsEveryWorkspace(blocks: readonly object[]): boolean {
  const tables = blocks.filter((block) => isTable(block));
  const characters = tables.flatMap(({ rows }) => rows).reduce((sum, row) => sum + charactersOf(row), 0);
  return tables.length < 2 && tables.every(({ rows }) => rows.length <= MAX_ROWS) && characters <= MAX_CHARACTERS;
}

/**
 * Keeps one table of a hundred rows; further tables become lists. Pure.
 *
 * @example fitTables([...charts, bigTable, smallTable]) // the charts, the top of the big table, a list
 */
export function fitTables(blocks: readonly object[]): object[] {
  if (fitsEveryWorkspace(blocks)) return [...blocks];
  const first = blocks.findIndex((block) => isTable(block));
  const fitted = (listed: boolean) =>
    blocks.flatMap((block, index): object[] => {
      if (!isTable(block)) return [block];
      if (index === first) return [cut(block)];
      return listed ? [listOf(block)] : [];
    });
  const whole = fitted(true);
  return checkBlocks(whole, 'message').length === 0
    ? whole
    : [...fitted(false), context(markup`_More tables did not fit into this message._`)];
}

function cut(block: Table): object {
  let characters = 0;
  const fitting = block.rows.slice(0, MAX_ROWS).filter((row) => (characters += charactersOf(row)) <= MAX_CHARACTERS);
  const [head, ...body] = fitting;
  if (fitting.length === block.rows.length || !head) return block;
  const caption = block.caption ?? '';
  const earlier = /^(.{0,200}) \(first \d{1,6} of (\d{1,6})\)$/.exec(caption);
  const all = earlier?.[2] ?? String(block.rows.length - 1);
  const shortened = { ...block, rows: [head, ...body] };
  return block.caption === undefined
    ? shortened
    : { ...shortened, caption: `${earlier?.[1] ?? caption} (first ${body.length} of ${all})` };
}

function listOf({ rows, caption }: Table): object {
  const title = caption === undefined ? [] : [markup`*${caption}*`];
  let length = 0;
  const lines = rows.map((row) => markup`${row.map(({ text }) => (typeof text === 'string' ? text : '')).join(' · ')}`);
  const fitting = lines.filter((line) => (length += markupLength(line) + 1) <= MAX_LIST_LENGTH);
  const rest = lines.length - fitting.length;
  return section([...title, ...fitting, ...(rest > 0 ? [markup`and ${rest} more`] : [])]);
}
