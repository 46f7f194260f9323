import type { BlockJson } from '../page/shot.ts';

const isRecord = (value: unknown): value is BlockJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Members that contain words, in reading order. */
const TEXT_MEMBERS = [
  'title',
  'label',
  'text',
  'fields',
  'elements',
  'element',
  'accessory',
  'placeholder',
  'hint',
  'options',
  'initial_option',
  'confirm',
  'rows',
  'alt_text',
];
const MAX_ROWS = 4;

/**
 * Returns every text of the blocks, one line each, without formatting.
 *
 * @example plainLines([{ type: 'section', text: { type: 'mrkdwn', text: 'Hello' } }]) // ['Hello']
 */
export function linesOf(blocks: readonly BlockJson[]): string[] {
  return blocks.flatMap((block) => textsIn(block));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one));
  if (!isRecord(value)) return [];
  if (value['type'] === 'button') return textsIn(value['text']).map((label) => `[${label}]`);
  if (value['type'] === 'user') return [`@${String(value['user_id'])}`];
  if (Array.isArray(value['rows'])) return rowsOf(value);
  if (value['type'] === 'rich_text_section')
    return [
      listOf(value['elements'])
        .flatMap((one) => textsIn(one))
        .join(''),
    ];
  return TEXT_MEMBERS.flatMap((name) => textsIn(value[name]));
}

function rowsOf(table: BlockJson): string[] {
  const rows = listOf(table['rows']).map((row) => listOf(isRecord(row) ? row['cells'] : row));
  const visibleRows = rows
    .slice(0, MAX_ROWS)
    .map((cells) => `| ${cells.map((cell) => textsIn(cell).join(' ')).join(' | ')} |`);
  return rows.length > MAX_ROWS ? [...visibleRows, `| … ${rows.length - MAX_ROWS} more rows`] : visibleRows;
}
