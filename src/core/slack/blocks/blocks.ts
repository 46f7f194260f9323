import type { OutgoingMessage } from '../../outbox/poster.ts';
import { countMessageCharacters, MESSAGE_CHARACTERS_BUDGET } from './rules/index.ts';
import { clip, clipMarkup, joinMarkup, markup, mrkdwnOf, plain, type Markup } from '../../base/text/markup.ts';

/** `@slack/types` has no chart block yet, so this project has its own type. */
export type Block = { type: string } & Record<string, unknown>;
export type Button = Block & { type: 'button' };
export type Menu = Block & { type: 'static_select' };

export type BlockMessage = OutgoingMessage & { blocks: Block[] };

const MAX_BLOCKS = 50;
const MAX_TABLE_CHARACTERS = 18_000;
const MAX_TABLE_ROWS = 200;
const MAX_CHART_POINTS = 20;
/** Slack accepts 12 since the autumn of 2026, but not yet in every workspace. */
const MAX_CHART_SERIES = 6;

const plainText = (text: string, length: number) => ({
  type: 'plain_text',
  text: clip(plain(text), length) || ' ',
  emoji: false,
});
/** `verbatim` keeps Slack from linking addresses and channel names in text from outside, but not mentions and dates. */
const mrkdwn = (text: Markup, length: number) => ({
  type: 'mrkdwn',
  text: mrkdwnOf(clipMarkup(text, length)) || ' ',
  verbatim: true,
});

export const header = (text: string): Block => ({ type: 'header', text: plainText(text, 150) });

export function section(text: Markup | readonly Markup[], accessory?: Button): Block {
  const content = 'map' in text ? joinMarkup(text, '\n') : text;
  return { type: 'section', text: mrkdwn(content, 3_000), ...(accessory ? { accessory } : {}) };
}

/** At most ten short texts in two columns (one on a phone). */
export function fields(texts: readonly Markup[]): Block {
  return { type: 'section', fields: texts.slice(0, 10).map((text) => mrkdwn(text, 2_000)) };
}

export function context(...texts: readonly Markup[]): Block {
  return { type: 'context', elements: texts.slice(0, 10).map((text) => mrkdwn(text, 3_000)) };
}

export const divider = (): Block => ({ type: 'divider' });

/** Slack requires unique action ids in a row: repeated ids get a number (`usage_share.2`); `actionIdOf` removes it. */
export function actions(...buttons: readonly (Button | Menu)[]): Block {
  const used = new Map<unknown, number>();
  const elements = buttons.slice(0, 25).map((one) => {
    const count = (used.get(one['action_id']) ?? 0) + 1;
    used.set(one['action_id'], count);
    return count === 1 ? one : { ...one, action_id: `${String(one['action_id'])}.${count}` };
  });
  return { type: 'actions', elements };
}

/** @example actionIdOf('usage_share.2') // 'usage_share' */
export const actionIdOf = (actionId: string): string => actionId.replace(/\.\d+$/, '');

export interface ButtonOptions {
  text: string;
  /** Constant; `value` says which thing the button is about. */
  actionId: string;
  value?: string | undefined;
  style?: 'primary' | 'danger' | undefined;
  /** Without `confirm`, its button has the text of this one. */
  confirm?: Confirmation | undefined;
}

interface Confirmation {
  title: string;
  text: Markup;
  confirm?: string;
  deny?: string;
}

/** @throws RangeError if Slack would refuse `value`: if it were cut, it would name another thing */
export function button({ text, actionId, value, style, confirm }: ButtonOptions): Button {
  if (value !== undefined && value.length > MAX_BUTTON_VALUE_LENGTH)
    throw new RangeError('A button’s value holds at most 2,000 characters');
  return {
    type: 'button',
    action_id: actionId,
    text: plainText(text, 75),
    ...(value === undefined ? {} : { value }),
    ...(style ? { style } : {}),
    ...(confirm && { confirm: confirmationObject(confirm, text) }),
  };
}

const confirmationObject = ({ title, text, confirm, deny = 'Keep it' }: Confirmation, label: string) => ({
  title: plainText(title, 100),
  text: mrkdwn(text, 300),
  confirm: plainText(confirm ?? label, 30),
  deny: plainText(deny, 30),
});

/** Slack's documentation says 150 characters, its own types say 75. */
export const MAX_OPTION_VALUE_LENGTH = 75;
export const MAX_BUTTON_VALUE_LENGTH = 2_000;

export interface MenuOptions {
  placeholder: string;
  actionId: string;
  options: readonly { text: string; value: string }[];
  chosen?: string | undefined;
  /** Slack asks whichever option is chosen. */
  confirm?: Confirmation;
}

/** @throws RangeError for a value that Slack would refuse: if it were cut, it would name another thing */
export function menu({ placeholder, actionId, options, chosen, confirm }: MenuOptions): Menu {
  if (options.some(({ value }) => value.length < 1 || value.length > MAX_OPTION_VALUE_LENGTH))
    throw new RangeError(`An option’s value holds 1 to ${MAX_OPTION_VALUE_LENGTH} characters`);
  const items = options.slice(0, 100).map(({ text, value }) => ({ text: plainText(text, 75), value }));
  const initial = items.find(({ value }) => value === chosen);
  return {
    type: 'static_select',
    action_id: actionId,
    placeholder: plainText(placeholder, 150),
    options: items,
    ...(initial ? { initial_option: initial } : {}),
    ...(confirm && { confirm: confirmationObject(confirm, placeholder) }),
  };
}

export interface ChartOptions {
  kind: 'line' | 'bar' | 'area';
  title: string;
  categories: readonly string[];
  series: readonly { name: string; values: readonly number[] }[];
  yLabel?: string;
}

/**
 * Screen readers cannot read a chart, so its numbers must appear beside it.
 *
 * @throws RangeError for more points or series than Slack draws, or a series with a gap: group them first
 */
export function chart({ kind, title, categories, series, yLabel }: ChartOptions): Block {
  if (categories.length < 1 || categories.length > MAX_CHART_POINTS) throw new RangeError('A chart has 1 to 20 points');
  if (series.length < 1 || series.length > MAX_CHART_SERIES) throw new RangeError('A chart has 1 to 6 series');
  const labels = distinct(categories.map((category) => plain(category)));
  const names = distinct(series.map(({ name }) => plain(name)));
  return {
    type: 'data_visualization',
    title: clip(plain(title), 50) || 'Chart',
    chart: {
      type: kind,
      series: series.map(({ values }, index) => {
        if (values.length !== labels.length) throw new RangeError('A series has one value for each point');
        return { name: names[index], data: values.map((value, point) => ({ label: labels[point], value })) };
      }),
      axis_config: { categories: labels, ...(yLabel ? { y_label: clip(plain(yLabel), 50) } : {}) },
    },
  };
}

function distinct(labels: readonly string[]): string[] {
  const used = new Set<string>();
  return labels.map((label) => {
    let short = clip(label, 20) || '–';
    for (let copy = 2; used.has(short); copy += 1) short = `${clip(label, 20 - ` ${copy}`.length)} ${copy}`;
    used.add(short);
    return short;
  });
}

export type Cell = string | { value: number; text: string };

interface CellsOptions {
  /** Read aloud before the table. */
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** 1 to 100. */
  pageSize?: number;
}

/** Leaves out rows past Slack's limits, and says so. @throws RangeError if cells and columns do not match */
export function dataTable({ caption, columns, rows, pageSize = 10 }: CellsOptions): Block {
  const head = columns.map((column) => textCell(column));
  let characters = columns.join('').length;
  const body: Block[][] = [];
  for (const row of rows.slice(0, MAX_TABLE_ROWS)) {
    if (row.length !== columns.length) throw new RangeError('Every row has a cell for every column');
    const cells = row.map((cell) => (typeof cell === 'string' ? textCell(cell) : numberCell(cell)));
    characters += cells.reduce((sum, cell) => sum + cell.text.length, 0);
    if (characters > MAX_TABLE_CHARACTERS) break;
    body.push(cells);
  }
  const rangeNote = body.length < rows.length ? ` (first ${body.length} of ${rows.length})` : '';
  return {
    type: 'data_table',
    caption: `${clip(plain(caption), 120) || 'Table'}${rangeNote}`,
    page_size: Math.min(100, Math.max(1, pageSize)),
    rows: [head, ...(body.length > 0 ? body : [columns.map(() => textCell('–'))])],
  };
}

const textCell = (text: string) => ({ type: 'raw_text', text: clip(plain(text), 200) || ' ' });
const numberCell = ({ value, text }: { value: number; text: string }) => ({
  type: 'raw_number',
  value,
  text: text || ' ',
});

/**
 * Leaves out blocks past Slack's limits for a whole message, and the message says so.
 *
 * @param text the contents of the blocks, for notifications and for readers who cannot see the blocks
 */
export function message(text: Markup, blocks: readonly Block[]): BlockMessage {
  const fitting: Block[] = [];
  let characters = 0;
  for (const block of blocks) {
    characters += countMessageCharacters([block]);
    if (fitting.length === MAX_BLOCKS || characters > MESSAGE_CHARACTERS_BUDGET) break;
    fitting.push(block);
  }
  if (fitting.length < blocks.length) {
    if (fitting.length === MAX_BLOCKS) fitting.pop();
    fitting.push(context(markup`_${blocks.length - fitting.length} more parts did not fit into this message._`));
  }
  return { text, blocks: fitting };
}
