/** Rich text: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
import { z } from 'zod';
import { blockId } from './composition.ts';

const flag = z.boolean().optional();
const style = z
  .strictObject({
    bold: flag,
    italic: flag,
    strike: flag,
    code: flag,
    underline: flag,
    highlight: flag,
    client_highlight: flag,
    unlink: flag,
  })
  .optional();
const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style });
const link = z.strictObject({
  type: z.literal('link'),
  url: z.string().min(1).max(3000),
  text: z.string().optional(),
  unsafe: flag,
  style,
});

const inline = z.discriminatedUnion('type', [
  text,
  link,
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.strictObject({ type: z.literal('color'), value: z.string().min(1), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string().min(1), style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: z.string().min(1),
    url: z.string().optional(),
    fallback: z.string().optional(),
    style,
  }),
  z.strictObject({
    type: z.literal('emoji'),
    name: z.string().min(1),
    unicode: z.string().optional(),
    url: z.string().optional(),
    style,
  }),
  z.strictObject({ type: z.literal('team'), team_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('user'), user_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string().min(1), style }),
]);

const border = z.int().min(0).max(1).optional();
const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline) });

const part = z.discriminatedUnion('type', [
  section,
  z.strictObject({
    type: z.literal('rich_text_list'),
    elements: z.array(section).min(1),
    style: z.enum(['bullet', 'ordered']),
    indent: z.int().min(0).max(8).optional(),
    offset: z.int().min(0).optional(),
    border,
  }),
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline), border }),
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(z.discriminatedUnion('type', [text, link])),
    language: z.string().optional(),
    border,
  }),
]);

export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: blockId.optional(),
  elements: z.array(part),
});
