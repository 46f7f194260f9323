import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { checkView } from '../../../src/core/slack/blocks/rules/index.ts';
import { actions, button, chart, dataTable, message, section } from '../../../src/core/slack/blocks/blocks.ts';
import {
  channelInput,
  checkboxesInput,
  multiSelectInput,
  radioInput,
  selectInput,
  timeInput,
  usersInput,
} from '../../../src/core/slack/blocks/inputs.ts';
import { markup } from '../../../src/core/base/text/markup.ts';
import {
  formValues,
  FormState,
  messageView,
  modal,
  sentenceView,
  withSafeView,
} from '../../../src/core/slack/blocks/views.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { anyCharacter } from '../../support/any-character.ts';

const anything = fc.string({ unit: anyCharacter, maxLength: 400 });

describe('a modal', () => {
  test('is accepted by Slack with any content and length', () => {
    fc.assert(
      fc.property(anything, anything, fc.integer({ min: 0, max: 150 }), (title, text, count) => {
        const blocks = Array.from({ length: count }, () => section(markup`${text}`));
        expect(checkView(modal({ title, blocks, submit: text, metadata: 'x' }))).toEqual([]);
        expect(checkView(sentenceView(title, text))).toEqual([]);
      }),
    );
  });

  test('refuses metadata that would be cut', () => {
    expect(() => modal({ title: 'Form', blocks: [], metadata: 'x'.repeat(3001) })).toThrow(RangeError);
  });

  test('that breaks a rule becomes a sentence, and the log names the rule', () => {
    const lines: string[] = [];
    const log = createLogger('error', [], (line) => void lines.push(line));
    const broken = modal({ title: 'Form', blocks: [{ type: 'data_visualization' }] });
    expect(checkView(withSafeView(broken, log))).toEqual([]);
    expect(lines.join('')).toContain('violations');
  });

  test('shows an answer unchanged, or as text with its buttons if it has charts and tables', () => {
    const more = actions(button({ text: 'More', actionId: 'more' }));
    const simple = message(markup`Done.`, [section(markup`*Done.*`), more]);
    expect(messageView('Answer', simple).blocks).toEqual(simple.blocks);
    const rich = message(markup`12 credits`, [
      chart({ kind: 'bar', title: 'Credits', categories: ['Mon'], series: [{ name: 'Credits', values: [12] }] }),
      dataTable({ caption: 'Credits', columns: ['Day'], rows: [['Mon']] }),
      more,
    ]);
    const view = messageView('Answer', rich);
    expect(checkView(view)).toEqual([]);
    expect(view.blocks).toEqual([section(markup`12 credits`), more]);
  });
});

describe('the inputs of a form', () => {
  test('are accepted by Slack with any names, options and values', () => {
    const options = fc.uniqueArray(
      fc.record({ value: fc.string({ minLength: 1, maxLength: 75 }), text: anything, description: anything }),
      { minLength: 1, maxLength: 120, selector: ({ value }) => value },
    );
    fc.assert(
      fc.property(anything, options, fc.boolean(), (label, offered, isOptional) => {
        const base = { label, hint: label, isOptional };
        const initial = offered.map(({ value }) => value);
        const view = modal({
          title: 'Form',
          submit: 'Go',
          blocks: [
            selectInput({ ...base, id: 'one', options: offered, initial: initial[0] }),
            multiSelectInput({ ...base, id: 'some', options: offered, initial }),
            checkboxesInput({ ...base, id: 'boxes', options: offered, initial }),
            radioInput({ ...base, id: 'radio', options: offered, initial: initial.at(-1) }),
            channelInput({ ...base, id: 'channel', initial: 'C0USAGE' }),
            usersInput({ ...base, id: 'users', initial: ['U0MIA'] }),
            timeInput({ ...base, id: 'time', initial: '09:00' }),
          ],
        });
        expect(checkView(view)).toEqual([]);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  test('refuse a value that would name another thing if it were cut', () => {
    const options = [{ value: 'x'.repeat(76), text: 'Long' }];
    expect(() => selectInput({ id: 'a', label: 'A', options })).toThrow(RangeError);
  });
});

describe('the values of a form', () => {
  test('are read by the id of the input', () => {
    const state = new FormState(
      formValues.parse({
        reason: { reason: { type: 'plain_text_input', value: '  because ' } },
        one: { one: { type: 'static_select', selected_option: { value: 'a' } } },
        some: { some: { type: 'checkboxes', selected_options: [{ value: 'a' }, { value: 'b' }] } },
        channel: { channel: { type: 'conversations_select', selected_conversation: 'C1' } },
        users: { users: { type: 'multi_users_select', selected_users: ['U1'] } },
        time: { time: { type: 'timepicker', selected_time: '09:30' } },
        bad: { bad: { type: 'timepicker', selected_time: '25:00' } },
      }),
    );
    expect([state.text('reason'), state.option('one'), state.options('some')]).toEqual(['because', 'a', ['a', 'b']]);
    expect([state.conversation('channel'), state.users('users'), state.time('time')]).toEqual(['C1', ['U1'], '09:30']);
    expect([state.time('bad'), state.text('missing'), state.option('reason')]).toEqual([undefined, '', undefined]);
  });

  test('are empty rather than a fault, whatever is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (values) => {
        const state = new FormState(formValues.parse(values));
        expect(typeof state.text('a')).toBe('string');
        expect(Array.isArray(state.options('a'))).toBe(true);
        expect(Array.isArray(state.users('a'))).toBe(true);
      }),
    );
  });
});
