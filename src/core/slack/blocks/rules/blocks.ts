/** The layout blocks that are sent: https://docs.slack.dev/reference/block-kit/blocks */
import { z } from 'zod';
import { actionElement, anyText, blockId, button, dataVisualization, inputElement, plainText } from './elements.ts';
import { report } from './violation.ts';

const id = { block_id: blockId.optional() };

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) }),
]);

/** https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    ...id,
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

const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1) });

/** The parts of rich text that are sent: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
const richText = z.strictObject({
  type: z.literal('rich_text'),
  ...id,
  elements: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(text).min(1) }),
        z.strictObject({ type: z.literal('rich_text_preformatted'), elements: z.array(text).min(1) }),
      ]),
    )
    .min(1),
});

const section = z
  .strictObject({
    type: z.literal('section'),
    ...id,
    text: anyText(3000).optional(),
    fields: z.array(anyText(2000)).min(1).max(10).optional(),
    accessory: z.discriminatedUnion('type', [button]).optional(),
  })
  .superRefine((block, context) => {
    if (block.text || block.fields) return;
    report(context, block, { path: [], code: 'missing', message: 'must define either `text` or `fields`' });
  });

const input = z
  .strictObject({
    type: z.literal('input'),
    ...id,
    label: plainText(2000),
    element: inputElement,
    hint: plainText(2000).optional(),
    optional: z.boolean().optional(),
    dispatch_action: z.boolean().optional(),
  })
  .superRefine((block, context) => {
    if (!block.dispatch_action || block.element.type !== 'file_input') return;
    report(context, block, {
      path: ['element', 'type'],
      code: 'unknown_type',
      message: 'unsupported type: file_input',
    });
  });

/** `surfaces.ts` says on which surfaces. Block types that are never sent here are refused. */
export const anyBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('actions'), ...id, elements: z.array(actionElement).min(1).max(25) }),
  z.strictObject({ type: z.literal('context'), ...id, elements: z.array(anyText(3000)).min(1).max(10) }),
  z.strictObject({ type: z.literal('divider'), ...id }),
  z.strictObject({ type: z.literal('header'), ...id, text: plainText(150) }),
  section,
  input,
  richText,
  dataTable,
  dataVisualization,
]);
export type AnyBlock = z.infer<typeof anyBlock>;
