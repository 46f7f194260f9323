import { afterEach, describe, expect, test } from 'vitest';
import { readHistory } from '../../support/outbox/read-history.ts';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { formatCompact } from '../../../src/core/base/text/numbers.ts';
import { clickButton, nextAnswer } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { until } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { predict } from '../../support/prediction.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { eventually } from '../../support/waiting.ts';

let scene: TestApp;
afterEach(() => scene.close());

const MONDAY_09 = new Date('2026-03-02T09:00:00Z');

async function start(options: TestAppOptions = {}): Promise<void> {
  scene = await startTestApp({
    ...options,
    settings: { DIGEST_CHANNEL: '#agent-usage', DIGEST_AT: '09:00', ...options.settings },
  });
  await planned();
}

/** Waits until the digest of the settings has been planned. */
async function planned(): Promise<void> {
  const said = 'Planned the daily digest of the settings';
  await eventually(() => scene.log.find((line) => line['msg'] === said), `“${said}” in the log`);
}

/** Moves the clock and returns the digest of that time. */
async function digestAfter(now: Date): Promise<MessageView> {
  const since = scene.slack.mark();
  await moveClock(scene, now);
  const isDigest = ({ message: { metadata, threadTs } }: { message: MessageView }) => {
    const key = metadata?.event_payload['key'];
    return threadTs === null && typeof key === 'string' && key.startsWith('digest:');
  };
  const { message } = await whileTimePasses(scene, scene.slack.next('message', isDigest, { since }));
  return message;
}

async function digests(channelName = 'agent-usage'): Promise<MessageView[]> {
  const { channels } = await scene.slack.control.state({ as: 'ada' });
  const messages = channels.find((channel) => channel.name === channelName)?.messages ?? [];
  return messages.filter(({ metadata, threadTs, ts }) => metadata !== null && (threadTs === null || threadTs === ts));
}

/** Waits until the delivery of a date has a step in its history, and returns all of its steps. */
function historyWith(date: string, step: string, timePasses: Partial<Pick<TestApp, 'clock'>> = {}) {
  const { databaseUrl } = scene;
  return until({ databaseUrl, ...timePasses }, async (db) => {
    const history = await readHistory(db, `digest:settings:${date}`);
    return history.some((entry) => entry.step === step) ? history : undefined;
  });
}

describe.each(availableEngines())('the digest of the settings on %s', (engine) => {
  test('arrives the next morning, once, with the figures that the generator predicts', async () => {
    await start({ engine });
    const digest = await digestAfter(MONDAY_09);
    const expected = predict(scene.platform.organization, { first: '2026-03-01', last: '2026-03-01' });
    expect(digest.text).toContain('Daily digest, Sun 1 Mar (UTC)');
    expect(digest.text).toContain(
      `${expected.credits === 0 ? 'No' : formatCompact(expected.credits)} credits on Sunday: `,
    );
    expect(digest.text).not.toContain('@acme.example');
    expect(digest.metadata).toEqual({
      event_type: 'quartermaster_delivery',
      event_payload: { key: 'digest:settings:2026-03-02' },
    });
    await moveClock(scene, new Date('2026-03-02T09:05:00Z'));
    const next = await digestAfter(new Date('2026-03-03T09:00:00Z'));
    expect(next.text).toContain('Daily digest, Mon 2 Mar (UTC)');
    expect(await digests()).toHaveLength(2);
  });

  test('waits for its day to be published, and its history shows this', async () => {
    await start({ engine });
    scene.platform.holdDay('2026-03-01');
    await moveClock(scene, MONDAY_09);
    await historyWith('2026-03-02', 'waiting');
    expect(await digests()).toHaveLength(0);
    scene.platform.releaseDay('2026-03-01');
    const digest = await digestAfter(new Date('2026-03-02T11:00:00Z'));
    expect(digest.text).toContain('2 hours late: Sunday’s figures came late.');
    expect(digest.text).not.toContain('aren’t out yet');
    const steps = (await historyWith('2026-03-02', 'sent')).map((entry) => entry.step);
    expect(steps).toEqual(['planned', 'waiting', 'posting', 'sent']);
  });

  test('is sent with a plain mark if its day is not published within six hours', async () => {
    await start({ engine });
    scene.platform.holdDay('2026-03-01');
    await moveClock(scene, MONDAY_09);
    await historyWith('2026-03-02', 'waiting');
    const digest = await digestAfter(new Date('2026-03-02T15:00:01Z'));
    expect(digest.text).toContain('⏳ Sunday’s figures aren’t out yet. This message will fill in when they are.');
    expect(digest.text.split('\n')).toHaveLength(2);
    expect(digest.blocks.map(({ type }) => type)).toEqual(['header', 'section', 'actions']);
  });

  test('waits for an unreadable platform, and then names the unreadable parts', async () => {
    await start({ engine });
    scene.platform.faults.add({ kind: 'status', status: 403 });
    await moveClock(scene, MONDAY_09);
    await historyWith('2026-03-02', 'waiting');
    const digest = await digestAfter(new Date('2026-03-02T15:00:01Z'));
    expect(digest.text).toContain('⚠️ Part of this digest couldn’t be read.');
    expect(digest.text).toMatch(/Usage could not be read\. .*Reference [0-9a-f]{8}\./);
  });

  test('whose answer is lost is found in the channel and not posted again', async () => {
    await start({ engine });
    await scene.slack.control.addFault({ method: 'chat.postMessage', kind: 'lost_answer', times: 1 });
    await digestAfter(MONDAY_09);
    await historyWith('2026-03-02', 'unknown');
    await moveClock(scene, new Date('2026-03-02T09:01:00Z'));
    const steps = (await historyWith('2026-03-02', 'found', scene)).map((entry) => entry.step);
    expect(steps).toEqual(['planned', 'posting', 'unknown', 'found']);
    expect(await digests()).toHaveLength(1);
  });

  test('waits as long as Slack asks', async () => {
    await start({ engine });
    await scene.slack.control.addFault({
      method: 'chat.postMessage',
      kind: 'rate_limited',
      retryAfter: 90,
      times: 1,
    });
    await moveClock(scene, MONDAY_09);
    await historyWith('2026-03-02', 'refused');
    await digestAfter(new Date('2026-03-02T09:01:31Z'));
    expect(await digests()).toHaveLength(1);
  });

  test('ends with its reason when the channel is archived', async () => {
    await start({ engine });
    await scene.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
    await moveClock(scene, MONDAY_09);
    const history = await historyWith('2026-03-02', 'failed');
    expect(history.at(-1)?.detail).toContain('The channel is archived');
  });
});

describe('the digest of the settings', () => {
  test('follows the clock of its zone over a change of the clocks, once a day', async () => {
    await start({
      at: new Date('2026-03-28T05:00:00Z'),
      settings: { TIMEZONE: 'Europe/Berlin', DIGEST_AT: '02:30' },
      platform: { publishDelayMs: 0 },
    });
    await digestAfter(new Date('2026-03-29T01:30:00Z'));
    await digestAfter(new Date('2026-03-30T00:30:00Z'));
    const keys = (await digests()).map((digest) => digest.metadata?.event_payload['key']);
    expect(keys).toEqual(['digest:settings:2026-03-29', 'digest:settings:2026-03-30']);
  });

  test('joins a public channel by itself', async () => {
    await start({ settings: { DIGEST_CHANNEL: '#general' } });
    const since = scene.slack.mark();
    await moveClock(scene, MONDAY_09);
    await scene.slack.next('message', (event) => event.channelName === 'general' && event.message.metadata !== null, {
      since,
    });
    expect(await digests('general')).toHaveLength(1);
  });

  test('asks for an invitation to a private channel when it is planned, not when it fails', async () => {
    scene = await startTestApp({ settings: { DIGEST_CHANNEL: 'C0LEADS' } });
    const asked = () => scene.log.find((line) => line['setting'] === 'DIGEST_CHANNEL');
    await eventually(asked, 'a line about DIGEST_CHANNEL in the log');
    expect(asked()?.['msg']).toMatch(/type \/invite @Quartermaster there/);
    await scene.slack.control.invite({ as: 'ada', channel: 'leads', who: 'app' });
    await moveClock(scene, new Date('2026-03-02T07:02:00Z'));
    await planned();
    await moveClock(scene, MONDAY_09);
    await scene.slack.next('message', (event) => event.channelName === 'leads' && event.message.metadata !== null);
  });

  test('has buttons that answer the user who clicks', async () => {
    await start();
    const digest = await digestAfter(MONDAY_09);
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'mia', digest, 'My usage', 'agent-usage');
    expect((await nextAnswer(scene.slack, since)).text).toContain('Usage of Mia Chen, Sun 1 Mar');
    expect(await digests()).toHaveLength(1);
  });
});
