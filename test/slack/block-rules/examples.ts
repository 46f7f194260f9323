/** Blocks that Slack takes, and for each rule a change that it refuses. */

type Json = Record<string, unknown>;

export const plain = (text: string) => ({ type: 'plain_text', text });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
export const long = (length: number) => 'x'.repeat(length);
const option = (value: string) => ({ text: plain(value), value });
const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const button = (id: string) => ({ type: 'button', action_id: id, text: plain('Go') });
const words = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text, style: { bold: true } }] }],
});
const cell = (text: string) => ({ type: 'raw_text', text });
const numberCell = (value: number) => ({ type: 'raw_number', value, text: String(value) });
const image = { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'A chart' };
const card = { type: 'card', title: mrkdwn('Atlas'), body: plain('Ready'), actions: [button('open')] };
const points = (values: number[]) => values.map((value, index) => ({ label: `d${index}`, value }));
const lineChart = {
  type: 'line',
  series: [{ name: 'Billing', data: points([1, 2]) }],
  axis_config: { categories: ['d0', 'd1'], x_label: 'Day', y_label: 'Tickets' },
};
const chart = { type: 'data_visualization', title: 'Open tickets', chart: lineChart };
const input = (element: Json) => ({ type: 'input', label: plain('Name'), element });
const actions = (element: Json) => ({ type: 'actions', elements: [element] });

export interface Example {
  name: string;
  surface: 'message' | 'modal' | 'home';
  block: Json;
  /** What breaks it: members laid over the block, the pointer and the words of the refusal. */
  broken: { change: Json; pointer: string; message: string | RegExp }[];
}

export const examples: Example[] = [
  {
    name: 'section',
    surface: 'message',
    block: { type: 'section', text: mrkdwn('*hi*'), accessory: button('go'), expand: true },
    broken: [
      { change: { text: mrkdwn(long(3001)) }, pointer: '/text/text', message: 'must be less than 3001 characters' },
      { change: { text: mrkdwn('') }, pointer: '/text/text', message: 'must be more than 0 characters' },
      { change: { text: 'bare' }, pointer: '/text', message: 'must provide an object' },
      { change: { text: undefined }, pointer: '', message: 'must provide one of: text, fields' },
      { change: { fields: many(11, () => plain('f')) }, pointer: '/fields', message: 'no more than 10 items allowed' },
      {
        change: { fields: [plain(long(2001))] },
        pointer: '/fields/0/text',
        message: 'must be less than 2001 characters',
      },
      { change: { colour: 'red' }, pointer: '', message: 'invalid additional property: colour' },
      { change: { text: { ...mrkdwn('a'), emoji: true } }, pointer: '/text', message: /additional property: emoji/ },
      { change: { accessory: { type: 'knob' } }, pointer: '/accessory/type', message: 'unsupported type: knob' },
      { change: { block_id: long(256) }, pointer: '/block_id', message: 'must be less than 256 characters' },
    ],
  },
  {
    name: 'actions',
    surface: 'message',
    block: { type: 'actions', elements: [button('a'), button('b')] },
    broken: [
      { change: { elements: [] }, pointer: '/elements', message: 'no fewer than 1 items required' },
      {
        change: { elements: many(26, (n) => button(`b${n}`)) },
        pointer: '/elements',
        message: /no more than 25 items/,
      },
      { change: { elements: [button('a'), button('a')] }, pointer: '/elements/1/action_id', message: /already exists/ },
      {
        change: { elements: [{ ...button('a'), text: plain(long(76)) }] },
        pointer: '/elements/0/text/text',
        message: /76/,
      },
      { change: { elements: [{ ...button('a'), value: long(2001) }] }, pointer: '/elements/0/value', message: /2001/ },
      {
        change: { elements: [{ ...button('a'), style: 'loud' }] },
        pointer: '/elements/0/style',
        message: /one of: primary/,
      },
      {
        change: { elements: [{ ...button('a'), text: mrkdwn('m') }] },
        pointer: '/elements/0/text/type',
        message: /plain_text/,
      },
    ],
  },
  {
    name: 'static_select with a confirmation',
    surface: 'message',
    block: actions({
      type: 'static_select',
      action_id: 's',
      options: [option('a'), option('b')],
      initial_option: option('b'),
      confirm: { title: plain('Sure?'), text: plain('Really'), confirm: plain('Yes'), deny: plain('No') },
    }),
    broken: [
      {
        change: actions({ type: 'static_select', options: [] }),
        pointer: '/elements/0/options',
        message: /no fewer than 1/,
      },
      { change: actions({ type: 'static_select' }), pointer: '/elements/0', message: /one of: options, option_groups/ },
      {
        change: actions({ type: 'static_select', options: many(101, (n) => option(`${n}`)) }),
        pointer: '/elements/0/options',
        message: 'no more than 100 items allowed',
      },
      {
        change: actions({ type: 'static_select', options: [option(long(76))] }),
        pointer: '/elements/0/options/0/text/text',
        message: 'must be less than 76 characters',
      },
      {
        change: actions({ type: 'static_select', options: [option('a')], initial_option: option('b') }),
        pointer: '/elements/0/initial_option',
        message: 'must be among the options',
      },
      {
        change: actions({ ...button('a'), confirm: { text: plain(long(301)) } }),
        pointer: '/elements/0/confirm/text/text',
        message: /301/,
      },
    ],
  },
  {
    name: 'overflow, checkboxes and radio buttons',
    surface: 'message',
    block: {
      type: 'actions',
      elements: [
        { type: 'overflow', action_id: 'o', options: [{ ...option('a'), url: 'https://example.com' }] },
        { type: 'checkboxes', action_id: 'c', options: [{ text: mrkdwn('*a*'), value: 'a' }] },
        { type: 'radio_buttons', action_id: 'r', options: [option('a')] },
      ],
    },
    broken: [
      {
        change: actions({ type: 'overflow', options: many(6, (n) => option(`${n}`)) }),
        pointer: '/elements/0/options',
        message: /no more than 5/,
      },
      {
        change: actions({ type: 'checkboxes', options: many(11, (n) => option(`${n}`)) }),
        pointer: '/elements/0/options',
        message: /no more than 10/,
      },
      {
        change: actions({ type: 'radio_buttons', options: many(11, (n) => option(`${n}`)) }),
        pointer: '/elements/0/options',
        message: /no more than 10/,
      },
    ],
  },
  {
    name: 'pickers',
    surface: 'message',
    block: {
      type: 'actions',
      elements: [
        { type: 'datepicker', initial_date: '2026-03-01' },
        { type: 'timepicker', initial_time: '09:00', timezone: 'Europe/Berlin' },
        { type: 'datetimepicker', initial_date_time: 1_772_355_600 },
      ],
    },
    broken: [
      {
        change: actions({ type: 'datepicker', initial_date: '1 March' }),
        pointer: '/elements/0/initial_date',
        message: /YYYY-MM-DD/,
      },
      {
        change: actions({ type: 'timepicker', initial_time: '25:00' }),
        pointer: '/elements/0/initial_time',
        message: /HH:mm/,
      },
      {
        change: actions({ type: 'datetimepicker', initial_date_time: 12 }),
        pointer: '/elements/0/initial_date_time',
        message: /at least/,
      },
    ],
  },
  {
    name: 'context',
    surface: 'message',
    block: { type: 'context', elements: [mrkdwn('small'), image] },
    broken: [
      {
        change: { elements: many(11, () => plain('a')) },
        pointer: '/elements',
        message: 'no more than 10 items allowed',
      },
      { change: { elements: [button('a')] }, pointer: '/elements/0/type', message: 'unsupported type: button' },
    ],
  },
  {
    name: 'header with a level',
    surface: 'message',
    block: { type: 'header', text: plain('Usage'), level: 2 },
    broken: [
      { change: { text: plain(long(151)) }, pointer: '/text/text', message: 'must be less than 151 characters' },
      { change: { level: 5 }, pointer: '/level', message: 'must be no more than 4' },
      { change: { text: mrkdwn('a') }, pointer: '/text/type', message: 'must be one of: plain_text' },
    ],
  },
  {
    name: 'divider',
    surface: 'home',
    block: { type: 'divider' },
    broken: [{ change: { text: 'a' }, pointer: '', message: /text/ }],
  },
  {
    name: 'image',
    surface: 'message',
    block: { ...image, title: plain('Chart') },
    broken: [
      { change: { alt_text: undefined }, pointer: '', message: 'missing required field: alt_text' },
      { change: { slack_file: { id: 'F1' } }, pointer: '', message: 'must provide one of: image_url, slack_file' },
      { change: { alt_text: long(2001) }, pointer: '/alt_text', message: 'must be less than 2001 characters' },
    ],
  },
  {
    name: 'input',
    surface: 'modal',
    block: {
      ...input({ type: 'plain_text_input', multiline: true, max_length: 3000 }),
      hint: plain('h'),
      optional: true,
    },
    broken: [
      { change: { label: plain(long(2001)) }, pointer: '/label/text', message: 'must be less than 2001 characters' },
      { change: input({ type: 'button' }), pointer: '/element/type', message: 'unsupported type: button' },
      {
        change: input({ type: 'plain_text_input', max_length: 3001 }),
        pointer: '/element/max_length',
        message: /3000/,
      },
      {
        change: input({ type: 'number_input' }),
        pointer: '/element',
        message: /missing required field: is_decimal_allowed/,
      },
      {
        change: { ...input({ type: 'file_input' }), dispatch_action: true },
        pointer: '/dispatch_action',
        message: /file_input/,
      },
      { change: input({ type: 'file_input', max_files: 11 }), pointer: '/element/max_files', message: /10/ },
    ],
  },
  {
    name: 'number, e-mail, address, file, rich text and multi-select inputs',
    surface: 'modal',
    block: input({ type: 'number_input', is_decimal_allowed: false, min_value: '0', initial_value: '5' }),
    broken: [
      {
        change: input({ type: 'number_input', is_decimal_allowed: false, min_value: 0 }),
        pointer: '/element/min_value',
        message: /string/,
      },
      {
        change: input({ type: 'multi_users_select', max_selected_items: 0 }),
        pointer: '/element/max_selected_items',
        message: /at least 1/,
      },
      {
        change: input({ type: 'email_text_input', placeholder: plain(long(151)) }),
        pointer: '/element/placeholder/text',
        message: /151/,
      },
    ],
  },
  {
    name: 'rich_text',
    surface: 'message',
    block: words('hello'),
    broken: [
      { change: { elements: [{ type: 'rich_text_poem' }] }, pointer: '/elements/0/type', message: /unsupported type/ },
      {
        change: { elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 1 }] }] },
        pointer: '/elements/0/elements/0/text',
        message: 'must provide a string',
      },
    ],
  },
  {
    name: 'table',
    surface: 'message',
    block: {
      type: 'table',
      rows: [
        [cell('a'), numberCell(1)],
        [words('b'), cell('c')],
      ],
      column_settings: [null, { align: 'right' }],
    },
    broken: [
      { change: { rows: many(101, () => [cell('a')]) }, pointer: '/rows', message: 'no more than 100 items allowed' },
      { change: { rows: [many(21, () => cell('a'))] }, pointer: '/rows/0', message: 'no more than 20 items allowed' },
      { change: { rows: [[cell('')]] }, pointer: '/rows/0/0/text', message: 'must be more than 0 characters' },
      { change: { rows: [[cell(long(10_001))]] }, pointer: '', message: /less than 10001 characters/ },
    ],
  },
  {
    name: 'data_table',
    surface: 'home',
    block: {
      type: 'data_table',
      caption: 'Usage',
      rows: [
        [cell('Day'), cell('Credits')],
        [cell('Mon'), numberCell(3)],
      ],
      page_size: 10,
    },
    broken: [
      { change: { caption: undefined }, pointer: '', message: 'missing required field: caption' },
      { change: { rows: [[cell('Day')]] }, pointer: '/rows', message: 'no fewer than 2 items required' },
      { change: { rows: many(202, () => [cell('a')]) }, pointer: '/rows', message: 'no more than 201 items allowed' },
      {
        change: { rows: [[cell('a')], [cell('b'), cell('c')]] },
        pointer: '/rows/1',
        message: /as many cells as the header: 1/,
      },
      { change: { rows: [[words('a')], [cell('b')]] }, pointer: '/rows/0/0/type', message: /header row: rich_text/ },
      { change: { page_size: 101 }, pointer: '/page_size', message: /100/ },
      { change: { rows: [[cell('a')], [cell(long(20_000))]] }, pointer: '', message: /less than 20001 characters/ },
    ],
  },
  {
    name: 'data_table with an action cell',
    surface: 'message',
    block: {
      type: 'data_table',
      caption: 'Limits',
      rows: [[cell('Who')], [{ type: 'action_cell', element: button('edit'), fallback: cell('Edit') }]],
    },
    broken: [
      {
        change: { rows: [[cell('a')], [{ type: 'action_cell', element: button('e') }]] },
        pointer: '/rows/1/0',
        message: 'missing required field: fallback',
      },
    ],
  },
  {
    name: 'data_visualization, line',
    surface: 'message',
    block: chart,
    broken: [
      { change: { title: long(51) }, pointer: '/title', message: 'must be less than 51 characters' },
      { change: { legend: true }, pointer: '', message: 'invalid additional property: legend' },
      {
        change: { chart: { ...lineChart, series: [{ name: long(21), data: points([1, 2]) }] } },
        pointer: '/chart/series/0/name',
        message: 'must be less than 21 characters',
      },
      {
        change: { chart: { ...lineChart, series: [{ name: 'a', data: points([1]) }] } },
        pointer: '/chart/series/0/data',
        message: 'must have exactly one point for each category',
      },
      {
        change: { chart: { ...lineChart, series: many(2, () => ({ name: 'a', data: points([1, 2]) })) } },
        pointer: '/chart/series/1/name',
        message: 'must be unique',
      },
      {
        change: { chart: { ...lineChart, series: many(13, (n) => ({ name: `s${n}`, data: points([1, 2]) })) } },
        pointer: '/chart/series',
        message: 'no more than 12 items allowed',
      },
      {
        change: {
          chart: {
            ...lineChart,
            series: [
              {
                name: 'a',
                data: [
                  { label: 'd0', value: null },
                  { label: 'd1', value: 1 },
                ],
              },
            ],
          },
        },
        pointer: '/chart/series/0/data/0/value',
        message: 'must provide a number',
      },
    ],
  },
  {
    name: 'data_visualization, pie',
    surface: 'message',
    block: { ...chart, chart: { type: 'pie', segments: [{ label: 'Approved', value: 21 }] } },
    broken: [
      {
        change: { chart: { type: 'pie', segments: [{ label: 'a', value: 0 }] } },
        pointer: '/chart/segments/0/value',
        message: 'must be more than 0',
      },
      { change: { chart: { type: 'donut' } }, pointer: '/chart/type', message: 'unsupported type: donut' },
    ],
  },
  {
    name: 'markdown',
    surface: 'message',
    block: { type: 'markdown', text: '# Hello' },
    broken: [{ change: { text: long(12_001) }, pointer: '/text', message: 'must be less than 12001 characters' }],
  },
  {
    name: 'context_actions',
    surface: 'message',
    block: {
      type: 'context_actions',
      elements: [
        {
          type: 'feedback_buttons',
          action_id: 'f',
          positive_button: { text: plain('Good'), value: 'y' },
          negative_button: { text: plain('Bad'), value: 'n' },
        },
        { type: 'icon_button', action_id: 'd', icon: 'trash', text: plain('Delete') },
      ],
    },
    broken: [
      {
        change: { elements: [{ type: 'icon_button', icon: 'star', text: plain('a') }] },
        pointer: '/elements/0/icon',
        message: /trash/,
      },
      { change: { elements: [] }, pointer: '/elements', message: /no fewer than 1/ },
    ],
  },
  {
    name: 'card',
    surface: 'message',
    block: { ...card, hero_image: image, slack_icon: { type: 'icon', name: 'bolt' }, subtext: plain('s') },
    broken: [
      { change: { title: 'bare' }, pointer: '/title', message: 'must provide an object' },
      { change: { title: plain(long(151)) }, pointer: '/title/text', message: /151/ },
      { change: { body: plain(long(201)) }, pointer: '/body/text', message: /201/ },
      {
        change: { actions: many(4, (n) => button(`${n}`)) },
        pointer: '/actions',
        message: 'no more than 3 items allowed',
      },
      { change: { icon: image }, pointer: '/slack_icon', message: 'not allowed beside icon' },
    ],
  },
  {
    name: 'carousel',
    surface: 'message',
    block: { type: 'carousel', elements: [card] },
    broken: [
      { change: { elements: [] }, pointer: '/elements', message: /no fewer than 1/ },
      {
        change: { elements: many(11, () => ({ type: 'card', title: plain('a') })) },
        pointer: '/elements',
        message: /no more than 10/,
      },
    ],
  },
  {
    name: 'container',
    surface: 'message',
    block: {
      type: 'container',
      title: plain('Details'),
      child_blocks: [{ type: 'divider' }],
      is_collapsible: true,
      default_collapsed: true,
    },
    broken: [
      { change: { title: undefined }, pointer: '', message: 'must provide one of: title, rich_text_title' },
      { change: { is_collapsible: false }, pointer: '/default_collapsed', message: 'needs is_collapsible' },
      {
        change: { child_blocks: many(11, () => ({ type: 'divider' })) },
        pointer: '/child_blocks',
        message: /no more than 10/,
      },
      {
        change: { child_blocks: [chart] },
        pointer: '/child_blocks/0/type',
        message: 'unsupported type: data_visualization',
      },
    ],
  },
  {
    name: 'alert',
    surface: 'modal',
    block: { type: 'alert', text: plain('Careful'), level: 'warning' },
    broken: [
      { change: { text: plain(long(201)) }, pointer: '/text/text', message: 'must be less than 201 characters' },
      { change: { level: 'fatal' }, pointer: '/level', message: /one of: default/ },
    ],
  },
  {
    name: 'plan',
    surface: 'message',
    block: {
      type: 'plan',
      title: 'Steps',
      tasks: [{ type: 'task_card', task_id: '1', title: 'Read', status: 'pending' }],
    },
    broken: [{ change: { title: plain('Steps') }, pointer: '/title', message: 'must provide a string' }],
  },
  {
    name: 'task_card',
    surface: 'message',
    block: { type: 'task_card', task_id: '1', title: 'Read', status: 'complete', details: words('d') },
    broken: [
      { change: { status: 'pending' }, pointer: '/status', message: 'pending is only allowed inside a plan' },
      { change: { status: 'done' }, pointer: '/status', message: /one of: pending/ },
    ],
  },
  {
    name: 'video',
    surface: 'message',
    block: {
      type: 'video',
      alt_text: 'A tour',
      title: plain('Tour'),
      thumbnail_url: 'https://example.com/t.png',
      video_url: 'https://example.com/v',
    },
    broken: [
      { change: { video_url: 'http://example.com/v' }, pointer: '/video_url', message: /https/ },
      { change: { title: plain(long(200)) }, pointer: '/title/text', message: 'must be less than 200 characters' },
      { change: { author_name: long(50) }, pointer: '/author_name', message: 'must be less than 50 characters' },
    ],
  },
];
