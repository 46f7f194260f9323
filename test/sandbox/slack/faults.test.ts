import { describe, expect, test } from 'vitest';
import { openSlack, quietClient, startApp } from './bolt-app.ts';

const message = {
  channel: 'C0USAGE',
  text: 'The digest',
  metadata: { event_type: 'delivery', event_payload: { key: 'digest-7' } },
};

describe('a fault', () => {
  test('that loses the answer leaves the message in history, with its metadata', async () => {
    const { slack, client } = await openSlack();
    slack.faults.add({ method: 'chat.postMessage', kind: 'lost_answer', times: 1 });
    await expect(client.chat.postMessage(message)).rejects.toThrow('A request error occurred');
    const { messages } = await client.conversations.history({ channel: 'C0USAGE', include_all_metadata: true });
    expect(messages).toMatchObject([{ text: 'The digest', metadata: { event_payload: { key: 'digest-7' } } }]);
    expect(slack.traffic.calls('chat.postMessage')).toMatchObject([{ status: 'lost' }]);
  });

  test('that drops the connection does nothing', async () => {
    const { slack, client } = await openSlack();
    slack.faults.add({ method: 'chat.postMessage', kind: 'dropped', times: 1 });
    await expect(client.chat.postMessage(message)).rejects.toThrow('A request error occurred');
    expect((await client.conversations.history({ channel: 'C0USAGE' })).messages).toEqual([]);
  });

  test('that limits the rate answers 429 with Retry-After, for that method only', async () => {
    const { slack, client } = await openSlack();
    slack.faults.add({ method: 'chat.postMessage', kind: 'rate_limited', retryAfter: 7 });
    const answer = await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
    expect((await client.auth.test()).ok).toBe(true);
    slack.faults.clear();
    expect((await client.chat.postMessage(message)).ok).toBe(true);
  });

  test('may answer an error, a 500, or HTML with status 200', async () => {
    const { slack, client } = await openSlack();
    slack.faults.add({ method: 'auth.test', kind: 'error', error: 'fatal_error', times: 1 });
    await expect(client.auth.test()).rejects.toThrow('fatal_error');
    slack.faults.add({ method: 'auth.test', kind: 'http_500', times: 1 });
    await expect(client.auth.test()).rejects.toThrow('500');
    slack.faults.add({ method: 'auth.test', kind: 'html', times: 1 });
    await expect(client.auth.test()).rejects.toThrow('<html>');
    expect((await client.auth.test()).ok).toBe(true);
  });

  test('may be slow, occur by chance, and match the arguments', async () => {
    const chances = [0.9, 0.1];
    const { slack, client } = await openSlack({ random: () => chances.shift() ?? 0.5 });
    slack.faults.add({ method: '*', kind: 'error', probability: 0.5, times: 1 });
    expect((await client.auth.test()).ok).toBe(true);
    await expect(client.auth.test()).rejects.toThrow('internal_error');
    slack.faults.add({
      method: 'chat.postMessage',
      kind: 'slow',
      delayMs: 50,
      when: (args) => args['text'] === 'slow',
    });
    const startedMs = performance.now();
    await client.chat.postMessage({ ...message, text: 'slow' });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(45);
  });

  test('can be switched on over HTTP, and hits response URLs too', async () => {
    const { slack } = await openSlack();
    const statuses: unknown[] = [];
    await startApp(slack, (app) =>
      app.command('/usage', async ({ ack, command }) => {
        await ack();
        const answer = await fetch(command.response_url, { method: 'POST', body: '{"text":"a"}' });
        statuses.push(answer.status);
        await fetch(command.response_url, { method: 'POST', body: '{"text":"b"}' });
      }),
    );
    await fetch(`${slack.address}/control/addFault`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'response_url', kind: 'http_500', times: 1 }),
    });
    await slack.control.command({ as: 'mia', channel: 'general', command: '/usage' });
    expect((await slack.next('ephemeral')).message.text).toBe('b');
    expect(statuses).toEqual([500]);
  });

  test('of an upload leaves nothing to share', async () => {
    const { slack, client } = await openSlack();
    const upload = { channel_id: 'C0USAGE', filename: 'a.csv', file: Buffer.from('a,b') };
    slack.faults.add({ method: 'upload', kind: 'dropped', times: 1 });
    await expect(client.files.uploadV2(upload)).rejects.toThrow('A request error occurred');
    expect((await client.conversations.history({ channel: 'C0USAGE' })).messages).toEqual([]);
    expect((await client.files.uploadV2(upload)).ok).toBe(true);
  });

  test('that makes a caller repeat blindly leaves the same message twice', async () => {
    const { slack } = await openSlack();
    const client = quietClient(slack);
    slack.faults.add({ method: 'chat.postMessage', kind: 'lost_answer', times: 1 });
    await client.chat.postMessage(message).catch(() => client.chat.postMessage(message));
    expect((await client.conversations.history({ channel: 'C0USAGE' })).messages).toHaveLength(2);
  });
});
