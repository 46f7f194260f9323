/** Layout and interactive blocks that Slack accepts, and for each rule a change that it refuses. */
import { type Example, plain, mrkdwn, long, option, many, button, input, actions } from './example-parts.ts';

export const layoutExamples: Example[] = [
  {
    name: 'section',
    surface: 'message',
    block: { type: 'section', text: mrkdwn('*hi*'), accessory: button('go') },
    broken: [
      { change: { text: mrkdwn(long(3001)) }, pointer: '/text/text', message: 'must be less than 3001 characters' },
      { change: { text: mrkdwn('') }, pointer: '/text/text', message: 'must be more than 0 characters' },
      { change: { text: 'bare' }, pointer: '/text', message: 'must provide an object' },
      { change: { text: undefined }, pointer: '', message: 'must define either `text` or `fields`' },
      { change: { fields: many(11, () => plain('f')) }, pointer: '/fields', message: 'no more than 10 items allowed' },
      {
        change: { fields: [plain(long(2001))] },
        pointer: '/fields/0/text',
        message: 'must be less than 2001 characters',
      },
      { change: { colour: 'red' }, pointer: '', message: 'invalid additional property: colour' },
      { change: { text: { ...mrkdwn('a'), emoji: true } }, pointer: '/text', message: /additional property: emoji/ },
      { change: { accessory: { type: 'knob' } }, pointer: '/accessory/type', message: 'unsupported type: knob' },
      {
        change: { accessory: { type: 'overflow' } },
        pointer: '/accessory/type',
        message: 'unsupported type: overflow',
      },
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
    name: 'static_select and a button with a confirmation',
    surface: 'message',
    block: {
      type: 'actions',
      elements: [
        { type: 'static_select', action_id: 's', options: [option('a'), option('b')], initial_option: option('b') },
        {
          ...button('a'),
          confirm: { title: plain('Sure?'), text: plain('Really'), confirm: plain('Yes'), deny: plain('No') },
        },
      ],
    },
    broken: [
      {
        change: actions({ type: 'static_select', options: [] }),
        pointer: '/elements/0/options',
        message: /no fewer than 1/,
      },
      {
        change: actions({ type: 'static_select' }),
        pointer: '/elements/0',
        message: 'missing required field: options',
      },
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
    name: 'checkboxes',
    surface: 'modal',
    block: input({ type: 'checkboxes', options: [option('a'), option('b')], initial_options: [option('b')] }),
    broken: [
      {
        change: input({ type: 'checkboxes', options: many(11, (n) => option(`${n}`)) }),
        pointer: '/element/options',
        message: /no more than 10/,
      },
      {
        change: input({ type: 'checkboxes', options: [option('a')], initial_options: [option('b')] }),
        pointer: '/element/initial_options',
        message: 'must be among the options',
      },
      {
        change: input({ type: 'checkboxes', options: [{ text: mrkdwn('*a*'), value: 'a' }] }),
        pointer: '/element/options/0/text/type',
        message: /plain_text/,
      },
    ],
  },
  {
    name: 'radio buttons',
    surface: 'modal',
    block: input({ type: 'radio_buttons', options: [option('a')] }),
    broken: [
      {
        change: input({ type: 'radio_buttons', options: many(11, (n) => option(`${n}`)) }),
        pointer: '/element/options',
        message: /no more than 10/,
      },
    ],
  },
  {
    name: 'pickers of a time and of an instant',
    surface: 'modal',
    block: input({ type: 'timepicker', initial_time: '09:00' }),
    broken: [
      {
        change: input({ type: 'timepicker', initial_time: '25:00' }),
        pointer: '/element/initial_time',
        message: /HH:mm/,
      },
      {
        change: input({ type: 'datetimepicker', initial_date_time: 12 }),
        pointer: '/element/initial_date_time',
        message: /at least/,
      },
    ],
  },
  {
    name: 'context',
    surface: 'message',
    block: { type: 'context', elements: [mrkdwn('small'), plain('print')] },
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
    name: 'header',
    surface: 'message',
    block: { type: 'header', text: plain('Usage') },
    broken: [
      { change: { text: plain(long(151)) }, pointer: '/text/text', message: 'must be less than 151 characters' },
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
      { change: input({ type: 'number_input' }), pointer: '/element/type', message: 'unsupported type: number_input' },
      {
        change: { ...input({ type: 'file_input' }), dispatch_action: true },
        pointer: '/element/type',
        message: 'unsupported type: file_input',
      },
      { change: input({ type: 'file_input', max_files: 11 }), pointer: '/element/max_files', message: /10/ },
    ],
  },
  {
    name: 'text and multi-select inputs',
    surface: 'modal',
    block: input({ type: 'plain_text_input', max_length: 5, initial_value: 'five' }),
    broken: [
      {
        change: input({ type: 'plain_text_input', max_length: '5' }),
        pointer: '/element/max_length',
        message: /number/,
      },
      {
        change: input({ type: 'multi_users_select', initial_users: 'U1' }),
        pointer: '/element/initial_users',
        message: 'must provide an array',
      },
      {
        change: input({ type: 'plain_text_input', placeholder: plain(long(151)) }),
        pointer: '/element/placeholder/text',
        message: /151/,
      },
    ],
  },
];
