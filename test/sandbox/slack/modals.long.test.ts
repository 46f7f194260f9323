import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { button, modal, openSlack, plain, platformData, refusal, section, startApp, textInput } from './bolt-app.ts';

/** Opens the modal `first` on /limits; `register` defines the answer to a submission. */
async function openModal(register: (app: App) => void = () => {}, view = modal('first')) {
  const bench = await openSlack();
  const triggers: string[] = [];
  await startApp(bench.slack, (app) => {
    app.command('/limits', async ({ ack, client, command }) => {
      await ack();
      triggers.push(command.trigger_id);
      await client.views.open({ trigger_id: command.trigger_id, view });
    });
    register(app);
  });
  await bench.slack.control.command({ as: 'mia', channel: 'general', command: '/limits' });
  const opened = await bench.slack.next('view_opened');
  return { ...bench, opened, trigger: triggers[0] ?? '' };
}

const values = { amount: { value: '500' } };

describe('opening', () => {
  test('opens a modal for the person who ran the command', async () => {
    const { slack, opened } = await openModal();
    expect(opened).toMatchObject({ person: 'U0MIA', view: { view: { callback_id: 'first' } } });
    expect((await slack.control.state({ as: 'mia' })).modals).toHaveLength(1);
    expect((await slack.control.state({ as: 'max' })).modals).toEqual([]);
  });

  test('refuses a trigger id a second time, and an unknown one', async () => {
    const { client, trigger } = await openModal();
    const open = (triggerId: string) => refusal(client.views.open({ trigger_id: triggerId, view: modal('again') }));
    expect(await open(trigger)).toBe('exchanged_trigger_id');
    expect(await open('1.2.3')).toBe('invalid_trigger_id');
  });

  test('refuses a trigger id after three seconds', async () => {
    const { slack, client } = await openSlack();
    const { promise, resolve } = Promise.withResolvers<string>();
    await startApp(slack, (app) =>
      app.command('/limits', async ({ command }) => {
        resolve(command.trigger_id);
      }),
    );
    // The app does not acknowledge, so this ends after exactly the three seconds that a trigger lives.
    await slack.control.command({ as: 'mia', channel: 'general', command: '/limits' });
    expect(await refusal(client.views.open({ trigger_id: await promise, view: modal('late') }))).toBe(
      'expired_trigger_id',
    );
  });

  test('names the place of the fault in a view, and keeps the trigger id valid', async () => {
    const { slack, client } = await openSlack();
    const { promise, resolve } = Promise.withResolvers<string>();
    await startApp(slack, (app) =>
      app.command('/limits', async ({ ack, command }) => {
        await ack();
        resolve(command.trigger_id);
      }),
    );
    await slack.control.command({ as: 'mia', channel: 'general', command: '/limits' });
    const view = modal('wrong', [], { title: plain('x'.repeat(25)) });
    const error: unknown = await client.views.open({ trigger_id: await promise, view }).catch((e: unknown) => e);
    expect(platformData(error)).toEqual({
      error: 'invalid_arguments',
      messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'],
    });
    expect(await refusal(client.views.open({ trigger_id: await promise, view: modal('right') }))).toBe('accepted');
  });
});

describe('submitting', () => {
  test('closes the modal on an empty acknowledgement and sends the typed values', async () => {
    const states: unknown[] = [];
    const { slack } = await openModal((app) =>
      app.view('first', async ({ ack, view }) => {
        states.push(view.state.values);
        await ack();
      }),
    );
    const { modals } = await slack.control.submit({ as: 'mia', values });
    expect(modals).toEqual([]);
    expect(states).toEqual([{ amount: { value: { type: 'plain_text_input', value: '500' } } }]);
  });

  test('shows errors below the inputs and keeps the modal', async () => {
    const { slack } = await openModal((app) =>
      app.view('first', async ({ ack }) => ack({ response_action: 'errors', errors: { amount: 'Too much' } })),
    );
    const { modals } = await slack.control.submit({ as: 'mia', values });
    expect(modals).toMatchObject([{ errors: { amount: 'Too much' }, values: { amount: { value: { value: '500' } } } }]);
  });

  test('refuses errors for blocks that are no inputs', async () => {
    const { slack } = await openModal((app) =>
      app.view('first', async ({ ack }) => ack({ response_action: 'errors', errors: { nowhere: 'Lost' } })),
    );
    const { delivery } = await slack.control.submit({ as: 'mia', values });
    expect(delivery.error).toContain('no input block is called nowhere');
  });

  test('replaces the modal on update and keeps the typed values', async () => {
    const { slack } = await openModal((app) =>
      app.view('first', async ({ ack }) =>
        ack({
          response_action: 'update',
          view: modal('second', [textInput('amount', 'value'), textInput('why', 'text')]),
        }),
      ),
    );
    const { modals } = await slack.control.submit({ as: 'mia', values });
    expect(modals).toMatchObject([
      {
        view: { callback_id: 'second' },
        values: { amount: { value: { value: '500' } }, why: { text: { value: null } } },
      },
    ]);
  });

  test('stacks three modals, refuses a fourth, and clears them all', async () => {
    const { slack } = await openModal((app) => {
      app.view('first', async ({ ack }) => ack({ response_action: 'push', view: modal('second') }));
      app.view('second', async ({ ack }) => ack({ response_action: 'push', view: modal('third') }));
      app.view('third', async ({ ack, view }) => {
        const isClearing = view.state.values['amount']?.['value']?.value === 'clear';
        await ack(isClearing ? { response_action: 'clear' } : { response_action: 'push', view: modal('fourth') });
      });
    });
    await slack.control.submit({ as: 'mia', values });
    const second = await slack.control.submit({ as: 'mia', values });
    expect(second.modals.map(({ view }) => view['callback_id'])).toEqual(['first', 'second', 'third']);
    const third = await slack.control.submit({ as: 'mia', values });
    expect(third.delivery.error).toBe('push_limit_reached');
    const cleared = await slack.control.submit({ as: 'mia', values: { amount: { value: 'clear' } } });
    expect(cleared.modals).toEqual([]);
  });

  test('is not sent while a required input is empty', async () => {
    const { slack } = await openModal();
    await expect(slack.control.submit({ as: 'mia' })).rejects.toThrow('This is a required field');
    expect((await slack.control.state({ as: 'mia' })).modals).toMatchObject([
      { errors: { amount: 'This is a required field' } },
    ]);
  });
});

describe('updating and closing', () => {
  test('refuses an update with an old hash', async () => {
    const { client, opened } = await openModal();
    const first = { view_id: opened.view.id, hash: opened.view.hash, view: modal('loaded') };
    expect(await refusal(client.views.update(first))).toBe('accepted');
    expect(await refusal(client.views.update(first))).toBe('hash_conflict');
    expect(await refusal(client.views.update({ view_id: 'V404', view: modal('gone') }))).toBe('not_found');
  });

  test('notifies the app of a cancelled modal only with notify_on_close', async () => {
    const closed: unknown[] = [];
    const listen = (app: App) =>
      app.view({ callback_id: 'first', type: 'view_closed' }, async ({ ack, body }) => {
        closed.push('is_cleared' in body && body.is_cleared);
        await ack();
      });
    const quiet = await openModal(listen);
    expect((await quiet.slack.control.close({ as: 'mia' })).deliveries).toEqual([]);
    const loud = await openModal(listen, modal('first', [textInput('amount', 'value')], { notify_on_close: true }));
    expect((await loud.slack.control.close({ as: 'mia', all: true })).deliveries).toHaveLength(1);
    expect(closed).toEqual([true]);
  });

  test('pushes on top of a modal from a click inside it', async () => {
    const blocks = [textInput('amount', 'value'), button('more')];
    const { slack } = await openModal(
      (app) =>
        app.action('more', async ({ ack, body, client }) => {
          await ack();
          if (body.type === 'block_actions')
            await client.views.push({ trigger_id: body.trigger_id, view: modal('second') });
        }),
      modal('first', blocks),
    );
    await slack.control.click({ as: 'mia', source: { in: 'modal' }, actionId: 'more' });
    await slack.next('view_opened', (event) => event.view.view['callback_id'] === 'second');
    const { modals } = await slack.control.close({ as: 'mia' });
    expect(modals.map(({ view }) => view['callback_id'])).toEqual(['first']);
  });

  test('sends typed text to the app only if the input dispatches', async () => {
    const loud = { ...textInput('loud', 'text'), dispatch_action: true };
    const { slack } = await openModal(
      (app) => app.action('text', async ({ ack }) => ack()),
      modal('first', [textInput('amount', 'value'), loud]),
    );
    const typed = await slack.control.type({ as: 'mia', values: { ...values, loud: { text: 'now' } } });
    expect(typed.deliveries.map(({ kind }) => kind)).toEqual(['block_actions']);
    expect(typed.view.values).toMatchObject({ amount: { value: { value: '500' } }, loud: { text: { value: 'now' } } });
  });

  test('refuses an App Home with an old hash, and charts in it', async () => {
    const { client } = await openSlack();
    const home = { type: 'home' as const, blocks: [section('a')] };
    const { view } = await client.views.publish({ user_id: 'U0MIA', view: home });
    const again = { user_id: 'U0MIA', view: home, hash: view?.hash ?? '' };
    expect(await refusal(client.views.publish(again))).toBe('accepted');
    expect(await refusal(client.views.publish(again))).toBe('hash_conflict');
    const chart = {
      type: 'data_visualization',
      title: 'a',
      chart: {
        type: 'bar',
        series: [{ name: 'a', data: [{ label: 'b', value: 1 }] }],
        axis_config: { categories: ['b'] },
      },
    };
    expect(await refusal(client.views.publish({ user_id: 'U0MIA', view: { type: 'home', blocks: [chart] } }))).toBe(
      'invalid_arguments',
    );
  });

  test('closes the whole stack if a modal has clear_on_close', async () => {
    const { slack } = await openModal((app) =>
      app.view('first', async ({ ack }) => {
        await ack({ response_action: 'push', view: modal('second', undefined, { clear_on_close: true }) });
      }),
    );
    expect((await slack.control.submit({ as: 'mia', values })).modals).toHaveLength(2);
    expect((await slack.control.close({ as: 'mia' })).modals).toEqual([]);
  });

  test('keeps external ids unique, and finds views by them', async () => {
    const { client } = await openModal(undefined, modal('first', undefined, { external_id: 'request-7' }));
    const view = modal('loaded', undefined, { external_id: 'request-7' });
    expect(await refusal(client.views.update({ external_id: 'request-7', view }))).toBe('accepted');
    const home = { type: 'home' as const, blocks: [section('a')] };
    const { view: published } = await client.views.publish({ user_id: 'U0MAX', view: home });
    const clash = { ...home, external_id: 'request-7' };
    expect(await refusal(client.views.update({ view_id: published?.id ?? '', view: clash }))).toBe(
      'duplicate_external_id',
    );
  });

  test('returns a response URL for a conversation that was chosen with response_url_enabled', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const element = { type: 'conversations_select' as const, action_id: 'value', response_url_enabled: true };
    const where = { type: 'input' as const, block_id: 'where', label: plain('Where'), element };
    const { slack } = await openModal(
      (app) =>
        app.view('first', async ({ ack, body }) => {
          await ack();
          if (body.type === 'view_submission') resolve(body.response_urls?.[0]?.response_url ?? '');
        }),
      modal('first', [where]),
    );
    await slack.control.submit({ as: 'mia', values: { where: { value: 'general' } } });
    const body = JSON.stringify({ text: 'Done', response_type: 'in_channel' });
    await fetch(await promise, { method: 'POST', body });
    expect(await slack.next('message')).toMatchObject({ channelName: 'general', message: { text: 'Done' } });
  });
});
