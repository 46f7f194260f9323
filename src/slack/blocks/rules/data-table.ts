/** data_table: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
import { z } from 'zod';
import { blockId } from './composition.ts';
import { report } from './violation.ts';

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) }),
]);

export const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: blockId.optional(),
    caption: z.string().min(1),
    rows: z.array(z.array(cell).min(1).max(20)).min(2).max(201),
    page_size: z.int().min(1).max(100).optional(),
  })
  .superRefine((block, context) => {
    const [header = [], ...body] = block.rows;
    for (const [index, row] of body.entries()) {
      if (row.length === header.length) continue;
      report(context, block, {
        path: ['rows', index + 1],
        code: 'inconsistent',
        message: `must have as many cells as the header: ${header.length}`,
      });
    }
  });
