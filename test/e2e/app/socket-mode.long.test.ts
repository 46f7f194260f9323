import { afterEach, describe, expect, test } from 'vitest';
import { pauseMs } from '../../../src/core/slack/receivers/socket/socket-supervisor.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { readReadiness, REFRESHES, refreshUnderLoad } from '../../support/slack/refreshes.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
const start = async () => {
  scene = await startTestApp();
  return scene;
};
afterEach(() => scene.close());

const opened = ({ what }: { what: string }) => what === 'opened';
const opens = ({ slack }: TestApp) =>
  slack.traffic.latest(500).filter(({ method }) => method === 'apps.connections.open');

describe('a connection that Slack renews', () => {
  test.each(REFRESHES)('is replaced by a new one before it is released: %o', async (fault) => {
    const report = await refreshUnderLoad(await start(), fault, 2);
    expect(report).toMatchObject({ unanswered: 0, unready: 0, mostConnections: 2 });
    expect(report.commands).toBeGreaterThan(10);
  });
});

describe('a connection that is lost', () => {
  test('fails /readyz at once', async () => {
    const { slack, app } = await start();
    expect(await readReadiness(app.port)).toMatchObject({ slack: 'in order' });
    const since = slack.mark();
    await slack.control.breakSockets({ kind: 'cut', refuseReconnects: true });
    await slack.next('connection', ({ what }) => what === 'refused', { since });
    expect(await readReadiness(app.port)).toMatchObject({ slack: 'not in order' });
  });

  test('silently is detected within ten seconds', async () => {
    const { slack } = await start();
    const since = slack.mark();
    await slack.control.breakSockets({ kind: 'silent' });
    await slack.next('connection', opened, { since, timeoutMs: 10_000 });
    await slack.next('connection', ({ what, connections }) => what === 'closed' && connections < 2, { since });
    expect((await typeCommand(slack, 'mia', '/usage', 'help')).text).toContain('/usage');
  });

  test('is reopened when Slack permits it, not before', async () => {
    const { slack } = await start();
    slack.faults.add({ method: 'apps.connections.open', kind: 'rate_limited', retryAfter: 2, times: 1 });
    const since = slack.mark();
    const startedMs = performance.now();
    await slack.control.breakSockets({ kind: 'cut' });
    await slack.next('connection', opened, { since });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(2_000);
    expect(
      opens(scene)
        .map(({ status }) => status)
        .slice(-2),
    ).toEqual(['429', '200']);
  });

  test('is retried without a limit, with pauses that grow to a minute', () => {
    const pauses = [1, 2, 4, 8, 16, 1_000].map((failures) => pauseMs(failures, new Error('Slack is away'), () => 1));
    expect(pauses).toEqual([500, 1_000, 4_000, 60_000, 60_000, 60_000]);
  });
});

test('a silent connection is closed, and none is leaked', async () => {
  const { slack } = await start();
  const since = slack.mark();
  await slack.control.breakSockets({ kind: 'cut', withholdHello: true });
  await slack.next('connection', opened, { since });
  const mute = await slack.next('connection', ({ what }) => what === 'closed', {
    since: slack.mark(),
    timeoutMs: 12_000,
  });
  expect(mute.connections).toBe(0);
  await slack.control.restoreSockets({});
  await slack.next('connection', opened, { since: slack.mark() });
  expect((await typeCommand(slack, 'mia', '/usage', 'help')).text).toContain('/usage');
  expect((await slack.control.state({ as: 'mia' })).app.connections).toBe(1);
}, 20_000);
