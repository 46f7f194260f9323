import { describe, expect, test } from 'vitest';
import { markup } from '../../../../src/core/base/text/markup.ts';
import { statefulElements } from '../../../../src/sandbox/slack/people/form.ts';
import { textBlock } from '../../../../src/features/sessions/rich-text.ts';
import * as blockBuilders from '../../../../src/core/slack/blocks/blocks.ts';
import type { Block } from '../../../../src/core/slack/blocks/blocks.ts';
import * as inputBuilders from '../../../../src/core/slack/blocks/inputs.ts';
import { blockSurfaces, checkBlocks, checkView } from '../../../../src/core/slack/blocks/rules/index.ts';
import { modal } from '../../../../src/core/slack/blocks/views.ts';
import { plain } from './example-parts.ts';

const text = markup`Twelve credits`;
const options = [{ value: 'a', text: 'A', description: 'The first' }];
const field = { id: 'field', label: 'Field', hint: 'Any' };
const confirm = { title: 'Sure?', text, confirm: 'Yes', deny: 'No' };
const button = blockBuilders.button({ text: 'Go', actionId: 'go', value: 'v', style: 'danger', confirm });
const menu = blockBuilders.menu({ placeholder: 'Days', actionId: 'days', options, chosen: 'a' });
const categories = ['Mon', 'Tue'];
const series = [{ name: 'Credits', values: [1, 2] }];

/** The blocks of a message or a modal, by the function that creates them. */
const messageBlocks: Record<string, Block[]> = {
  actions: [blockBuilders.actions(button, menu, button)],
  button: [blockBuilders.actions(button)],
  chart: (['line', 'bar', 'area'] as const).map((kind) =>
    blockBuilders.chart({ kind, title: 'Credits', categories, series, yLabel: 'Credits' }),
  ),
  context: [blockBuilders.context(text, text)],
  dataTable: [
    blockBuilders.dataTable({ caption: 'Days', columns: ['Day'], rows: [['Mon'], [{ value: 1, text: '1' }]] }),
  ],
  divider: [blockBuilders.divider()],
  fields: [blockBuilders.fields([text, text])],
  header: [blockBuilders.header('Usage')],
  menu: [blockBuilders.actions(menu)],
  saidBlock: [textBlock('look:\n```\nf();\n```', 100).block],
  section: [blockBuilders.section(text), blockBuilders.section(text, button)],
};
const inputBlocks: Record<string, Block[]> = {
  channelInput: [inputBuilders.channelInput({ ...field, initial: 'C1' })],
  checkboxesInput: [inputBuilders.checkboxesInput({ ...field, options, initial: ['a'] })],
  dateTimeInput: [inputBuilders.dateTimeInput({ ...field, initial: new Date('2026-03-02T08:00:00Z') })],
  fileInput: [inputBuilders.fileInput({ ...field, fileTypes: ['csv'] })],
  multiSelectInput: [inputBuilders.multiSelectInput({ ...field, options, initial: ['a'] })],
  radioInput: [inputBuilders.radioInput({ ...field, options, initial: 'a' })],
  selectInput: [inputBuilders.selectInput({ ...field, options, initial: 'a' })],
  textInput: [inputBuilders.textInput({ ...field, isMultiline: true, initial: 'x', placeholder: 'Why' })],
  timeInput: [inputBuilders.timeInput({ ...field, initial: '09:00' })],
  usersInput: [inputBuilders.usersInput({ ...field, initial: ['U1'], isOptional: true })],
};
/** They create no block. */
const OTHERS = new Set(['actionIdOf', 'message']);

const functionsOf = (module: object) =>
  Object.entries(module).flatMap(([name, value]) => (typeof value === 'function' && !OTHERS.has(name) ? [name] : []));
const allBlocks = [...Object.values(messageBlocks), ...Object.values(inputBlocks)].flat();

function elementsOf(block: Block): unknown[] {
  if (block.type === 'actions') return Array.isArray(block['elements']) ? block['elements'] : [];
  return [block['accessory'], block['element']].filter((element) => element !== undefined);
}

describe('the set of blocks that the builders can create', () => {
  test('is listed here completely', () => {
    const listed = [...Object.keys(messageBlocks), ...Object.keys(inputBlocks)];
    const made = [...functionsOf(blockBuilders), ...functionsOf(inputBuilders), 'saidBlock'];
    expect(listed.toSorted()).toEqual(made.toSorted());
  });

  test.each(Object.entries(messageBlocks))('is known in a message: %s', (_, blocks) => {
    for (const block of blocks) expect(checkBlocks([block], 'message')).toEqual([]);
  });

  test.each(Object.entries(inputBlocks))('is known in a form: %s', (_, blocks) => {
    for (const block of blocks) expect(checkView(modal({ title: 'Form', submit: 'Go', blocks: [block] }))).toEqual([]);
  });

  test('is exactly what the rules know', () => {
    expect([...new Set(allBlocks.map(({ type }) => type))].toSorted()).toEqual(Object.keys(blockSurfaces).toSorted());
    const elements = allBlocks.flatMap((block) => elementsOf(block)).map((element) => String(Object(element)['type']));
    expect([...new Set(elements)].toSorted()).toEqual(['button', ...statefulElements].toSorted());
  });
});

describe('a block without a builder is refused with one violation:', () => {
  test.each([
    { type: 'markdown', text: '# Hello' },
    { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] },
    { type: 'card', title: plain('Atlas') },
    { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'A chart' },
    { type: 'poem' },
  ])('a block of the type $type', (block) => {
    for (const surface of ['message', 'modal', 'home'] as const)
      expect(checkBlocks([block], surface)).toEqual([
        { pointer: '/blocks/0/type', code: 'unknown_type', message: `unsupported type: ${block.type}` },
      ]);
  });

  test.each(['overflow', 'datepicker', 'external_select', 'users_select', 'checkboxes'])(
    'a %s among actions',
    (type) => {
      const element = { type, action_id: 'a', options: [{ text: plain('A'), value: 'a' }] };
      expect(checkBlocks([{ type: 'actions', elements: [element] }], 'message')).toEqual([
        { pointer: '/blocks/0/elements/0/type', code: 'unknown_type', message: `unsupported type: ${type}` },
      ]);
    },
  );

  test.each(['email_text_input', 'rich_text_input', 'external_select', 'datepicker'])('a %s in a form', (type) => {
    const block = { type: 'input', label: plain('A'), element: { type, action_id: 'a' } };
    expect(checkBlocks([block], 'modal')).toEqual([
      { pointer: '/blocks/0/element/type', code: 'unknown_type', message: `unsupported type: ${type}` },
    ]);
  });

  test.each(['rich_text_list', 'rich_text_quote'])('a %s in rich text', (type) => {
    const block = { type: 'rich_text', elements: [{ type, elements: [] }] };
    expect(checkBlocks([block], 'message')).toEqual([
      { pointer: '/blocks/0/elements/0/type', code: 'unknown_type', message: `unsupported type: ${type}` },
    ]);
  });
});
