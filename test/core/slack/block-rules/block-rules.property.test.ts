import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blockSurfaces,
  checkBlocks,
  checkView,
  countMessageCharacters,
  type Surface,
} from '../../../../src/core/slack/blocks/rules/index.ts';
import { dataExamples } from './data-examples.ts';
import { chart, long, mrkdwn, plain } from './example-parts.ts';
import { layoutExamples } from './layout-examples.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const divider = { type: 'divider' };
const cell = (text: string) => ({ type: 'raw_text', text });
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
const table = { type: 'data_table', caption: 'c', rows: [[cell('a')], [cell('b')]] };
const textInput = { type: 'input', label: plain('a'), element: { type: 'plain_text_input' } };
const modal = { type: 'modal', title: plain('Limits'), blocks: [divider] };

const examples = [...layoutExamples, ...dataExamples];

test('each block with a rule has an example, and no other block has', () => {
  const types = new Set(examples.map(({ block }) => String(block['type'])));
  expect([...types].toSorted()).toEqual(Object.keys(blockSurfaces).toSorted());
});

describe.each(examples)('$name', ({ block, surface, broken }) => {
  test('is accepted as documented', () => {
    expect(checkBlocks([block], surface)).toEqual([]);
  });

  test.each(broken)('is refused at "$pointer": $message', ({ change, pointer, message }) => {
    const violations = checkBlocks([divider, { ...block, ...change }], surface);
    const there = violations.filter((violation) => violation.pointer === `/blocks/1${pointer}`);
    expect(there.map((violation) => violation.message).join('\n')).toMatch(message);
  });
});

describe('charts', () => {
  const series = (name: string, values: Record<string, number>) => ({
    name,
    data: Object.entries(values).map(([label, value]) => ({ label, value })),
  });
  test.each([
    {
      type: 'bar',
      series: [
        series('This week', { Billing: -7, Platform: 4, Mobile: 0 }),
        series('Last week', { Billing: 3, Platform: -2, Mobile: 5 }),
      ],
      axis_config: { categories: ['Billing', 'Platform', 'Mobile'], x_label: 'Team', y_label: 'Tickets' },
    },
    {
      type: 'area',
      series: [series('Approved', { W44: 3, W45: 9, W46: 16, W47: 21 })],
      axis_config: { categories: ['W44', 'W45', 'W46', 'W47'] },
    },
  ])('accept negative numbers and several series: $type', (chart) => {
    expect(checkBlocks([{ type: 'data_visualization', title: 'Net change', chart }], 'message')).toEqual([]);
  });

  test('refuse a label that is no category', () => {
    const chart = { type: 'line', series: [series('a', { Mon: 1 })], axis_config: { categories: ['Tue'] } };
    expect(checkBlocks([{ type: 'data_visualization', title: 'a', chart }], 'message')).toMatchObject([
      { pointer: '/blocks/0/chart/series/0/data', code: 'inconsistent' },
    ]);
  });
});

describe('surfaces', () => {
  test.each<[Surface, Record<string, unknown>]>([
    ['home', chart],
    ['modal', chart],
    ['modal', table],
  ])('a %s rejects %o', (surface, block) => {
    expect(checkBlocks([block], surface)).toEqual([
      { pointer: '/blocks/0/type', code: 'wrong_surface', message: expect.stringContaining('unsupported type') },
    ]);
  });

  test.each<[Surface, string]>([
    ['message', 'file_input'],
    ['home', 'datetimepicker'],
  ])('a %s rejects %s', (surface, type) => {
    const block = { ...textInput, element: { type } };
    expect(checkBlocks([block], surface)).toMatchObject([{ pointer: '/blocks/0/element/type', code: 'wrong_surface' }]);
  });
});

describe('rules about a whole payload', () => {
  test('accept 50 blocks in a message and 100 in a view', () => {
    const blocks = Array.from({ length: 101 }, () => divider);
    expect(checkBlocks(blocks.slice(0, 50), 'message')).toEqual([]);
    expect(checkBlocks(blocks.slice(0, 51), 'message')).toMatchObject([{ pointer: '/blocks', code: 'too_many' }]);
    expect(checkBlocks(blocks.slice(0, 100), 'modal')).toEqual([]);
    expect(checkBlocks(blocks, 'home')).toMatchObject([{ pointer: '/blocks', code: 'too_many' }]);
  });

  test('accept two charts', () => {
    expect(checkBlocks([chart, chart, table], 'message')).toEqual([]);
    expect(checkBlocks([chart, divider, chart, chart], 'message')).toMatchObject([
      { pointer: '/blocks/3', code: 'too_many' },
    ]);
  });

  test('add up the characters of all data tables', () => {
    const data = { type: 'data_table', caption: 'c', rows: [[cell('a')], [cell(long(9999))]] };
    expect(checkBlocks([data, data], 'message')).toEqual([]);
    expect(checkBlocks([data, data, data], 'message')).toMatchObject([{ pointer: '/blocks/2', code: 'too_long' }]);
  });

  test('refuse a repeated block_id, and accept a repeated action_id in another block', () => {
    const actions = { type: 'actions', elements: [{ type: 'button', action_id: 'a', text: plain('a') }] };
    expect(checkBlocks([actions, actions], 'message')).toEqual([]);
    expect(
      checkBlocks(
        [
          { ...divider, block_id: 'x' },
          { ...divider, block_id: 'x' },
        ],
        'message',
      ),
    ).toMatchObject([{ pointer: '/blocks/1/block_id', code: 'duplicate' }]);
  });

  test('refuse a message whose texts together pass the hidden budget', () => {
    const blocks = Array.from({ length: 5 }, () => section(long(2700)));
    expect(checkBlocks(blocks.slice(0, 4), 'message')).toEqual([]);
    expect(checkBlocks(blocks, 'message')).toMatchObject([{ pointer: '/blocks', code: 'msg_blocks_too_long' }]);
    expect(checkBlocks(blocks, 'modal')).toEqual([]);
  });

  test('count escaped characters once and headers at a higher price', () => {
    expect(countMessageCharacters([section('a&b<c>')])).toBe('a&amp;b&lt;c&gt;'.length);
    expect(countMessageCharacters([section('a&amp;b')])).toBe('a&amp;b'.length);
    expect(countMessageCharacters([{ type: 'header', text: plain('abc') }])).toBe(103);
    expect(countMessageCharacters([table])).toBe(0);
  });

  test.each([[undefined], [null], [{}], ['blocks']])('report that %o is not a list of blocks', (blocks) => {
    expect(checkBlocks(blocks, 'message')).toMatchObject([{ pointer: '/blocks', code: 'wrong_type' }]);
  });

  test('survive blocks that are not objects', () => {
    expect(checkBlocks([null, 7, 'a', {}], 'message').map(({ pointer }) => pointer)).toEqual([
      '/blocks/0',
      '/blocks/1',
      '/blocks/2',
      '/blocks/3',
    ]);
  });

  test('check a message of fifty blocks in well under five milliseconds', () => {
    const blocks = Array.from({ length: 50 }, (_, index) => ({
      ...section(`Line ${index} *of* the digest `.repeat(6)),
      accessory: { type: 'button', action_id: 'open', value: String(index), text: plain('Open') },
    }));
    const timesMs = Array.from({ length: 40 }, () => {
      const startedMs = performance.now();
      checkBlocks(blocks, 'message');
      return performance.now() - startedMs;
    });
    // The shortest: during the others the machine may have done something else.
    expect(Math.min(...timesMs)).toBeLessThan(5);
  });
});

describe('any input', () => {
  const all = [...layoutExamples, ...dataExamples];
  const anyBlocks = fc.array(
    fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom(...Object.keys(blockSurfaces)),
        elements: fc.jsonValue(),
        rows: fc.jsonValue(),
      }),
      fc.constantFrom(...all).map(({ block }) => block),
      fc
        .tuple(fc.constantFrom(...all), fc.dictionary(fc.string(), fc.jsonValue()))
        .map(([{ block }, odd]) => Object.assign({}, block, odd)),
    ),
    { maxLength: 8 },
  );

  test('gives violations with pointers into the payload, and never throws', () => {
    const property = fc.property(anyBlocks, fc.constantFrom<Surface>('message', 'modal', 'home'), (blocks, surface) => {
      for (const { pointer, message } of checkBlocks(blocks, surface)) {
        expect(pointer).toMatch(/^\/blocks(\/|$)/);
        expect(message).not.toBe('');
      }
      checkView({ type: 'modal', blocks });
    });
    fc.assert(property, { numRuns: propertyRuns(300) });
  });
});

describe('views', () => {
  test('may be a modal and a home view', () => {
    expect(checkView({ ...modal, callback_id: 'c', private_metadata: '{}', notify_on_close: true })).toEqual([]);
    expect(checkView({ type: 'home', blocks: [divider] })).toEqual([]);
  });

  test.each([
    [{ title: plain(long(25)) }, '/title/text', 'must be less than 25 characters'],
    [{ title: undefined }, '', 'missing required field: title'],
    [{ submit: plain(long(25)) }, '/submit/text', 'must be less than 25 characters'],
    [{ close: plain(long(25)) }, '/close/text', 'must be less than 25 characters'],
    [{ private_metadata: long(3001) }, '/private_metadata', 'must be less than 3001 characters'],
    [{ callback_id: long(256) }, '/callback_id', 'must be less than 256 characters'],
    [{ external_id: long(256) }, '/external_id', 'must be less than 256 characters'],
    [{ colour: 'red' }, '', 'invalid additional property: colour'],
    [{ blocks: [textInput] }, '', 'missing required field: submit'],
    [{ blocks: [section(long(3001))] }, '/blocks/0/text/text', 'must be less than 3001 characters'],
    [{ type: 'drawer' }, '/type', 'unsupported type: drawer'],
  ])('may not be a modal with %o', (change, pointer, message) => {
    expect(checkView({ ...modal, ...change })).toContainEqual(expect.objectContaining({ pointer, message }));
  });

  test('may not exceed 250 KB', () => {
    const blocks = Array.from({ length: 100 }, () => section(long(2900)));
    expect(checkView({ ...modal, blocks })).toMatchObject([{ pointer: '', code: 'view_too_large' }]);
  });

  test('need no submit button in a home view', () => {
    expect(checkView({ type: 'home', blocks: [textInput] })).toEqual([]);
  });
});
