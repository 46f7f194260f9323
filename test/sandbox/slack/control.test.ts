import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { snapshotSchema, slackEventSchema } from '../../../src/sandbox/slack/people/control-types.ts';
import { openSlack, section, startApp } from './bolt-app.ts';

describe('the control API over HTTP', () => {
  const act = async (address: string, action: string, input: unknown) => {
    const answer = await fetch(`${address}/control/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    return [answer.status, await answer.json()];
  };

  test('has the same effect as calls in the same process', async () => {
    const { slack } = await openSlack();
    await startApp(slack, (app) => app.command('/usage', async ({ ack }) => ack('Hello')));
    const input = { as: 'mia', channel: 'general', command: '/usage' };
    expect(await act(slack.address, 'command', input)).toMatchObject([200, { ok: true, result: { inTime: true } }]);
    const state = await fetch(`${slack.address}/control/state?as=mia`);
    const snapshot = z.object({ result: snapshotSchema }).parse(await state.json()).result;
    expect(snapshot.viewer.handle).toBe('mia');
    expect(snapshot.channels.find(({ name }) => name === 'general')?.messages).toMatchObject([{ text: 'Hello' }]);
  });

  test('takes the first direct message to the app by the id that the person sees before it', async () => {
    const { slack } = await openSlack();
    const { channels } = await slack.control.state({ as: 'mia' });
    const direct = channels.find(({ kind }) => kind === 'dm')?.id ?? '';
    await slack.control.post({ as: 'mia', channel: direct, text: 'How much did I use?' });
    const after = (await slack.control.state({ as: 'mia' })).channels.find(({ id }) => id === direct);
    expect(after?.messages).toMatchObject([{ text: 'How much did I use?' }]);
    await expect(slack.control.post({ as: 'max', channel: direct, text: 'Hello' })).rejects.toThrow('sees no channel');
  });

  test('names the fault of a request', async () => {
    const { slack } = await openSlack();
    expect(await act(slack.address, 'command', { as: 'mia' })).toMatchObject([
      400,
      { error: 'invalid_request', message: expect.stringContaining('channel') },
    ]);
    expect(await act(slack.address, 'dance', {})).toMatchObject([400, { error: 'unknown_action' }]);
    expect(await act(slack.address, 'post', { as: 'who', channel: 'general', text: 'a' })).toMatchObject([
      400,
      { error: 'no_such_person', message: expect.stringContaining('morgan, mia') },
    ]);
    const form = await fetch(`${slack.address}/control/archive`, { method: 'POST', body: 'as=ada' });
    expect(form.status).toBe(400);
  });

  test('streams everything that one person may see', async () => {
    const { slack, client } = await openSlack();
    await client.chat.postEphemeral({ channel: 'C0USAGE', user: 'U0MAX', text: 'for Max' });
    await client.chat.postEphemeral({ channel: 'C0USAGE', user: 'U0MIA', text: 'for Mia' });
    await slack.control.post({ as: 'morgan', channel: 'leads', text: 'for leads' });
    const stream = await fetch(`${slack.address}/control/events?as=mia&since=0`);
    const texts: string[] = [];
    const decoder = new TextDecoder();
    let buffered = '';
    for await (const chunk of stream.body ?? []) {
      buffered += decoder.decode(chunk, { stream: true });
      if (!buffered.includes('the end')) {
        if (buffered.includes('for Mia')) await client.chat.postMessage({ channel: 'C0USAGE', text: 'the end' });
        continue;
      }
      if (buffered.endsWith('\n\n')) break;
    }
    for (const line of buffered.split('\n').filter((part) => part.startsWith('data: '))) {
      const event = slackEventSchema.parse(JSON.parse(line.slice('data: '.length)));
      if ('message' in event) texts.push(event.message.text);
    }
    expect(texts).toEqual(['for Mia', 'the end']);
  });

  test('serves other routes on the same port', async () => {
    const { slack } = await openSlack({
      extraRoutes: (request, response) => {
        if (request.url !== '/page') return false;
        response.end('the page');
        return true;
      },
    });
    expect(await (await fetch(`${slack.address}/page`)).text()).toBe('the page');
    expect((await fetch(`${slack.address}/nothing`)).status).toBe(404);
  });
});

describe('people and channels', () => {
  test('can be added and changed', async () => {
    const { slack, client } = await openSlack();
    const { id } = await slack.control.addPerson({
      handle: 'pat',
      name: 'Pat',
      email: 'pat@acme.example',
      isAdmin: true,
    });
    await slack.control.updatePerson({ person: 'pat', isDeactivated: true });
    expect((await client.users.info({ user: id })).user?.deleted).toBe(true);
    await slack.control.setUserGroup({ handle: 'web-team', members: ['mia', 'max'] });
    expect((await client.usergroups.users.list({ usergroup: 'S0WEB' })).users).toEqual(['U0MIA', 'U0MAX']);
    const channel = await slack.control.addChannel({ name: 'secret', isPrivate: true, members: ['mia', 'app'] });
    await client.chat.postMessage({ channel: channel.id, text: 'hush' });
    const names = async (as: string) => (await slack.control.state({ as })).channels.map(({ name }) => name);
    expect(await names('mia')).toContain('secret');
    expect(await names('max')).not.toContain('secret');
    await slack.control.kick({ as: 'mia', channel: 'secret', who: 'app' });
    await expect(client.chat.postMessage({ channel: channel.id, text: 'a' })).rejects.toThrow('channel_not_found');
  });

  test('may upload files, which the state lists', async () => {
    const { slack } = await openSlack();
    const contentBase64 = Buffer.from('a,b').toString('base64');
    const file = await slack.control.upload({ as: 'mia', channel: 'agent-usage', name: 'a.csv', contentBase64 });
    expect(await slack.next('file_shared')).toMatchObject({
      channel: 'C0USAGE',
      file: { id: file.id, owner: 'U0MIA' },
    });
    expect((await slack.control.state({ as: 'mia' })).files).toMatchObject([{ name: 'a.csv', sizeBytes: 3 }]);
  });
});

describe('waiting', () => {
  test('misses no event before the call, and returns none twice', async () => {
    const { slack, client } = await openSlack();
    for (const text of ['one', 'two', 'three']) await client.chat.postMessage({ channel: 'C0USAGE', text });
    expect((await slack.next('message')).message.text).toBe('one');
    expect((await slack.next('message')).message.text).toBe('two');
    const mark = slack.mark();
    await client.chat.postMessage({ channel: 'C0USAGE', text: 'four' });
    expect((await slack.next('message', undefined, { since: mark })).message.text).toBe('four');
  });

  test('fails with the list of actual events', async () => {
    const { slack, client } = await openSlack();
    await client.chat.postMessage({ channel: 'C0USAGE', text: 'something else', blocks: [section('a')] });
    const isNever = (event: { message: { text: string } }) => event.message.text === 'never';
    const waiting = slack.next(['message', 'message_updated'], isNever, { timeoutMs: 20 });
    await expect(waiting).rejects.toThrow(
      /No "message" or "message_updated" that fits[^]*#agent-usage by U0QUARTERMASTER: something else/,
    );
  });

  test('keeps a log of the traffic in both directions', async () => {
    const { slack } = await openSlack();
    await startApp(slack, (app) => app.command('/usage', async ({ ack }) => ack()));
    await slack.control.command({ as: 'mia', channel: 'general', command: '/usage', text: '7d' });
    const traffic = await slack.control.traffic({});
    expect(traffic.map(({ direction, method, status }) => `${direction} ${method} ${status}`)).toEqual(
      expect.arrayContaining(['in auth.test 200', 'in apps.connections.open 200', 'out slash_commands acked']),
    );
    expect(traffic.at(-1)).toMatchObject({ summary: '/usage 7d', via: 'socket' });
  });
});
