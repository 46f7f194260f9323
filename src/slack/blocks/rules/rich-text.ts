/** The parts of rich text that are sent: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
import { z } from 'zod';
import { blockId } from './composition.ts';

const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1) });

export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: blockId.optional(),
  elements: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(text) }),
      z.strictObject({ type: z.literal('rich_text_preformatted'), elements: z.array(text) }),
    ]),
  ),
});
