/** https://docs.slack.dev/reference/block-kit/blocks: the page of each is `/<name>-block`. */
import { anyText, blockId, plainText, slackFile, textTypes } from './composition.ts';
import { elements } from './elements.ts';
import { richText, richTextBlock } from './rich-text.ts';
import {
  boolean,
  choice,
  formatted,
  list,
  nullOr,
  number,
  object,
  pick,
  positive,
  string,
  typed,
  whole,
  type Members,
  type Types,
} from './shape.ts';

const id = { block_id: blockId };
const selects = [
  'static_select',
  'external_select',
  'users_select',
  'conversations_select',
  'channels_select',
] as const;
const multiSelects = [
  'multi_static_select',
  'multi_external_select',
  'multi_users_select',
  'multi_conversations_select',
  'multi_channels_select',
] as const;
const pressed = ['button', 'workflow_button', 'overflow', 'checkboxes', 'radio_buttons'] as const;
const image = typed(pick(elements, 'image'));
const https = formatted({ pattern: /^https:\/\//, description: 'an HTTPS URL' });

const cells = {
  raw_text: { needs: { text: string() } },
  raw_number: { needs: { value: number, text: string() } },
  rich_text: richTextBlock,
} satisfies Types;
const actionCell: Members = {
  needs: { element: typed(pick(elements, 'button')), fallback: typed(pick(cells, 'raw_text', 'raw_number')) },
};

const chartLabel = string(20);
const lineChart: Members = {
  needs: {
    series: list(
      object({
        needs: { name: chartLabel, data: list(object({ needs: { label: chartLabel, value: number } }), 20) },
      }),
      12,
    ),
    axis_config: object({
      needs: { categories: list(chartLabel, 20) },
      may: { x_label: string(50), y_label: string(50) },
    }),
  },
  rules: [{ rule: 'one point for each category' }],
};

const taskCard: Members = {
  needs: {
    task_id: string(),
    title: string(),
    status: choice('pending', 'in_progress', 'complete', 'error'),
  },
  may: { ...id, details: richText, output: richText, sources: list(typed(pick(elements, 'url'))) },
};

const basic = {
  // `@slack/types` lists multi-selects too, but Slack refuses them here:
  // https://github.com/slackapi/python-slack-sdk/issues/1631
  actions: {
    needs: {
      elements: list(
        typed(pick(elements, ...pressed, ...selects, 'datepicker', 'timepicker', 'datetimepicker', 'rich_text_input')),
        25,
      ),
    },
    may: id,
  },
  context: { needs: { elements: list(typed({ ...textTypes, ...pick(elements, 'image') }), 10) }, may: id },
  divider: { may: id },
  header: { needs: { text: plainText(150) }, may: { ...id, level: whole(1, 4) } },
  image: {
    needs: { alt_text: string(2_000) },
    may: { ...id, image_url: string(3_000), slack_file: slackFile, title: plainText(2_000) },
    rules: [
      { rule: 'at least one', of: ['image_url', 'slack_file'] },
      { rule: 'at most one', of: ['image_url', 'slack_file'] },
    ],
  },
  input: {
    needs: {
      label: plainText(2_000),
      element: typed(
        pick(
          elements,
          ...selects,
          ...multiSelects,
          'checkboxes',
          'radio_buttons',
          'datepicker',
          'timepicker',
          'datetimepicker',
          'plain_text_input',
          'email_text_input',
          'url_text_input',
          'number_input',
          'rich_text_input',
          'file_input',
        ),
      ),
    },
    may: { ...id, hint: plainText(2_000), optional: boolean, dispatch_action: boolean },
    // The page: "an unsupported type error will be raised".
    rules: [{ rule: 'not while', switch: 'dispatch_action', member: 'element', type: 'file_input' }],
  },
  rich_text: richTextBlock,
  section: {
    may: {
      ...id,
      text: anyText(3_000),
      fields: list(anyText(2_000), 10),
      accessory: typed(pick(elements, ...pressed, ...selects, ...multiSelects, 'datepicker', 'timepicker', 'image')),
      expand: boolean,
    },
    rules: [{ rule: 'at least one', of: ['text', 'fields'] }],
  },
  table: {
    needs: { rows: list(list(typed(cells), 20), 100) },
    may: {
      ...id,
      column_settings: list(
        nullOr(object({ may: { align: choice('left', 'center', 'right'), is_wrapped: boolean } })),
        20,
      ),
    },
  },
  // "Less than" 200 and 50 characters, by the page.
  video: {
    needs: { alt_text: string(), title: plainText(199), thumbnail_url: string(), video_url: https },
    may: {
      ...id,
      title_url: https,
      author_name: string(49),
      provider_name: string(),
      provider_icon_url: string(),
      description: plainText(),
    },
  },
} satisfies Types;

const card: Members = {
  may: {
    ...id,
    hero_image: image,
    icon: image,
    slack_icon: typed(pick(elements, 'icon')),
    title: anyText(150),
    subtitle: anyText(150),
    body: anyText(200),
    subtext: anyText(200),
    actions: list(typed(pick(elements, 'button')), 3),
  },
  rules: [
    { rule: 'at least one', of: ['hero_image', 'title', 'actions', 'body'] },
    { rule: 'at most one', of: ['icon', 'slack_icon'] },
  ],
};

export const blocks = {
  ...basic,
  alert: {
    needs: { text: anyText(200) },
    may: { ...id, level: choice('default', 'info', 'warning', 'error', 'success') },
  },
  card,
  carousel: { needs: { elements: list(typed({ card }), 10) }, may: id },
  container: {
    needs: { child_blocks: list(typed(basic), 10) },
    may: {
      ...id,
      title: plainText(150),
      rich_text_title: richText,
      subtitle: anyText(150),
      width: choice('narrow', 'standard', 'wide', 'full'),
      icon: image,
      is_collapsible: boolean,
      default_collapsed: boolean,
      has_header_divider: boolean,
    },
    rules: [
      { rule: 'at least one', of: ['title', 'rich_text_title'] },
      { rule: 'only with', member: 'default_collapsed', switch: 'is_collapsible' },
    ],
  },
  context_actions: { needs: { elements: list(typed(pick(elements, 'feedback_buttons', 'icon_button')), 5) }, may: id },
  // Slack says nothing about an empty caption, so it is refused.
  data_table: {
    needs: { caption: string(), rows: list(list(typed({ ...cells, action_cell: actionCell }), 20), 201, 2) },
    may: { ...id, page_size: whole(1, 100), row_header_column_index: whole(0) },
    rules: [{ rule: 'rows of equal length' }, { rule: 'first row without', type: 'rich_text' }],
  },
  data_visualization: {
    needs: {
      title: string(50),
      chart: typed({
        pie: { needs: { segments: list(object({ needs: { label: chartLabel, value: positive } }), 12) } },
        bar: lineChart,
        area: lineChart,
        line: lineChart,
      }),
    },
    may: id,
  },
  markdown: { needs: { text: string(12_000) }, may: id },
  // A plan has a plain string as its title: Slack refused an object, which the page shows.
  plan: { needs: { title: string() }, may: { ...id, tasks: list(typed({ task_card: taskCard })) } },
  // Outside a plan, Slack refused the status `pending`.
  task_card: { ...taskCard, needs: { ...taskCard.needs, status: choice('in_progress', 'complete', 'error') } },
} satisfies Types;
