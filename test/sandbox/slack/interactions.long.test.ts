import { describe, expect, test } from 'vitest';
import { button, openSlack, platformData, section, startApp } from './bolt-app.ts';

describe.each(['socket', 'http'] as const)('over %s', (transport) => {
  test('a command is acknowledged and only that person sees its answer', async () => {
    const { slack } = await openSlack({ transport });
    await startApp(
      slack,
      (app) =>
        app.command('/usage', async ({ ack, respond, command }) => {
          await ack();
          await respond(`You asked for ${command.text}`);
        }),
      { transport },
    );
    const delivery = await slack.control.command({ as: 'mia', channel: 'general', command: '/usage', text: '7d' });
    expect(delivery).toMatchObject({ kind: 'slash_commands', transport, inTime: true, error: null });
    const answer = await slack.next('ephemeral');
    expect(answer).toMatchObject({ to: 'U0MIA', channelName: 'general', message: { text: 'You asked for 7d' } });
    const seenBy = async (as: string) => {
      const { channels } = await slack.control.state({ as });
      return channels.find(({ name }) => name === 'general')?.messages.map(({ text }) => text);
    };
    expect(await seenBy('mia')).toEqual(['You asked for 7d']);
    expect(await seenBy('max')).toEqual([]);
  });

  test('a click reaches the app with its value and may update the message', async () => {
    const { slack, client } = await openSlack({ transport });
    await startApp(
      slack,
      (app) =>
        app.action('approve', async ({ ack, action, respond }) => {
          await ack();
          if (action.type === 'button') await respond({ text: `Approved ${action.value}`, replace_original: true });
        }),
      { transport },
    );
    const { ts = '' } = await client.chat.postMessage({
      channel: 'C0USAGE',
      text: 'Please decide',
      blocks: [button('approve', 'request-7')],
    });
    const source = { in: 'message', channel: 'agent-usage', ts } as const;
    await slack.control.click({ as: 'morgan', source, actionId: 'approve' });
    const updated = await slack.next('message_updated');
    expect(updated.message).toMatchObject({ ts, text: 'Approved request-7', isEdited: true, blocks: [] });
  });

  test('an error in the acknowledgement is shown to the person as in Slack', async () => {
    const { slack } = await openSlack({ transport });
    const delivery = await slack.control.command({ as: 'mia', channel: 'general', command: '/usage' });
    expect(delivery).toMatchObject({ error: 'dispatch_failed', ackMs: null, inTime: false });
    const answer = await slack.next('ephemeral');
    expect(answer.message).toMatchObject({ author: 'USLACKBOT', text: expect.stringContaining('dispatch_failed') });
  });
});

describe('slash commands', () => {
  test('escapes mentions, channels and addresses if the command is set to escape', async () => {
    const { slack } = await openSlack();
    const texts: string[] = [];
    await startApp(slack, (app) =>
      app.command(/.*/, async ({ ack, command }) => {
        texts.push(command.text);
        await ack();
      }),
    );
    const text = 'people @mia #agent-usage @web-team mia.member@acme.example a&b @nobody';
    await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text });
    await slack.control.configure({ commands: [{ command: '/usage', shouldEscape: false }] });
    await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text });
    expect(texts).toEqual([
      'people <@U0MIA|mia> <#C0USAGE|agent-usage> <!subteam^S0WEB|@web-team> <mailto:mia.member@acme.example|mia.member@acme.example> a&amp;b @nobody',
      text,
    ]);
  });

  test('refuses commands that do not exist, and channels that the person is not in', async () => {
    const { slack } = await openSlack();
    const run = (as: string, channel: string, command: string) => slack.control.command({ as, channel, command });
    await expect(run('mia', 'general', '/nonsense')).rejects.toThrow('not a valid command');
    await expect(run('mia', 'leads', '/usage')).rejects.toThrow('sees no channel');
    await expect(run('nora', 'platform', '/usage')).rejects.toThrow('not a member');
  });

  test('posts the body of an acknowledgement to the person', async () => {
    const { slack } = await openSlack();
    await startApp(slack, (app) => app.command('/usage', async ({ ack }) => ack({ text: 'At once' })));
    await slack.control.command({ as: 'mia', channel: 'dm', command: '/usage' });
    expect((await slack.next('ephemeral')).message.text).toBe('At once');
  });
});

async function openResponseUrl() {
  const bench = await openSlack();
  const urls: string[] = [];
  await startApp(bench.slack, (app) =>
    app.command('/usage', async ({ ack, command }) => {
      urls.push(command.response_url);
      await ack();
    }),
  );
  await bench.slack.control.command({ as: 'mia', channel: 'general', command: '/usage' });
  const [url = ''] = urls;
  const send = (body: unknown) => fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return { ...bench, send };
}

describe('response URLs', () => {
  test('accept five uses, not a sixth', async () => {
    const { send } = await openResponseUrl();
    for (let use = 1; use <= 5; use += 1) expect((await send({ text: `${use}` })).status).toBe(200);
    const sixth = await send({ text: '6' });
    expect([sixth.status, await sixth.json()]).toMatchObject([404, { error: 'used_url' }]);
  });

  test('are valid for thirty minutes', async () => {
    const { send, clock } = await openResponseUrl();
    clock.moveTo(new Date('2026-03-02T08:31:00Z'));
    const late = await send({ text: 'late' });
    expect([late.status, await late.json()]).toMatchObject([404, { error: 'expired_url' }]);
  });

  test('post into a channel that the app is not in, and refuse wrong blocks', async () => {
    const { send, slack } = await openResponseUrl();
    await send({ text: 'For all', response_type: 'in_channel' });
    expect(await slack.next('message')).toMatchObject({ channelName: 'general', message: { text: 'For all' } });
    const refused = await send({ blocks: [{ type: 'section' }] });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid_blocks' }]);
  });
});

describe('clicks', () => {
  test('carry state.values of the whole message, and no message if it is ephemeral', async () => {
    const { slack, client } = await openSlack();
    const bodies: Record<string, unknown>[] = [];
    await startApp(slack, (app) =>
      app.action(/.*/, async ({ ack, body }) => {
        bodies.push({ ...body });
        await ack();
      }),
    );
    const option = { text: { type: 'plain_text' as const, text: 'Seven days' }, value: '7d' };
    await client.chat.postEphemeral({
      channel: 'C0USAGE',
      user: 'U0MIA',
      text: 'Choose',
      blocks: [
        {
          type: 'actions',
          block_id: 'b',
          elements: [{ type: 'static_select', action_id: 'period', options: [option] }],
        },
        button('go'),
      ],
    });
    const { message } = await slack.next('ephemeral');
    const source = { in: 'message', channel: 'agent-usage', ts: message.ts } as const;
    await slack.control.click({ as: 'mia', source, actionId: 'period', value: '7d' });
    await slack.control.click({ as: 'mia', source, actionId: 'go' });
    expect(bodies[1]).toMatchObject({
      container: { is_ephemeral: true, channel_id: 'C0USAGE' },
      state: { values: { b: { period: { type: 'static_select', selected_option: option } } } },
      actions: [{ action_id: 'go', block_id: 'row', value: 'v' }],
    });
    expect(bodies[1]).not.toHaveProperty('message');
    await expect(slack.control.click({ as: 'max', source, actionId: 'go' })).rejects.toThrow('sees no message');
    await expect(slack.control.click({ as: 'mia', source, actionId: 'gone' })).rejects.toThrow('b/period, row/go');
    await expect(slack.control.click({ as: 'mia', source, actionId: 'period', value: '9d' })).rejects.toThrow(
      'it has: 7d',
    );
  });

  test('can be forged, and delivered again unchanged', async () => {
    const { slack, client } = await openSlack();
    const values: unknown[] = [];
    await startApp(slack, (app) =>
      app.action('approve', async ({ ack, action }) => {
        values.push('value' in action ? action.value : undefined);
        await ack();
      }),
    );
    const { ts = '' } = await client.chat.postMessage({ channel: 'C0USAGE', text: 'Spent' });
    const source = { in: 'message', channel: 'agent-usage', ts } as const;
    await slack.control.click({ as: 'mia', source, actionId: 'approve', forged: { value: 'old' } });
    const again = await slack.control.redeliver({});
    expect(again).toMatchObject({ kind: 'block_actions', attempt: 1, inTime: true });
    expect(values).toEqual(['old', 'old']);
  });

  test('show the person an error if the app does not acknowledge within three seconds', async () => {
    const { slack } = await openSlack();
    await startApp(slack, (app) => app.command('/usage', async () => {}));
    const delivery = await slack.control.command({ as: 'mia', channel: 'general', command: '/usage' });
    expect(delivery).toMatchObject({ error: 'operation_timeout', inTime: false });
    expect((await slack.next('ephemeral')).message.text).toContain('operation_timeout');
    expect((await slack.next('timed_out')).delivery.id).toBe(delivery.id);
  });
});

describe('App Home and events', () => {
  test('open App Home, to which the app publishes', async () => {
    const { slack } = await openSlack();
    await startApp(slack, (app) =>
      app.event('app_home_opened', async ({ event, client }) => {
        await client.views.publish({
          user_id: event.user,
          view: { type: 'home', blocks: [section('Hello'), button('go')] },
        });
      }),
    );
    await slack.control.openHome({ as: 'mia' });
    expect(await slack.next('home_published')).toMatchObject({ person: 'U0MIA', view: { type: 'home' } });
    const { home } = await slack.control.state({ as: 'mia' });
    expect(home?.view).toMatchObject({ blocks: [{ type: 'section' }, { type: 'actions' }] });
    expect((await slack.control.state({ as: 'max' })).home).toBeNull();
  });

  test('notify the app of direct messages, mentions and new members', async () => {
    const { slack } = await openSlack();
    const heard: string[] = [];
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const hear = (what: string) => {
      heard.push(what);
      if (heard.length === 4) finish();
    };
    await startApp(slack, (app) => {
      app.message(async ({ event }) => hear(`message ${event.channel}`));
      app.event('app_mention', async ({ event }) => hear(`mention ${event.text}`));
      app.event('member_joined_channel', async ({ event }) => hear(`joined ${event.user}`));
      app.event('channel_archive', async ({ event }) => hear(`archived ${event.channel}`));
    });
    await slack.control.post({ as: 'mia', channel: 'dm', text: 'hi' });
    await slack.control.post({ as: 'mia', channel: 'agent-usage', text: '@quartermaster help' });
    await slack.control.invite({ as: 'mia', channel: 'platform', who: 'app' });
    await slack.control.archive({ as: 'mia', channel: 'platform' });
    await done;
    expect(heard.toSorted()).toEqual([
      'archived C0PLATFORM',
      'joined U0QUARTERMASTER',
      'mention <@U0QUARTERMASTER> help',
      'message D0MIA',
    ]);
  });
});

describe('refusals', () => {
  test('name the place of a wrong block', async () => {
    const { client } = await openSlack();
    const blocks = [section('fine'), section('x'.repeat(3001))];
    const error: unknown = await client.chat
      .postMessage({ channel: 'C0USAGE', text: 'a', blocks })
      .catch((e: unknown) => e);
    expect(platformData(error)).toEqual({
      error: 'invalid_blocks',
      messages: [
        '[ERROR] failed to match all allowed schemas [json-pointer:/blocks/1]',
        '[ERROR] must be less than 3001 characters [json-pointer:/blocks/1/text/text]',
      ],
    });
  });
});
