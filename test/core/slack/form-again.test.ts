import { expect, test } from 'vitest';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { isInDoubt } from '../../../src/core/slack/blocks/faults.ts';
import { section } from '../../../src/core/slack/blocks/blocks.ts';
import { formAgain } from '../../../src/core/slack/blocks/form-again.ts';
import * as inputs from '../../../src/core/slack/blocks/inputs.ts';
import { markup } from '../../../src/core/base/text/markup.ts';
import { modal, type ModalView } from '../../../src/core/slack/blocks/views.ts';

const FAULT = { sentence: 'It failed.', reference: '0123abcd' };
const options = [
  { value: 'a', text: 'A' },
  { value: 'b', text: 'B', description: 'Second' },
];

interface Typed {
  text?: string;
  one?: string;
  some?: string[];
  users?: string[];
  channel?: string;
  time?: string;
  at?: Date;
}

const form = ({ text, one, some = [], users = [], channel, time, at }: Typed): ModalView =>
  modal({
    title: 'A form',
    submit: 'Send',
    callbackId: 'form',
    metadata: 'about',
    blocks: [
      section(markup`Something`),
      inputs.textInput({ id: 'text', label: 'Text', initial: text }),
      inputs.selectInput({ id: 'select', label: 'One', options, initial: one }),
      inputs.radioInput({ id: 'radio', label: 'One', options, initial: one }),
      inputs.multiSelectInput({ id: 'multi', label: 'Some', options, initial: some }),
      inputs.checkboxesInput({ id: 'boxes', label: 'Some', options, initial: some }),
      inputs.usersInput({ id: 'users', label: 'Users', initial: users }),
      inputs.channelInput({ id: 'channel', label: 'Channel', initial: channel }),
      inputs.timeInput({ id: 'time', label: 'Time', initial: time }),
      inputs.dateTimeInput({ id: 'at', label: 'At', initial: at }),
      inputs.fileInput({ id: 'file', label: 'File', fileTypes: ['csv'] }),
    ],
  });

const [A, B] = [form({ one: 'a' }), form({ one: 'b' })].map(({ blocks }) => {
  const element = blocks[2]?.['element'];
  return typeof element === 'object' && element !== null && 'initial_option' in element && element.initial_option;
});

const submitted = (view: ModalView, values: Record<string, object>) => ({
  ...view,
  close: null,
  // Slack adds members with their defaults.
  blocks: view.blocks.map((block) => ({
    ...block,
    ...(block.type === 'input' ? { optional: false, dispatch_action: false } : {}),
  })),
  state: {
    values: Object.fromEntries(Object.entries(values).map(([id, value]) => [id, { [id]: { type: 'x', ...value } }])),
  },
});

test('a failed form is shown again with the typed values, below the reason', () => {
  const before = form({ text: 'Before', one: 'a', some: ['a'], users: ['U1'], channel: 'C1', time: '08:00' });
  const view = submitted(before, {
    text: { value: 'Typed' },
    select: { selected_option: B },
    radio: { selected_option: B },
    multi: { selected_options: [A, B] },
    boxes: { selected_options: [] },
    users: { selected_users: ['U2', 'U3'] },
    channel: { selected_conversation: null },
    time: { selected_time: '09:30' },
    at: { selected_date_time: 1_772_440_000 },
    file: { files: [{ id: 'F1' }] },
  });
  const shown = formAgain(view, FAULT);
  const [why, reference, ...rest] = shown?.blocks ?? [];
  expect(JSON.stringify(why)).toContain('*It failed.*');
  expect(JSON.stringify(reference)).toContain('0123abcd');
  const filled = form({
    text: 'Typed',
    one: 'b',
    some: ['a', 'b'],
    users: ['U2', 'U3'],
    time: '09:30',
    at: new Date(1_772_440_000_000),
  });
  const none = form({}).blocks.find(({ block_id: id }) => id === 'boxes');
  expect(rest).toEqual(filled.blocks.map((block) => (block['block_id'] === 'boxes' ? none : block)));
  expect(shown).toMatchObject({ callback_id: 'form', private_metadata: 'about', submit: { text: 'Send' } });
});

test('the reason is shown once, however often the form fails', () => {
  const once = formAgain(submitted(form({}), {}), FAULT);
  const twice = once && formAgain(submitted(once, {}), { ...FAULT, sentence: 'It failed again.' });
  expect(twice?.blocks).toHaveLength(once?.blocks.length ?? 0);
  expect(JSON.stringify(twice)).not.toContain('It failed.');
});

test.each([
  ['kept without its blocks', { title: form({}).title, state: { values: {} } }],
  ['with a block that Slack would refuse', { ...submitted(form({}), {}), blocks: [{ type: 'unknown' }] }],
])('a form %s is not shown again', (_, view) => {
  expect(formAgain(view, FAULT)).toBeUndefined();
});

test('a fault after which the platform may have carried out the form offers no repeat', () => {
  const fault = { code: 'timeout', method: 'POST', path: '/x', detail: '' } as const;
  expect(isInDoubt(new PlatformError({ ...fault, outcomeUnknown: true }))).toBe(true);
  expect(isInDoubt(new PlatformError(fault))).toBe(false);
});
