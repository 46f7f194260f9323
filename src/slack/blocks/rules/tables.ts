/** table and data_table: https://docs.slack.dev/reference/block-kit/blocks/table-block and …/data-table-block */
import { z } from 'zod';
import { blockId } from './composition.ts';
import { button } from './elements.ts';
import { richText } from './rich-text.ts';
import { report } from './violation.ts';

const rawText = z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) });
const rawNumber = z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) });

export const table = z.strictObject({
  type: z.literal('table'),
  block_id: blockId.optional(),
  rows: z
    .array(
      z
        .array(z.discriminatedUnion('type', [rawText, rawNumber, richText]))
        .min(1)
        .max(20),
    )
    .min(1)
    .max(100),
  column_settings: z
    .array(
      z
        .strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() })
        .nullable(),
    )
    .max(20)
    .optional(),
});

const actionCell = z.strictObject({
  type: z.literal('action_cell'),
  element: button,
  fallback: z.discriminatedUnion('type', [rawText, rawNumber]),
});
const dataCell = z.discriminatedUnion('type', [rawText, rawNumber, richText, actionCell]);

export const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: blockId.optional(),
    caption: z.string().min(1),
    rows: z.array(z.array(dataCell).min(1).max(20)).min(2).max(201),
    page_size: z.int().min(1).max(100).optional(),
    row_header_column_index: z.int().min(0).max(19).optional(),
  })
  .superRefine((block, context) => {
    const [header = [], ...body] = block.rows;
    for (const [column, cell] of header.entries()) {
      if (cell.type === 'raw_text' || cell.type === 'raw_number') continue;
      report(context, block, {
        path: ['rows', 0, column, 'type'],
        code: 'inconsistent',
        message: `unsupported type in the header row: ${cell.type}`,
      });
    }
    for (const [index, row] of body.entries()) {
      if (row.length === header.length) continue;
      report(context, block, {
        path: ['rows', index + 1],
        code: 'inconsistent',
        message: `must have as many cells as the header: ${header.length}`,
      });
    }
    if ((block.row_header_column_index ?? 0) >= header.length) {
      report(context, block, {
        path: ['row_header_column_index'],
        code: 'inconsistent',
        message: 'must be the index of a column',
      });
    }
  });
