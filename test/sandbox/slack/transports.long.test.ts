import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSlack, portOf, startApp } from './bolt-app.ts';

const run = { as: 'mia', channel: 'general', command: '/usage' };

describe('HTTP', () => {
  test('signs each request so that the app can verify it', async () => {
    const { slack } = await openSlack({ transport: 'http' });
    const { promise, resolve } = Promise.withResolvers<{ signature: string; expected: string }>();
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const base = `v0:${String(request.headers['x-slack-request-timestamp'])}:${Buffer.concat(chunks).toString()}`;
        const expected = `v0=${createHmac('sha256', slack.signingSecret).update(base).digest('hex')}`;
        resolve({ signature: String(request.headers['x-slack-signature']), expected });
        response.end();
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    slack.setEventsUrl(`http://127.0.0.1:${portOf(server)}/slack/events`);
    await slack.control.command(run);
    const { signature, expected } = await promise;
    expect(signature).toBe(expected);
  });

  test('is refused by an app with another secret', async () => {
    const { slack } = await openSlack({ transport: 'http' });
    await startApp({ ...slack, signingSecret: 'another' }, (app) => app.command('/usage', async ({ ack }) => ack()), {
      transport: 'http',
    });
    expect(await slack.control.command(run)).toMatchObject({ error: 'http_error', inTime: false });
  });

  test('sends its requests through another sender, and returns its answer', async () => {
    const eventsUrl = 'http://127.0.0.1:1/slack/events';
    const urls: string[] = [];
    const postRequest = ({ url }: { url: string }) => {
      urls.push(url);
      return Promise.resolve({ status: 200, text: 'Done' });
    };
    const { slack } = await openSlack({ transport: 'http', eventsUrl, postRequest });
    expect(await slack.control.command(run)).toMatchObject({ inTime: true, response: { text: 'Done' } });
    expect(urls).toEqual([eventsUrl]);
  });

  test('includes the number of retries of an event', async () => {
    const { slack } = await openSlack({ transport: 'http' });
    const retries: unknown[] = [];
    await startApp(
      slack,
      (app) => app.event('app_home_opened', async ({ context }) => void retries.push(context.retryNum)),
      { transport: 'http' },
    );
    const { delivery } = await slack.control.openHome({ as: 'mia' });
    await slack.control.redeliver({ deliveryId: delivery.id });
    expect(retries).toEqual([undefined, 1]);
  });
});

describe('Socket Mode', () => {
  test.each(['refresh_requested', 'cut', 'silent'] as const)(
    'is connected again by the app after: %s',
    async (kind) => {
      const { slack } = await openSlack();
      await startApp(slack, (app) => app.command('/usage', async ({ ack }) => ack()));
      await slack.next('connection', ({ what }) => what === 'opened');
      await slack.control.breakSockets({ kind });
      await slack.next('connection', ({ what }) => what === 'opened', { timeoutMs: 8000 });
      expect(await slack.control.command(run)).toMatchObject({ inTime: true });
    },
  );

  test('is refused while reconnects are refused', async () => {
    const { slack } = await openSlack();
    await startApp(slack, (app) => app.command('/usage', async ({ ack }) => ack()));
    await slack.control.breakSockets({ kind: 'cut', refuseReconnects: true });
    await slack.next('connection', ({ what }) => what === 'refused');
    expect(await slack.control.command(run)).toMatchObject({ error: 'dispatch_failed' });
    await slack.control.restoreSockets({});
    await slack.next('connection', ({ what }) => what === 'opened', { since: slack.mark(), timeoutMs: 8000 });
    expect(await slack.control.command(run)).toMatchObject({ inTime: true });
  });

  test('delivers each payload to one of two connections', async () => {
    const { slack } = await openSlack();
    const taken: string[] = [];
    for (const name of ['first', 'second']) {
      await startApp(slack, (app) =>
        app.command('/usage', async ({ ack }) => {
          taken.push(name);
          await ack();
        }),
      );
    }
    for (let turn = 0; turn < 4; turn += 1) await slack.control.command(run);
    expect(taken.toSorted()).toEqual(['first', 'first', 'second', 'second']);
    expect((await slack.control.state({ as: 'mia' })).app).toMatchObject({ transport: 'socket', connections: 2 });
  });

  test.each([
    { cut: undefined, error: null, taken: 2 },
    { cut: 'after', error: null, taken: 2 },
    { cut: 'lost', error: 'dispatch_failed', taken: 2 },
    { cut: 'before', error: 'dispatch_failed', taken: 0 },
  ] as const)(
    'delivers a repeated request over each connection; if both are cut $cut its acknowledgement, its error is $error',
    async ({ cut, error, taken }) => {
      const { slack } = await openSlack();
      const acknowledged: unknown[] = [];
      for (const name of ['first', 'second'])
        await startApp(slack, (app) =>
          app.command('/usage', async ({ ack, body }) => {
            if (cut === 'before') return;
            acknowledged.push([name, body.trigger_id]);
            await ack(name);
          }),
        );
      const arrivals = [{ afterMs: 5 }, { afterMs: 0 }].map((one) => (cut ? { ...one, cut, cutAfterMs: 1 } : one));
      await slack.control.repeatNext({ as: 'mia', arrivals });
      expect(await slack.control.command(run)).toMatchObject({ error });
      await expect.poll(() => acknowledged).toHaveLength(taken);
      expect(new Set(acknowledged.map((one) => String(one).split(',')[1])).size).toBe(Math.min(1, taken));
    },
  );

  test('includes the number of retries of an event', async () => {
    const { slack } = await openSlack();
    const retries: unknown[] = [];
    await startApp(slack, (app) =>
      app.event('app_home_opened', async ({ context }) => void retries.push(context.retryNum)),
    );
    const { delivery } = await slack.control.openHome({ as: 'mia' });
    await slack.control.redeliver({ deliveryId: delivery.id });
    expect(retries).toEqual([0, 1]);
  });
});
