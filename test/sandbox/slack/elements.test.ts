import { describe, expect, it } from 'vitest';
import { initialState, isEmpty, statefulElements } from '../../../src/sandbox/slack/form.ts';
import type { InputValue } from '../../../src/sandbox/slack/control-types.ts';
import { modal, openSlack, plain, startApp } from './bolt-app.ts';

const options = [
  { text: plain('A'), value: 'a' },
  { text: plain('B'), value: 'b' },
];
const cases: { type: string; members?: Record<string, unknown>; value: InputValue; state: Record<string, unknown> }[] =
  [
    { type: 'plain_text_input', value: 'hi', state: { value: 'hi' } },
    { type: 'number_input', members: { is_decimal_allowed: true }, value: '2.5', state: { value: '2.5' } },
    { type: 'email_text_input', value: 'a@b.example', state: { value: 'a@b.example' } },
    { type: 'url_text_input', value: 'https://a.example', state: { value: 'https://a.example' } },
    { type: 'datepicker', value: '2026-03-02', state: { selected_date: '2026-03-02' } },
    { type: 'timepicker', value: '09:00', state: { selected_time: '09:00' } },
    { type: 'datetimepicker', value: '1772355600', state: { selected_date_time: 1_772_355_600 } },
    { type: 'static_select', members: { options }, value: 'b', state: { selected_option: options[1] } },
    {
      type: 'multi_static_select',
      members: { option_groups: [{ label: plain('g'), options }] },
      value: ['a', 'b'],
      state: { selected_options: options },
    },
    { type: 'radio_buttons', members: { options }, value: 'a', state: { selected_option: options[0] } },
    { type: 'checkboxes', members: { options }, value: ['a'], state: { selected_options: [options[0]] } },
    { type: 'users_select', value: 'morgan', state: { selected_user: 'U0MORGAN' } },
    { type: 'multi_users_select', value: ['morgan', 'mia'], state: { selected_users: ['U0MORGAN', 'U0MIA'] } },
    { type: 'channels_select', value: '#general', state: { selected_channel: 'C0GENERAL' } },
    { type: 'multi_channels_select', value: ['general'], state: { selected_channels: ['C0GENERAL'] } },
    { type: 'conversations_select', value: 'platform', state: { selected_conversation: 'C0PLATFORM' } },
    { type: 'multi_conversations_select', value: ['general'], state: { selected_conversations: ['C0GENERAL'] } },
    {
      type: 'rich_text_input',
      value: 'hi',
      state: { rich_text_value: { type: 'rich_text', elements: [{ elements: [{ type: 'text', text: 'hi' }] }] } },
    },
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
  it('every stateful element takes a value and says it in its own member', async () => {
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
    const untested = statefulElements.filter((type) => !(type in state) && type !== 'overflow');
    expect(untested).toEqual([]);
  });

  it('sends null and empty lists for what was left alone', async () => {
    const { slack, states } = await openForm([{ type: 'users_select' }, { type: 'multi_users_select' }]);
    await slack.control.submit({ as: 'mia' });
    expect(states).toEqual([
      {
        users_select: { value: { type: 'users_select', selected_user: null } },
        multi_users_select: { value: { type: 'multi_users_select', selected_users: [] } },
      },
    ]);
  });

  it('refuses what a person could not enter', async () => {
    const wholeNumber = { type: 'number_input', is_decimal_allowed: false, min_value: '5' };
    const { slack } = await openForm([wholeNumber]);
    const enter = (value: string) =>
      slack.control.submit({ as: 'mia', values: { number_input: { value } } }).then(
        () => 'sent',
        (error: unknown) => String(error),
      );
    expect(await enter('many')).toContain('Enter a number');
    expect(await enter('5.5')).toContain('Enter a whole number');
    expect(await enter('4')).toContain('Enter at least 5');
    expect(await enter('6')).toBe('sent');
  });

  it('starts with the initial values', () => {
    const element = { type: 'static_select', action_id: 'a', options, initial_option: options[0] };
    const state = initialState([{ type: 'actions', block_id: 'b', elements: [element] }]);
    expect(state).toEqual({ b: { a: { type: 'static_select', selected_option: options[0] } } });
    expect(isEmpty(state['b']?.['a'])).toBe(false);
  });

  it('an overflow menu sends the chosen option', async () => {
    const { slack, client } = await openSlack();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    await startApp(slack, (app) =>
      app.action('menu', async ({ ack, action }) => {
        await ack();
        resolve(action);
      }),
    );
    const accessory = { type: 'overflow' as const, action_id: 'menu', options };
    const blocks = [{ type: 'section' as const, text: plain('a'), accessory }];
    const { ts = '' } = await client.chat.postMessage({ channel: 'C0USAGE', text: 'a', blocks });
    const source = { in: 'message', channel: 'agent-usage', ts } as const;
    await slack.control.click({ as: 'mia', source, actionId: 'menu', value: 'b' });
    expect(await promise).toMatchObject({ type: 'overflow', selected_option: options[1] });
  });
});
