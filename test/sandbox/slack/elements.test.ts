import { describe, expect, test } from 'vitest';
import { initialState, isEmpty, statefulElements } from '../../../src/sandbox/slack/people/form.ts';
import type { InputValue } from '../../../src/sandbox/slack/people/control-types.ts';
import { modal, openSlack, plain, startApp } from './bolt-app.ts';

const options = [
  { text: plain('A'), value: 'a' },
  { text: plain('B'), value: 'b' },
];
const cases: { type: string; members?: Record<string, unknown>; value: InputValue; state: Record<string, unknown> }[] =
  [
    { type: 'plain_text_input', value: 'hi', state: { value: 'hi' } },
    { type: 'timepicker', value: '09:00', state: { selected_time: '09:00' } },
    { type: 'datetimepicker', value: '1772355600', state: { selected_date_time: 1_772_355_600 } },
    { type: 'static_select', members: { options }, value: 'b', state: { selected_option: options[1] } },
    {
      type: 'multi_static_select',
      members: { options },
      value: ['a', 'b'],
      state: { selected_options: options },
    },
    { type: 'radio_buttons', members: { options }, value: 'a', state: { selected_option: options[0] } },
    { type: 'checkboxes', members: { options }, value: ['a'], state: { selected_options: [options[0]] } },
    { type: 'multi_users_select', value: ['morgan', 'mia'], state: { selected_users: ['U0MORGAN', 'U0MIA'] } },
    { type: 'conversations_select', value: 'platform', state: { selected_conversation: 'C0PLATFORM' } },
  ];

async function openForm(elements: { type: string }[]) {
  const bench = await openSlack();
  const blocks = elements.map((element) => ({
    type: 'input' as const,
    block_id: element.type,
    label: plain(element.type),
    optional: true,
    element: { ...element, action_id: 'value' },
  }));
  const states: Record<string, unknown>[] = [];
  await startApp(bench.slack, (app) => {
    app.command('/limits', async ({ ack, client, command }) => {
      await ack();
      await client.views.open({ trigger_id: command.trigger_id, view: { ...modal('form'), blocks } });
    });
    app.view('form', async ({ ack, view }) => {
      states.push(view.state.values);
      await ack();
    });
  });
  await bench.slack.control.command({ as: 'mia', channel: 'general', command: '/limits' });
  await bench.slack.next('view_opened');
  return { ...bench, states };
}

describe('elements', () => {
  test('accept a value each, and return it in their own member', async () => {
    const { slack, states } = await openForm([
      ...cases.map(({ type, members }) => ({ type, ...members })),
      { type: 'file_input' },
    ]);
    const { id } = await slack.control.upload({ as: 'mia', name: 'a.csv', contentBase64: 'YSxi' });
    const values = Object.fromEntries(cases.map(({ type, value }) => [type, { value }]));
    await slack.control.submit({ as: 'mia', values: { ...values, file_input: { value: [id] } } });
    const [state = {}] = states;
    for (const { type, state: expected } of cases) expect(state[type]).toMatchObject({ value: { type, ...expected } });
    expect(state).toMatchObject({
      file_input: { value: { files: [{ id, name: 'a.csv' }] } },
    });
    const untested = statefulElements.filter((type) => !(type in state));
    expect(untested).toEqual([]);
  });

  test('send null and empty lists for inputs that were left alone', async () => {
    const { slack, states } = await openForm([{ type: 'conversations_select' }, { type: 'multi_users_select' }]);
    await slack.control.submit({ as: 'mia' });
    expect(states).toEqual([
      {
        conversations_select: { value: { type: 'conversations_select', selected_conversation: null } },
        multi_users_select: { value: { type: 'multi_users_select', selected_users: [] } },
      },
    ]);
  });

  test('refuse values that a person could not enter', async () => {
    const short = { type: 'plain_text_input', min_length: 2, max_length: 4 };
    const { slack } = await openForm([short]);
    const enter = (value: string) =>
      slack.control.submit({ as: 'mia', values: { plain_text_input: { value } } }).then(
        () => 'sent',
        (error: unknown) => String(error),
      );
    expect(await enter('a')).toContain('Enter at least 2 characters');
    expect(await enter('abcde')).toContain('Enter at most 4 characters');
    expect(await enter('abcd')).toBe('sent');
  });

  test('start with the initial values', () => {
    const element = { type: 'static_select', action_id: 'a', options, initial_option: options[0] };
    const state = initialState([{ type: 'actions', block_id: 'b', elements: [element] }]);
    expect(state).toEqual({ b: { a: { type: 'static_select', selected_option: options[0] } } });
    expect(isEmpty(state['b']?.['a'])).toBe(false);
  });
});
