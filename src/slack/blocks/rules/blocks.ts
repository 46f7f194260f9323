/** The layout blocks that are sent: https://docs.slack.dev/reference/block-kit/blocks */
import { z } from 'zod';
import { dataVisualization } from './chart.ts';
import { anyText, blockId, plainText } from './composition.ts';
import { dataTable } from './data-table.ts';
import { actionElement, button, inputElement } from './elements.ts';
import { richText } from './rich-text.ts';
import { report } from './violation.ts';

const id = { block_id: blockId.optional() };

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
      path: ['dispatch_action'],
      code: 'inconsistent',
      message: 'not supported with file_input',
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
