/** The layout blocks: https://docs.slack.dev/reference/block-kit/blocks */
import { z } from 'zod';
import { dataVisualization } from './chart.ts';
import { anyText, blockId, checkImageSource, imageSource, plainText, webUrl } from './composition.ts';
import {
  accessory,
  actionElement,
  button,
  feedbackButtons,
  iconButton,
  imageElement,
  inputElement,
} from './elements.ts';
import { richText } from './rich-text.ts';
import { dataTable, table } from './tables.ts';
import { report } from './violation.ts';

const id = { block_id: blockId.optional() };
const secureUrl = webUrl.startsWith('https://', 'must be an https address');

const section = z
  .strictObject({
    type: z.literal('section'),
    ...id,
    text: anyText(3000).optional(),
    fields: z.array(anyText(2000)).min(1).max(10).optional(),
    accessory: accessory.optional(),
    expand: z.boolean().optional(),
  })
  .superRefine((block, context) => {
    if (block.text || block.fields) return;
    report(context, block, { path: [], code: 'missing', message: 'must provide one of: text, fields' });
  });

const image = z
  .strictObject({
    type: z.literal('image'),
    ...id,
    alt_text: z.string().max(2000),
    title: plainText(2000).optional(),
    ...imageSource,
  })
  .superRefine(checkImageSource);

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

const simple = [
  z.strictObject({ type: z.literal('actions'), ...id, elements: z.array(actionElement).min(1).max(25) }),
  z.strictObject({
    type: z.literal('context'),
    ...id,
    elements: z
      .array(z.discriminatedUnion('type', [imageElement, ...anyText(3000).options]))
      .min(1)
      .max(10),
  }),
  z.strictObject({ type: z.literal('divider'), ...id }),
  z.strictObject({
    type: z.literal('header'),
    ...id,
    text: plainText(150),
    level: z.int().min(1).max(4).optional(),
  }),
  z.strictObject({
    type: z.literal('video'),
    ...id,
    alt_text: z.string().min(1),
    title: plainText(199),
    thumbnail_url: webUrl,
    video_url: secureUrl,
    title_url: secureUrl.optional(),
    author_name: z.string().max(49).optional(),
    provider_name: z.string().optional(),
    provider_icon_url: webUrl.optional(),
    description: plainText(200).optional(),
  }),
] as const;

const card = z
  .strictObject({
    type: z.literal('card'),
    ...id,
    hero_image: imageElement.optional(),
    icon: imageElement.optional(),
    slack_icon: z.strictObject({ type: z.literal('icon'), name: z.string().min(1) }).optional(),
    title: anyText(150).optional(),
    subtitle: anyText(150).optional(),
    body: anyText(200).optional(),
    subtext: anyText(200).optional(),
    actions: z.array(button).min(1).max(3).optional(),
  })
  .superRefine((block, context) => {
    if (!block.hero_image && !block.title && !block.actions && !block.body) {
      const message = 'must provide one of: hero_image, title, actions, body';
      report(context, block, { path: [], code: 'missing', message });
    }
    if (block.icon && block.slack_icon) {
      report(context, block, { path: ['slack_icon'], code: 'inconsistent', message: 'not allowed beside icon' });
    }
  });

const taskCard = z.strictObject({
  type: z.literal('task_card'),
  ...id,
  task_id: z.string().min(1),
  title: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']),
  details: richText.optional(),
  output: richText.optional(),
  sources: z.array(z.strictObject({ type: z.literal('url'), url: webUrl, text: z.string().min(1) })).optional(),
});

// Slack also lists `file` as a child, but apps cannot send file blocks at all.
const containerChild = z.discriminatedUnion('type', [...simple, section, image, input, richText, table]);
const container = z
  .strictObject({
    type: z.literal('container'),
    ...id,
    title: plainText(150).optional(),
    rich_text_title: richText.optional(),
    subtitle: anyText(150).optional(),
    icon: imageElement.optional(),
    child_blocks: z.array(containerChild).min(1).max(10),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
  })
  .superRefine((block, context) => {
    if (!block.title && !block.rich_text_title) {
      report(context, block, { path: [], code: 'missing', message: 'must provide one of: title, rich_text_title' });
    }
    if (block.default_collapsed && !block.is_collapsible) {
      report(context, block, { path: ['default_collapsed'], code: 'inconsistent', message: 'needs is_collapsible' });
    }
  });

/** One block, wherever it stands; where it may stand is `surfaces.ts`. */
export const anyBlock = z.discriminatedUnion('type', [
  ...simple,
  section,
  image,
  input,
  card,
  taskCard,
  container,
  richText,
  table,
  dataTable,
  dataVisualization,
  z.strictObject({
    type: z.literal('alert'),
    ...id,
    text: anyText(200),
    level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
  }),
  z.strictObject({ type: z.literal('carousel'), ...id, elements: z.array(card).min(1).max(10) }),
  z.strictObject({
    type: z.literal('context_actions'),
    ...id,
    elements: z
      .array(z.discriminatedUnion('type', [feedbackButtons, iconButton]))
      .min(1)
      .max(5),
  }),
  z.strictObject({
    type: z.literal('file'),
    ...id,
    source: z.literal('remote'),
    external_id: z.string().min(1),
  }),
  z.strictObject({ type: z.literal('markdown'), ...id, text: z.string().min(1).max(12_000) }),
  z.strictObject({ type: z.literal('plan'), ...id, title: z.string().min(1), tasks: z.array(taskCard).optional() }),
]);
export type AnyBlock = z.infer<typeof anyBlock>;
