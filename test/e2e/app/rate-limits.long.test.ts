import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { createPlatformClient } from '../../../src/core/platform/client.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';
import type { Traffic } from '../../../src/sandbox/slack/people/control-types.ts';
import { setUpDigest } from '../../support/digests.ts';
import { ask, openReview, reviewValues } from '../../support/limits/limits.ts';
import { openByCommand } from '../../support/slack/modals.ts';
import { shareOf } from '../../support/property-runs.ts';
import { startTestApp } from '../../support/test-app.ts';
import { eventually } from '../../support/waiting.ts';

const WINDOW_MS = 5_000;
const MAX_CALLS = 3;

const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString();
/** Values of Retry-After; null: the header is missing. */
const HEADERS = [
  { title: '0', retryAfter: 0 },
  { title: '1', retryAfter: 1 },
  { title: 'nothing', retryAfter: null },
  { title: 'less than nothing', retryAfter: '-1' },
  { title: 'a fraction', retryAfter: '0.2' },
  { title: 'a word', retryAfter: 'soon' },
  { title: 'a date that has passed', retryAfter: 'Fri, 27 Nov 2015 10:00:00 GMT' },
  { title: 'a date to come', retryAfter: inAnHour() },
  { title: 'a huge number', retryAfter: '9'.repeat(30) },
];

/** The method and its channel, person or view: Slack limits some methods for each channel. */
function destinationOf({ method, request }: Traffic): string {
  const args = typeof request === 'object' && request !== null ? request : {};
  const to = 'channel' in args ? args.channel : 'users' in args ? args.users : 'view_id' in args ? args.view_id : '';
  return `${method} ${String(to)}`;
}

const isRefused = ({ status }: Traffic) => status.startsWith('429');

/** The most calls that follow a 429 within five seconds, by destination. */
function mostAfterA429(traffic: readonly Traffic[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const [destination, calls] of Map.groupBy(traffic, destinationOf)) {
    for (const { at, id } of calls.filter(isRefused)) {
      const untilMs = Date.parse(at) + WINDOW_MS;
      const later = calls.filter((call) => call.id > id && Date.parse(call.at) <= untilMs);
      most.set(destination, Math.max(later.length, most.get(destination) ?? 0));
    }
  }
  return most;
}

test.each(shareOf(HEADERS))(
  'Slack gets at most three calls of a method in the five seconds after a 429 with Retry-After: $title',
  async ({ retryAfter }) => {
    const scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage' } });
    onTestFinished(() => scene.close());
    const { slack, clock } = scene;
    const refuse = (...methods: string[]) => {
      for (const method of methods) slack.faults.add({ method, kind: 'rate_limited', retryAfter });
    };
    await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
    await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', where: 'me', channel: null });
    const id = await ask(scene, 'mia', { amount: '5000000' });
    await openByCommand(slack, 'morgan', '/digest', 'new');
    await openReview(scene, 'ada', id);
    refuse('chat.update', 'chat.postMessage');
    await slack.control.submit({ as: 'ada', values: reviewValues() });
    const calls = (method: string) => slack.traffic.latest(5_000).filter((one) => one.method === method);
    await eventually(() => (calls('chat.update').length > 0 ? true : undefined), 'the edit of the card');
    clock.moveTo(new Date('2026-03-02T09:00:00.000Z'));
    await eventually(() => (calls('chat.postMessage').length > 2 ? true : undefined), 'the digests');
    refuse('views.publish', 'views.update', 'response_url', 'apps.connections.open');
    await slack.control.openHome({ as: 'mia' });
    await eventually(() => (calls('views.publish').some(isRefused) ? true : undefined), 'a refused page');
    const opened = ['max', 'morgan', 'ada'].map((as) => slack.control.openHome({ as }));
    const submitted = slack.control.submit({ as: 'morgan' });
    const typed = slack.control.command({ as: 'max', channel: 'general', command: '/usage', text: 'help' });
    await Promise.all([...opened, submitted, typed]);
    await eventually(() => (calls('views.update').some(isRefused) ? true : undefined), 'the result of the form');
    refuse('*');
    await slack.control.command({ as: 'nora', channel: 'general', command: '/limits', text: 'request' });
    await slack.control.breakSockets({ kind: 'cut' });
    await delay(WINDOW_MS + 1_000);
    const most = mostAfterA429(slack.traffic.latest(5_000));
    const methods = new Set([...most.keys()].map((destination) => destination.split(' ')[0]));
    expect([...methods]).toEqual(
      expect.arrayContaining([
        'apps.connections.open',
        'chat.postMessage',
        'chat.update',
        'views.publish',
        'views.update',
      ]),
    );
    expect([...most].filter(([, count]) => count > MAX_CALLS)).toEqual([]);
  },
  60_000,
);

test.each(shareOf(HEADERS))(
  'the platform gets at most three calls in the five seconds after a 429 with Retry-After: $title',
  async ({ retryAfter: header }) => {
    const platform = await startPlatform({ clock: systemClock, people: 3 });
    const client = createPlatformClient({
      ...platform,
      apiKey: platform.apiKeys.manager,
      clock: systemClock,
      random: () => 0,
    });
    onTestFinished(async () => {
      await client.close();
      await platform.close();
    });
    platform.faults.add({ kind: 'rate_limit', retryAfter: header ?? undefined });
    const over = AbortSignal.timeout(WINDOW_MS);
    const failed = async (call: Promise<unknown>) =>
      expect(await call.catch((error: unknown) => error)).toBeInstanceOf(Error);
    await Promise.all([
      failed(client.limits.setUserLimits([{ email: 'mia.member@acme.example', limit: 5 }], { signal: over })),
      failed(client.readiness.reports({}, { signal: over })),
    ]);
    const counts = Map.groupBy(platform.requests, ({ method }) => method);
    expect(counts.size).toBe(2);
    for (const requests of counts.values()) expect(requests.length - 1).toBeLessThanOrEqual(MAX_CALLS);
  },
  60_000,
);
