import { DAY_MS } from '../../base/time/durations.ts';
import type { Clock } from '../../base/time/clock.ts';
import { checkBlocks } from '../blocks/rules/index.ts';
import { type Block, context, dataTable, section } from '../blocks/blocks.ts';
import { type Markup, clipMarkup, markup, markupLength } from '../../base/text/markup.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../base/log.ts';
import type { OutgoingMessage } from '../../outbox/poster.ts';
import { withoutTrailing } from '../../base/text/trailing.ts';
import { z } from 'zod';
import { formatNumber } from '../../base/text/numbers.ts';

/** Slack enables new features in one workspace after another. */
const ASK_AGAIN_MS = DAY_MS;

/** Whether this workspace accepts charts, and tables above the older limits, as far as known. */
export interface ChartSupport {
  isLikely(): boolean;
  recordRefusal(): void;
  largeTables: LargeTableSupport;
}

export interface LargeTableSupport {
  isKnown(): boolean;
  /** An answer may try a large table, because it can be repeated without it. */
  mayTry(): boolean;
  recordAccepted(): void;
  recordRefusal(): void;
}

/** Remembers a refusal for a day, so that the next messages are sent at once in an accepted form. */
export function createChartSupport(clock: Clock): ChartSupport {
  const nowMs = () => clock.now().getTime();
  let chartsRefusedUntilMs = 0;
  let tablesRefusedUntilMs = 0;
  let areLargeTablesAccepted = false;
  return {
    isLikely: () => nowMs() >= chartsRefusedUntilMs,
    recordRefusal: () => {
      chartsRefusedUntilMs = nowMs() + ASK_AGAIN_MS;
    },
    largeTables: {
      isKnown: () => areLargeTablesAccepted,
      mayTry: () => areLargeTablesAccepted || nowMs() >= tablesRefusedUntilMs,
      recordAccepted: () => {
        areLargeTablesAccepted = true;
      },
      recordRefusal: () => {
        areLargeTablesAccepted = false;
        tablesRefusedUntilMs = nowMs() + ASK_AGAIN_MS;
      },
    },
  };
}

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

const isTable = (block: object | undefined): block is Table =>
  block !== undefined && 'type' in block && block.type === 'data_table' && 'rows' in block && Array.isArray(block.rows);

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

/** The length that Slack recommends for a message of text alone. */
const MAX_TEXT_LENGTH = 3_900;
/** Beside blocks, the text is for notifications and screen readers, and repeats the blocks; Slack cuts it at 40,000. */
const MAX_TEXT_BESIDE_BLOCKS_LENGTH = 20_000;
/** chat.update refuses more than 4,000, counted as UTF-8 bytes. */
const MAX_EDIT_BYTES = 3_990;

/**
 * Tries a message whole, then without charts (a workspace may not support them yet), then as its text with its buttons,
 * then as text alone. One broken rule would lose the whole message, so the blocks are checked here too. Tables above
 * the older limits are sent if Slack has accepted one before. Until then only an answer tries them
 * (`mayTryLargeTables`): a person waits for it, and a refusal costs nothing.
 *
 * @param send sends one form and returns whether Slack refused its blocks; if so, nothing was sent
 */
export async function sendFullestForm<Outcome>(
  message: OutgoingMessage,
  deps: FormDeps,
  send: (form: OutgoingMessage) => Promise<{ areBlocksRefused: boolean; outcome: Outcome }>,
): Promise<Outcome> {
  let refused: FormName | undefined;
  const noteSimpler = (name: FormName) => {
    if (refused) deps.log.warn({ form: name }, 'Slack refused the blocks of a message; a simpler form is sent');
  };
  for (const form of formsWithBlocks(message, deps)) {
    noteSimpler(form.name);
    const { areBlocksRefused, outcome } = await send(form.message);
    if (!areBlocksRefused) {
      if (refused) recordRefusalReason(refused, form.name, deps.charts);
      else if (form.name === 'large tables') deps.charts.largeTables.recordAccepted();
      return outcome;
    }
    refused = form.name;
  }
  noteSimpler('text');
  return (await send(withoutBlocks(message))).outcome;
}

interface FormDeps {
  charts: ChartSupport;
  log: Logger;
  mayTryLargeTables?: boolean;
}

type FormName = 'large tables' | 'full' | 'without charts' | 'buttons' | 'text';

interface Form {
  name: FormName;
  message: OutgoingMessage;
}

/** The reason is known only if the very next form was accepted. */
function recordRefusalReason(refusedForm: FormName, acceptedForm: FormName, charts: ChartSupport): void {
  if (acceptedForm !== 'without charts') return;
  if (refusedForm === 'large tables') charts.largeTables.recordRefusal();
  if (refusedForm === 'full') charts.recordRefusal();
}

/**
 * The forms to try before the text alone, in order: at most three, since an answer has five uses and its progress may
 * have used one. Each is built when it is needed, which is seldom after the first.
 */
function* formsWithBlocks(message: OutgoingMessage, deps: FormDeps): Generator<Form, void, undefined> {
  const { blocks } = message;
  if (!blocks || !hasSafeBlocks(blocks, deps.log)) return;
  const text = clipMarkup(message.text, MAX_TEXT_BESIDE_BLOCKS_LENGTH);
  const isLarge = isLargeWorthIt(blocks, deps);
  const withCharts = deps.charts.isLikely() ? (some: readonly object[]) => some : withoutCharts;
  const builders: [name: FormName, build: () => readonly object[]][] = [
    isLarge ? ['large tables', () => withCharts(blocks)] : ['full', () => withCharts(fitTables(blocks))],
    ['without charts', () => withoutCharts(fitTables(blocks))],
    ['buttons', () => textAndButtons(text, blocks)],
  ];
  let previous: readonly object[] = [];
  for (const [name, build] of builders) {
    const own = build();
    if (own.length > 0 && !isDeepStrictEqual(own, previous)) yield { name, message: { ...message, text, blocks: own } };
    previous = own;
  }
}

function isLargeWorthIt(blocks: readonly object[], { charts, mayTryLargeTables }: FormDeps): boolean {
  if (fitsEveryWorkspace(blocks)) return false;
  return mayTryLargeTables ? charts.largeTables.mayTry() : charts.largeTables.isKnown();
}

function withoutBlocks({ blocks: _blocks, ...message }: OutgoingMessage): OutgoingMessage {
  return { ...message, text: clipMarkup(message.text, MAX_TEXT_LENGTH) };
}

/** Logs every broken rule. */
function hasSafeBlocks(blocks: readonly object[], log: Logger): boolean {
  const violations = checkBlocks(blocks, 'message');
  if (violations.length > 0) log.error({ violations }, 'A message breaks Slack’s rules and is sent as text');
  return violations.length === 0;
}

/** Does not split a character. */
export function clipForEdit(text: string): string {
  if (Buffer.byteLength(text) <= MAX_EDIT_BYTES) return text;
  const cut = Buffer.from(text).subarray(0, MAX_EDIT_BYTES - 3);
  return `${withoutTrailing(new TextDecoder('utf-8', { fatal: false }).decode(cut), '\uFFFD')}…`;
}

/** A section's text holds 3,000 characters. */
const MAX_SECTION_LENGTH = 2_900;
/** Slack's limit for one block of actions; the message has only one. */
const MAX_ELEMENTS = 25;

const element = z.looseObject({ type: z.string(), action_id: z.string().optional() });
const holder = z.object({
  type: z.string(),
  elements: z.array(z.unknown()).optional().catch(undefined),
  accessory: z.unknown().optional(),
});

/** Empty if there are no buttons. @example textAndButtons(markup`A request`, card.blocks) // a section, and a button */
function textAndButtons(text: Markup, blocks: readonly object[]): object[] {
  const elements = blocks.flatMap((block) => elementsOf(block)).slice(0, MAX_ELEMENTS);
  if (elements.length === 0) return [];
  return [section(clipMarkup(text, MAX_SECTION_LENGTH)), { type: 'actions', elements }];
}

function elementsOf(block: object): object[] {
  const { data } = holder.safeParse(block);
  if (!data) return [];
  const held = data.type === 'actions' ? (data.elements ?? []) : data.type === 'section' ? [data.accessory] : [];
  return held.flatMap((one) => {
    const parsed = element.safeParse(one).data;
    return parsed?.action_id === undefined ? [] : [parsed];
  });
}

/** A chart as `chart` builds it. */
export const chartSchema = z.object({
  type: z.literal('data_visualization'),
  title: z.string(),
  chart: z.object({
    series: z.array(z.object({ name: z.string(), data: z.array(z.object({ label: z.string(), value: z.number() })) })),
    axis_config: z.object({ categories: z.array(z.string()), y_label: z.string().optional() }),
  }),
});

/** A chart without a table directly behind it becomes a table of its numbers. */
function withoutCharts(blocks: readonly object[]): object[] {
  return blocks.flatMap((block, index) => {
    const read = chartSchema.safeParse(block);
    if (!read.success) return [block];
    return isTable(blocks[index + 1]) ? [] : [tableOf(read.data)];
  });
}

function tableOf({ title, chart: { series, axis_config: axis } }: z.infer<typeof chartSchema>): Block {
  return dataTable({
    caption: title,
    columns: ['', ...series.map(({ name }) => name)],
    rows: axis.categories.map((category, index) => [
      category,
      ...series.map(({ data }) => {
        const value = data[index]?.value ?? 0;
        return { value, text: formatNumber(value) };
      }),
    ]),
    pageSize: 7,
  });
}
