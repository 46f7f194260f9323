import { describe, expect, test } from 'vitest';
import { isJson } from '../../../src/sandbox/json.ts';
import { blocks } from '../../../src/sandbox/slack/reference/blocks.ts';
import { elements } from '../../../src/sandbox/slack/reference/elements.ts';
import { blockFaults, viewFaults } from '../../../src/sandbox/slack/reference/payload.ts';
import { RECORDED_REFUSALS } from '../../core/slack/block-rules/recorded-refusals.ts';
import type { Surface } from '../../../src/sandbox/slack/reference/surfaces.ts';
import { EXAMPLES } from './reference-examples.ts';

const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(RECORDED_REFUSALS)('$what is refused as Slack refused it: $address', ({ sent: recorded, pointer, said }) => {
  const faults = 'view' in recorded ? viewFaults(recorded.view) : blockFaults(recorded.blocks, recorded.surface);
  const there = faults.filter((fault) => fault.pointer === pointer).map(({ message }) => message);
  expect(there).not.toEqual([]);
  expect(there.join('\n')).toContain(said ?? '');
});

describe('a block as `@slack/types` describes it', () => {
  test.each(EXAMPLES)('is accepted: $name', ({ block, surface }) => {
    expect(blockFaults([sent(block)], surface)).toEqual([]);
  });

  test('is among the examples with each type of the tables', () => {
    const found = new Set<unknown>();
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (isJson(value)) found.add(value['type']);
      Object.values(value).forEach(look);
    };
    look(EXAMPLES.map(({ block }) => block));
    expect([...Object.keys(blocks), ...Object.keys(elements)].filter((type) => !found.has(type))).toEqual([]);
  });

  test.each(EXAMPLES)('is refused with a member too many: $name', ({ block, surface }) => {
    expect(blockFaults([{ ...block, colour: 'red' }], surface)).toEqual([
      { pointer: '/blocks/0', message: 'invalid additional property: colour' },
    ]);
  });
});

const plain = (length: number) => ({ type: 'plain_text', text: 'x'.repeat(length) });
const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const input = (element: object) => ({ type: 'input', label: plain(1), element });
const accessory = (element: object) => ({ type: 'section', text: plain(1), accessory: element });
const option = (index: number) => ({ text: plain(1), value: `v${index}` });
const image = { type: 'image', alt_text: 'a', image_url: 'https://example.com/a.png' };
const rawText = (length: number) => ({ type: 'raw_text', text: 'x'.repeat(length) });

/** What is allowed at most, beside what the bot sends: `two-judges.property.test.ts` tries that. */
const LIMITS: readonly [
  what: string,
  surface: Surface,
  block: (size: number) => object,
  most: number,
  pointer: string,
][] = [
  ['the text of an alert', 'modal', (size) => ({ type: 'alert', text: plain(size) }), 200, '/text/text'],
  ['the title of a card', 'message', (size) => ({ type: 'card', title: plain(size) }), 150, '/title/text'],
  ['the body of a card', 'message', (size) => ({ type: 'card', body: plain(size) }), 200, '/body/text'],
  [
    'the cards of a carousel',
    'message',
    (size) => ({ type: 'carousel', elements: many(size, () => ({ type: 'card', title: plain(1) })) }),
    10,
    '/elements',
  ],
  [
    'the blocks of a container',
    'message',
    (size) => ({ type: 'container', title: plain(1), child_blocks: many(size, () => ({ type: 'divider' })) }),
    10,
    '/child_blocks',
  ],
  ['the title of an image', 'message', (size) => ({ ...image, title: plain(size) }), 2_000, '/title/text'],
  ['the address of an image', 'message', (size) => ({ ...image, image_url: 'x'.repeat(size) }), 3_000, '/image_url'],
  [
    'the text of a markdown block',
    'message',
    (size) => ({ type: 'markdown', text: 'x'.repeat(size) }),
    12_000,
    '/text',
  ],
  ['the rows of a table', 'message', (size) => ({ type: 'table', rows: many(size, () => [rawText(1)]) }), 100, '/rows'],
  ['the cells of a row', 'message', (size) => ({ type: 'table', rows: [many(size, () => rawText(1))] }), 20, '/rows/0'],
  ['the characters of a table', 'message', (size) => ({ type: 'table', rows: [[rawText(size)]] }), 10_000, ''],
  [
    'the slices of a pie',
    'message',
    (size) => ({
      type: 'data_visualization',
      title: 'a',
      chart: { type: 'pie', segments: many(size, (index) => ({ label: `s${index}`, value: 1 })) },
    }),
    12,
    '/chart/segments',
  ],
  ['the level of a header', 'message', (size) => ({ type: 'header', text: plain(1), level: size }), 4, '/level'],
  [
    'the options of an overflow menu',
    'message',
    (size) => accessory({ type: 'overflow', options: many(size, option) }),
    5,
    '/accessory/options',
  ],
  [
    'the value of an option',
    'message',
    (size) => accessory({ type: 'overflow', options: [{ text: plain(1), value: 'x'.repeat(size) }] }),
    150,
    '/accessory/options/0/value',
  ],
  [
    'the groups of a menu',
    'message',
    (size) =>
      accessory({
        type: 'static_select',
        option_groups: many(size, () => ({ label: plain(1), options: [option(1)] })),
      }),
    100,
    '/accessory/option_groups',
  ],
  [
    'the label of a group',
    'message',
    (size) => accessory({ type: 'static_select', option_groups: [{ label: plain(size), options: [option(1)] }] }),
    75,
    '/accessory/option_groups/0/label/text',
  ],
  [
    'the address of a button',
    'message',
    (size) => accessory({ type: 'button', text: plain(1), url: 'x'.repeat(size) }),
    3_000,
    '/accessory/url',
  ],
  [
    'the lines of a text field',
    'modal',
    (size) => input({ type: 'rich_text_input', max_lines: size }),
    100,
    '/element/max_lines',
  ],
];

test.each(LIMITS)('%s may have as much as the reference says, and no more', (_what, surface, block, most, pointer) => {
  expect(blockFaults([block(most)], surface)).toEqual([]);
  expect(blockFaults([block(most + 1)], surface).map((fault) => fault.pointer)).toContain(`/blocks/0${pointer}`);
});

test.each([
  [
    'both options and groups',
    accessory({
      type: 'static_select',
      options: [option(1)],
      option_groups: [{ label: plain(1), options: [option(1)] }],
    }),
  ],
  ['neither options nor groups', accessory({ type: 'static_select' })],
  [
    'a first value of no group',
    accessory({
      type: 'static_select',
      option_groups: [{ label: plain(1), options: [option(1)] }],
      initial_option: option(2),
    }),
  ],
  ['an image without an address', { type: 'image', alt_text: 'a' }],
  ['an image with two addresses', { ...image, slack_file: { id: 'F1' } }],
  ['a card without content', { type: 'card', subtitle: plain(1) }],
  ['a card with two icons', { type: 'card', title: plain(1), icon: image, slack_icon: { type: 'icon', name: 'bolt' } }],
  [
    'a container that is closed and cannot be opened',
    { type: 'container', title: plain(1), child_blocks: [{ type: 'divider' }], default_collapsed: true },
  ],
  ['a chart in a container', { type: 'container', title: plain(1), child_blocks: [{ type: 'markdown', text: 'a' }] }],
  ['a multi-select among buttons', { type: 'actions', elements: [{ type: 'multi_users_select' }] }],
  ['a pending task outside a plan', { type: 'task_card', task_id: 't', title: 'a', status: 'pending' }],
  [
    'rich text in the header of a data table',
    {
      type: 'data_table',
      caption: 'a',
      rows: [
        [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'a' }] }] }],
        [rawText(1)],
      ],
    },
  ],
  [
    'a video over plain HTTP',
    {
      type: 'video',
      alt_text: 'a',
      title: plain(1),
      thumbnail_url: 'https://example.com',
      video_url: 'http://example.com',
    },
  ],
  [
    'a slice of a pie of nothing',
    { type: 'data_visualization', title: 'a', chart: { type: 'pie', segments: [{ label: 'a', value: 0 }] } },
  ],
])('a message with %s is refused', (_what, block) => {
  expect(blockFaults([block], 'message')).toHaveLength(1);
});

test('a number field whose least number is above its greatest is refused', () => {
  const field = { type: 'number_input', is_decimal_allowed: false, min_value: '10', max_value: '9' };
  expect(blockFaults([input(field)], 'modal').map(({ pointer }) => pointer)).toEqual(['/blocks/0/element/min_value']);
});

test('a view with two focused fields is refused', () => {
  const field = input({ type: 'plain_text_input', focus_on_load: true });
  expect(blockFaults([field, field], 'modal').map(({ pointer }) => pointer)).toEqual([
    '/blocks/1/element/focus_on_load',
  ]);
});

describe('surfaces', () => {
  test.each<[string, readonly Surface[]]>([
    ['alert', ['modal']],
    ['carousel', ['message', 'home']],
    ['container', ['message', 'home']],
    ['context_actions', ['message']],
    ['data_table', ['message', 'home']],
    ['data_visualization', ['message']],
    ['markdown', ['message']],
    ['plan', ['message']],
    ['section', ['message', 'modal', 'home']],
    ['table', ['message', 'home']],
    ['task_card', ['message']],
  ])('a %s is allowed in: %s', (type, allowed) => {
    const block = sent(EXAMPLES.find((example) => example.block.type === type)?.block);
    const surfaces: readonly Surface[] = ['message', 'modal', 'home'];
    expect(surfaces.filter((surface) => blockFaults([block], surface).length === 0)).toEqual(allowed);
  });

  test.each<[string, readonly Surface[]]>([
    ['datetimepicker', ['message', 'modal']],
    ['email_text_input', ['modal']],
    ['file_input', ['modal']],
    ['number_input', ['modal']],
    ['plain_text_input', ['message', 'modal', 'home']],
    ['rich_text_input', ['modal', 'home']],
    ['url_text_input', ['modal']],
  ])('a %s is allowed in: %s', (type, allowed) => {
    const block = input({ type, ...(type === 'number_input' ? { is_decimal_allowed: true } : {}) });
    const surfaces: readonly Surface[] = ['message', 'modal', 'home'];
    expect(surfaces.filter((surface) => blockFaults([block], surface).length === 0)).toEqual(allowed);
  });

  test('a file block, which Slack only shows, is allowed nowhere', () => {
    const block = { type: 'file', source: 'remote', external_id: 'a' };
    expect(blockFaults([block], 'message')).toEqual([{ pointer: '/blocks/0/type', message: 'unsupported type: file' }]);
  });
});
