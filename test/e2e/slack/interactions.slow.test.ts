import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { whileTimePasses } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => {
  scene = await startTestApp(options);
  return scene;
};
afterEach(() => scene.close());

describe.each(['socket', 'http'] as const)('over %s', (transport) => {
  test('a command is acknowledged at once, and answered to the person alone', async () => {
    const { slack } = await start({ transport });
    const since = slack.mark();
    const delivery = await slack.control.command({ as: 'mia', channel: 'general', command: '/usage', text: 'help' });
    expect(delivery).toMatchObject({ inTime: true, error: null });
    const { to, message } = await slack.next('ephemeral', undefined, { since });
    expect(to).toBe('U0MIA');
    expect(message.text).toContain('/usage: what the organization');
  });

  test('a second delivery is acknowledged and changes nothing', async () => {
    const { slack } = await start({ transport });
    await typeCommand(slack, 'mia', '/usage', 'help');
    const since = slack.mark();
    expect((await slack.control.redeliver({})).inTime).toBe(true);
    await slack.control.command({ as: 'max', channel: 'general', command: '/usage', text: 'help' });
    const { to } = await slack.next('ephemeral', undefined, { since });
    expect(to).toBe('U0MAX');
  });
});

describe('a slow or failing command', () => {
  test('that takes over a second shows once what it is doing, and the answer follows', async () => {
    const running = await start();
    const { slack, platform } = running;
    platform.faults.add({ kind: 'slow', delayMs: 200 });
    const since = slack.mark();
    await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text: '28d' });
    const { message } = await whileTimePasses(running, slack.next('ephemeral', undefined, { since }));
    expect(message.text).toBe('Reading 28 days …');
    const answer = await nextAnswer(slack, since);
    expect(answer.text).toContain('Usage, 2 Feb – 1 Mar');
  });

  test.each([
    [{ kind: 'status', status: 401 } as const, 'no longer accepts Quartermaster’s API key'],
    [{ kind: 'status', status: 403 } as const, 'a personal key of a Manager or Owner'],
    [{ kind: 'status', status: 404 } as const, 'doesn’t know this'],
    [{ kind: 'rate_limit', retryAfter: 120 } as const, 'Try again in 120 s'],
    [{ kind: 'html' } as const, 'Quartermaster couldn’t read the platform’s answer'],
    [{ kind: 'wrong_shape' } as const, 'Quartermaster couldn’t read the platform’s answer'],
  ])(
    'on a platform that answers with %o shows one sentence and a reference that is in the log',
    async (fault, sentence) => {
      const { slack, platform, log } = await start();
      platform.faults.add(fault);
      const answer = await typeCommand(slack, 'morgan', '/usage');
      expect(answer.text).toContain(sentence);
      const reference = /reference ([0-9a-f]{8})/i.exec(answer.text)?.[1];
      expect(log.some((line) => line['reference'] === reference && line['err'] !== undefined)).toBe(true);
    },
  );

  test('that failed is repeated by a button, in its place, unless that cannot help', async () => {
    const { slack, platform } = await start();
    platform.faults.add({ kind: 'html' });
    const failed = await typeCommand(slack, 'morgan', '/usage', 'last week models');
    platform.faults.clear();
    const since = slack.mark();
    await clickButton(slack, 'morgan', failed, 'Try again');
    const answer = await nextAnswer(slack, since);
    expect(answer.text).toContain('23 Feb – 1 Mar');
    expect(answer.ts).toBe(failed.ts);
    platform.faults.add({ kind: 'status', status: 403 });
    expect(everythingIn(await typeCommand(slack, 'morgan', '/usage', '28d models'))).not.toContain('Try again');
  });

  test('writes no secret to the log or a message, whatever fails', async () => {
    const { slack, platform, log, environment } = await start();
    platform.faults.add({ kind: 'html' });
    const answer = await typeCommand(slack, 'morgan', '/usage');
    const secrets = [environment['SLACK_BOT_TOKEN'], environment['SLACK_APP_TOKEN'], environment['PLATFORM_API_KEY']];
    const everything = `${JSON.stringify(log)}${everythingIn(answer)}`;
    expect(secrets.filter((secret) => secret === undefined || everything.includes(secret))).toEqual([]);
  });

  test('a workspace without charts gets the table', async () => {
    const { slack } = await start();
    await slack.control.configure({ chartsSupported: false });
    const answer = await typeCommand(slack, 'morgan', '/usage');
    const types = answer.blocks.map((block) => block['type']);
    expect(types).toContain('data_table');
    expect(types).not.toContain('data_visualization');
  });

  test('a button that this version does not know shows what to do', async () => {
    const { slack } = await start();
    const answer = await typeCommand(slack, 'morgan', '/usage');
    const since = slack.mark();
    const source = { in: 'message' as const, channel: 'general', ts: answer.ts };
    await slack.control.click({ as: 'morgan', source, actionId: 'from_the_future', forged: { value: 'x' } });
    expect((await nextAnswer(slack, since)).text).toContain('is from another version');
  });

  test('a choice in a menu without an action is acknowledged and ignored', async () => {
    const { slack, app } = await start();
    const answer = await typeCommand(slack, 'morgan', '/usage');
    const source = { in: 'message' as const, channel: 'general', ts: answer.ts };
    const forged = { type: 'static_select', selected_option: { value: 'x' } };
    expect((await slack.control.click({ as: 'morgan', source, actionId: 'some_input', forged })).inTime).toBe(true);
    const metrics = async () => (await fetch(`http://127.0.0.1:${app.metricsPort}/metrics`)).text();
    await expect
      .poll(metrics, { timeout: 5_000, interval: 300 })
      .toContain('kind="click",name="some_input",outcome="ignored"');
  });

  test('a forged command button cannot break anything', async () => {
    const { slack } = await start();
    const answer = await typeCommand(slack, 'morgan', '/usage', 'sumary');
    const since = slack.mark();
    const source = { in: 'message' as const, channel: 'general', ts: answer.ts };
    await slack.control.click({ as: 'morgan', source, actionId: 'quartermaster_run_command', forged: { value: '{' } });
    expect((await nextAnswer(slack, since)).text).toMatch(/in Quartermaster.*reference/);
  });
});

describe('the connection', () => {
  test('a connection that Slack closes is replaced at once', async () => {
    const { slack } = await start();
    const since = slack.mark();
    await slack.control.breakSockets({ kind: 'refresh_requested' });
    await slack.next('connection', (event) => event.what === 'opened', { since });
    expect((await typeCommand(slack, 'mia', '/usage', 'help')).text).toContain('/usage');
  });

  test('a connection that is cut while Slack accepts no new ones is reopened when it does', async () => {
    const { slack, app } = await start();
    await slack.control.breakSockets({ kind: 'cut', refuseReconnects: true });
    const since = slack.mark();
    await slack.next('connection', (event) => event.what === 'refused', { since });
    const ready = await fetch(`http://127.0.0.1:${app.port}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      slack: 'not in order',
      store: 'in order',
    });
    const restored = slack.mark();
    await slack.control.restoreSockets({});
    await slack.next('connection', (event) => event.what === 'opened', { since: restored, timeoutMs: 10_000 });
    expect((await typeCommand(slack, 'mia', '/usage', 'help')).text).toContain('/usage');
  });

  test('running work is finished first when the bot is stopped', async () => {
    const { slack, platform, app } = await start();
    platform.faults.add({ kind: 'slow', delayMs: 250 });
    const since = slack.mark();
    await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text: '' });
    await app.stop();
    expect((await nextAnswer(slack, since)).text).toContain('Usage, 23 Feb – 1 Mar');
  });
});

describe('for the operator', () => {
  test('the bot is alive, ready and measured', async () => {
    const { slack, app } = await start();
    await typeCommand(slack, 'mia', '/usage', 'help');
    const address = `http://127.0.0.1:${app.port}`;
    expect(await (await fetch(`${address}/healthz`)).text()).toBe('alive\n');
    const ready = await fetch(`${address}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { slack: 'in order', platform: 'in order', store: 'in order' },
    ]);
    const metrics = await (await fetch(`http://127.0.0.1:${app.metricsPort}/metrics`)).text();
    expect(metrics).toContain(
      'quartermaster_interaction_duration_seconds_count{kind="command",name="/usage",outcome="help"} 1',
    );
    expect((await fetch(`${address}/anything`)).status).toBe(404);
  });

  test('a platform that cannot be read makes the bot not ready, and the log gives the reason', async () => {
    const { app, platform, log } = await start();
    platform.faults.add({ kind: 'status', status: 401 });
    const ready = await fetch(`http://127.0.0.1:${app.port}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toBe('{"slack":"in order","platform":"not in order","store":"in order"}\n');
    const line = log.find(({ check }) => check === 'platform');
    expect(line).toMatchObject({ fault: expect.stringContaining('PLATFORM_API_KEY') });
  });
});

test('two clicks on the same button at once run it for each click, and share once', async () => {
  const { slack } = await start();
  const answer = await typeCommand(slack, 'morgan', '/usage');
  const since = slack.mark();
  const click = () => clickButton(slack, 'morgan', answer, 'Share');
  await Promise.all([click(), click(), click()]);
  await slack.next('message', undefined, { since });
  const told = await nextAnswer(slack, since);
  expect(told.text).toBe('You shared this already.');
  const { channels } = await slack.control.state({ as: 'morgan' });
  const shared = channels
    .find((channel) => channel.name === 'general')
    ?.messages.filter((message) => !message.isEphemeral);
  expect(shared).toHaveLength(1);
});
