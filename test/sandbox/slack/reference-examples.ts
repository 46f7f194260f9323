/** An example of each block and element as `@slack/types` describes it, with all of their members. */
import type {
  ActionsBlock,
  ConfirmationDialog,
  InputBlock,
  KnownBlock,
  Option,
  PlainTextElement,
  PlainTextOption,
  RichTextBlock,
} from '@slack/types';
import type { Surface } from '../../../src/sandbox/slack/reference/surfaces.ts';

const plain = (text: string): PlainTextElement => ({ type: 'plain_text', text, emoji: true });
const option = (value: string): PlainTextOption => ({ text: plain(value), value, description: plain('d') });
const boxOption: Option = { text: { type: 'mrkdwn', text: '*a*', verbatim: true }, value: 'a' };
const groups = [{ label: plain('Group'), options: [option('a'), option('b')] }];
const confirm: ConfirmationDialog = {
  title: plain('Sure?'),
  text: { type: 'mrkdwn', text: 'Really?' },
  confirm: plain('Yes'),
  deny: plain('No'),
  style: 'danger',
};
const choice = { confirm, focus_on_load: false, placeholder: plain('Choose') };
const filter = { include: ['im', 'mpim', 'private', 'public'] as const, exclude_bot_users: true };
const dispatch = {
  dispatch_action_config: { trigger_actions_on: ['on_enter_pressed' as const] },
  placeholder: plain('p'),
};
const image = { type: 'image' as const, alt_text: 'a', image_url: 'https://example.com/a.png' };
const style = { bold: true, italic: true, strike: true, code: true, underline: true };
const richText: RichTextBlock = {
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: 'a', style },
        { type: 'link', url: 'https://example.com', text: 'b', unsafe: false, style },
        { type: 'user', user_id: 'U0ADA' },
        { type: 'usergroup', usergroup_id: 'S0WEB' },
        { type: 'team', team_id: 'T0ACME' },
        { type: 'channel', channel_id: 'C0USAGE' },
        { type: 'emoji', name: 'wave', unicode: '1f44b' },
        { type: 'date', timestamp: 1_720_710_212, format: '{date_num}', url: 'https://example.com', fallback: 'then' },
        { type: 'broadcast', range: 'here' },
        { type: 'color', value: '#F405B3' },
      ],
    },
    {
      type: 'rich_text_list',
      style: 'bullet',
      indent: 1,
      border: 0,
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'item' }] }],
    },
    { type: 'rich_text_quote', border: 1, elements: [{ type: 'text', text: 'quoted' }] },
    { type: 'rich_text_preformatted', border: 0, elements: [{ type: 'text', text: 'code' }] },
  ],
};

const inputs: InputBlock['element'][] = [
  { type: 'checkboxes', options: [boxOption], initial_options: [boxOption], confirm, focus_on_load: true },
  { type: 'radio_buttons', options: [boxOption], initial_option: boxOption },
  { type: 'datepicker', initial_date: '2026-11-27', placeholder: plain('p') },
  { type: 'timepicker', initial_time: '09:30', timezone: 'Europe/Berlin', placeholder: plain('p') },
  { type: 'datetimepicker', initial_date_time: 1_628_633_820 },
  {
    type: 'plain_text_input',
    initial_value: 'x'.repeat(5_000),
    multiline: true,
    min_length: 0,
    max_length: 3_000,
    ...dispatch,
  },
  { type: 'email_text_input', initial_value: 'ada@acme.example', ...dispatch },
  { type: 'url_text_input', initial_value: 'https://example.com', ...dispatch },
  {
    type: 'number_input',
    is_decimal_allowed: true,
    initial_value: '5.5',
    min_value: '-10',
    max_value: '10',
    ...dispatch,
  },
  { type: 'rich_text_input', initial_value: richText, min_lines: 1, max_lines: 100, ...dispatch },
  { type: 'file_input', filetypes: ['csv'], max_files: 10 },
  { type: 'static_select', option_groups: groups, initial_option: option('b'), ...choice },
  { type: 'external_select', initial_option: option('a'), min_query_length: 0, ...choice },
  { type: 'users_select', initial_user: 'U0ADA', ...choice },
  {
    type: 'conversations_select',
    initial_conversation: 'C0USAGE',
    default_to_current_conversation: true,
    response_url_enabled: true,
    filter: { ...filter, include: [...filter.include] },
    ...choice,
  },
  { type: 'channels_select', initial_channel: 'C0USAGE', response_url_enabled: true, ...choice },
  {
    type: 'multi_static_select',
    option_groups: groups,
    initial_options: [option('a')],
    max_selected_items: 1,
    ...choice,
  },
  {
    type: 'multi_external_select',
    initial_options: [option('a')],
    min_query_length: 3,
    max_selected_items: 1,
    ...choice,
  },
  { type: 'multi_users_select', initial_users: ['U0ADA'], max_selected_items: 2, ...choice },
  {
    type: 'multi_conversations_select',
    initial_conversations: ['C0USAGE'],
    filter: { exclude_bot_users: true },
    ...choice,
  },
  { type: 'multi_channels_select', initial_channels: ['C0USAGE'], max_selected_items: 2, ...choice },
];

const actions: ActionsBlock['elements'] = [
  {
    type: 'button',
    text: plain('Go'),
    value: '',
    url: 'https://example.com',
    style: 'primary',
    accessibility_label: 'a',
    confirm,
  },
  {
    type: 'workflow_button',
    text: plain('Run'),
    workflow: {
      trigger: { url: 'https://slack.com/shortcuts/Ft1/a', customizable_input_parameters: [{ name: 'a', value: 'b' }] },
    },
    style: 'danger',
    accessibility_label: 'a',
  },
  { type: 'overflow', options: [{ text: plain('a'), value: 'a', url: 'https://example.com' }], confirm },
];

const feedback = { text: plain('Good'), value: 'good', accessibility_label: 'a' };
const words = { type: 'mrkdwn' as const, text: 'a' };
const task = {
  type: 'task_card' as const,
  task_id: 't1',
  title: 'Read',
  status: 'complete' as const,
  details: richText,
  output: richText,
  sources: [{ type: 'url' as const, url: 'https://example.com', text: 'a' }],
};

const blocks: [Surface, KnownBlock][] = [
  ...inputs.map((element): [Surface, KnownBlock] => [
    'modal',
    { type: 'input', label: plain('Name'), hint: plain('h'), optional: true, element },
  ]),
  ['message', { type: 'actions', block_id: 'b', elements: actions }],
  ['modal', { type: 'alert', text: words, level: 'warning' }],
  ['message', { type: 'card', hero_image: image, icon: image, title: words, subtitle: words, body: words }],
  ['home', { type: 'carousel', elements: [{ type: 'card', title: words }] }],
  [
    'message',
    {
      type: 'container',
      title: plain('a'),
      subtitle: words,
      child_blocks: [{ type: 'divider' }, { type: 'section', text: words }],
      width: 'wide',
      icon: image,
      is_collapsible: true,
      default_collapsed: true,
    },
  ],
  ['message', { type: 'container', rich_text_title: richText, child_blocks: [richText], has_header_divider: true }],
  ['message', { type: 'context', elements: [words, plain('a'), image] }],
  [
    'message',
    {
      type: 'context_actions',
      elements: [
        { type: 'feedback_buttons', positive_button: feedback, negative_button: feedback },
        {
          type: 'icon_button',
          icon: 'trash',
          text: plain('Delete'),
          value: 'a',
          visible_to_user_ids: ['U0ADA'],
          confirm,
        },
      ],
    },
  ],
  [
    'home',
    {
      type: 'data_table',
      caption: 'Usage',
      rows: [
        [
          { type: 'raw_text', text: 'Day' },
          { type: 'raw_text', text: 'Credits' },
        ],
        [richText, { type: 'raw_number', value: 3, text: '3' }],
      ],
      page_size: 100,
      row_header_column_index: 0,
    },
  ],
  ['home', { type: 'divider', block_id: 'b' }],
  ['message', { type: 'header', text: plain('Usage') }],
  ['message', { type: 'image', alt_text: 'a', slack_file: { id: 'F1' }, title: plain('a') }],
  ['message', { type: 'markdown', text: '# a' }],
  ['modal', richText],
  ['message', { type: 'section', fields: [words, plain('a')], accessory: image, expand: true }],
  ['home', { type: 'section', text: words, accessory: { type: 'multi_users_select' } }],
  [
    'message',
    {
      type: 'table',
      rows: [[{ type: 'raw_text', text: 'a' }, richText]],
      column_settings: [{ align: 'right', is_wrapped: true }, {}],
    },
  ],
  ['message', task],
  ['message', { type: 'plan', title: 'Plan', tasks: [{ ...task, status: 'pending' }] }],
  [
    'message',
    {
      type: 'video',
      alt_text: 'a',
      title: plain('a'),
      thumbnail_url: 'https://example.com/a.png',
      video_url: 'https://example.com/a',
      title_url: 'https://example.com',
      author_name: 'Ada',
      provider_name: 'a',
      provider_icon_url: 'https://example.com/a.png',
      description: plain('a'),
    },
  ],
];

const points = [{ label: 'Mon', value: 1 }];
/** `@slack/types` 3.2.0 lacks them. */
const newer: [Surface, { type: string; [member: string]: unknown }][] = [
  ['message', { type: 'header', text: plain('a'), level: 4 }],
  ['message', { type: 'card', title: plain('a'), slack_icon: { type: 'icon', name: 'bolt' }, subtext: words }],
  ['message', { type: 'table', rows: [[{ type: 'raw_number', value: 1, text: '1' }]], column_settings: [null] }],
  [
    'message',
    {
      type: 'data_table',
      caption: 'a',
      rows: [
        [{ type: 'raw_text', text: 'a' }],
        [
          {
            type: 'action_cell',
            element: { type: 'button', action_id: 'a', text: plain('Go'), agent_prompt: 'p' },
            fallback: { type: 'raw_text', text: 'a' },
          },
        ],
      ],
    },
  ],
  ['message', { type: 'data_visualization', title: 'a', chart: { type: 'pie', segments: points } }],
  ...['bar', 'area', 'line'].map((type): [Surface, { type: string; [member: string]: unknown }] => [
    'message',
    {
      type: 'data_visualization',
      title: 'a',
      chart: {
        type,
        series: [{ name: 'a', data: [{ label: 'Mon', value: -1.5 }] }],
        axis_config: { categories: ['Mon'], x_label: 'x', y_label: 'y' },
      },
    },
  ]),
];

export const EXAMPLES = [...blocks, ...newer].map(([surface, block]) => {
  const inside = 'element' in block ? ` of ${JSON.stringify(block.element).slice(9, 40).split('"')[0]}` : '';
  return { name: `${block.type}${inside}`, surface, block };
});
