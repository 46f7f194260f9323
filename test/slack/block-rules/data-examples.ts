/** Rich text, tables, charts and grouping blocks that Slack takes, and for each rule a change that it refuses. */
import {
  type Example,
  plain,
  long,
  many,
  button,
  words,
  cell,
  numberCell,
  image,
  card,
  points,
  chart,
  lineChart,
} from './example-parts.ts';

export const dataExamples: Example[] = [
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
