import { afterEach, describe, expect, test } from 'vitest';
import type { DeliveryState } from '../../../src/core/outbox/delivery-table.ts';
import type { Database } from '../../../src/core/store/tables.ts';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, messagesIn, setUpDigest, subscriptions, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { eventually } from '../../support/waiting.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());
const daily = () => setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });

/** Makes the digest of a morning fail. */
async function failOn(id: string, day: number): Promise<void> {
  const date = `2026-03-${String(day).padStart(2, '0')}`;
  await moveClock(scene, new Date(`${date}T09:00:00Z`));
  await delivered(scene, `${id}:${date}`, 'failed');
}

describe.each(availableEngines())('a digest whose channel is archived, on %s', (engine) => {
  test('notifies its owner once, is paused after the third failure, and resumes with one button', async () => {
    await start({ engine });
    const { id } = await daily();
    await delivered(scene, 'digest-introduction');
    await scene.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
    for (const day of [2, 3, 4]) {
      await failOn(id, day);
      await delivered(scene, `delivery-failed:digest:${id}:2026-03-0${day}`);
    }
    const { posts } = await messagesIn(scene, 'dm', 'morgan');
    const failed = `❌ The daily digest \`${id}\` to <#C0USAGE> couldn’t be posted. The channel is archived: unarchive it, or choose another.`;
    expect(posts.map(({ text }) => text.split('\n')[0])).toEqual([
      failed,
      failed,
      `⏸️ The daily digest \`${id}\` to <#C0USAGE> couldn’t be posted three times in a row, so Quartermaster paused it. The channel is archived: unarchive it, or choose another.`,
    ]);
    const [paused] = await subscriptions(scene);
    expect(paused).toMatchObject({ state: 'paused', changedBy: null, failures: 3 });
    await scene.slack.control.unarchive({ as: 'ada', channel: 'agent-usage' });
    const since = scene.slack.mark();
    const notice = posts[2];
    if (!notice) throw new Error('No notice');
    await clickButton(scene.slack, 'morgan', notice, 'Resume', 'dm');
    expect((await nextAnswer(scene.slack, since)).text).toContain('You resumed');
    await moveClock(scene, new Date('2026-03-05T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-05`);
    expect((await subscriptions(scene))[0]).toMatchObject({ state: 'active', failures: 0 });
  });
});

describe('a digest without an active owner', () => {
  test('notifies every admin if it is the one of the settings', async () => {
    await start({ settings: { DIGEST_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA' } });
    await eventually(async () => (await subscriptions(scene))[0], 'the digest of the settings');
    await scene.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
    await failOn('settings', 2);
    await delivered(scene, ':admins:U0ADA');
    await delivered(scene, ':admins:U0NORA');
    for (const admin of ['ada', 'nora']) expect((await messagesIn(scene, 'dm', admin)).posts).toHaveLength(1);
  });

  test('continues after its owner left, and the admins are notified once', async () => {
    await start();
    const { id } = await daily();
    await scene.slack.control.updatePerson({ person: 'morgan', isDeactivated: true });
    for (const day of [2, 3]) {
      await moveClock(scene, new Date(`2026-03-0${day}T09:00:00Z`));
      await delivered(scene, `${id}:2026-03-0${day}`);
    }
    await delivered(scene, 'digest-owner-left', 'skipped');
    await delivered(scene, ':admins:U0ADA');
    const { posts } = await messagesIn(scene, 'dm', 'ada');
    expect(posts.map(({ text }) => text)).toEqual([
      expect.stringContaining('still runs, but <@U0MORGAN>, who set it up, has left.'),
    ]);
  });

  test('notifies the admins if its channel is gone too', async () => {
    await start();
    const { id } = await daily();
    await delivered(scene, 'digest-introduction');
    await scene.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
    await scene.slack.control.updatePerson({ person: 'morgan', isDeactivated: true });
    await failOn(id, 2);
    await delivered(scene, `delivery-failed:digest:${id}:2026-03-02:2026-03-02T09:00:00.000Z:U0MORGAN:admins:U0ADA`);
    expect((await messagesIn(scene, 'dm', 'ada')).posts.at(-1)?.text).toContain('couldn’t be posted');
  });
});

test('a failing platform does not pause a digest', async () => {
  await start();
  const { id } = await daily();
  scene.platform.faults.add({ kind: 'status', status: 403 });
  await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
  await delivered(scene, `${id}:2026-03-02`, 'waiting');
  expect((await subscriptions(scene))[0]?.failures).toBe(0);
});

test('a digest arrives within 90 s after the platform recovers, however long the outage lasted', async () => {
  await start();
  const { id } = await daily();
  await delivered(scene, 'digest-introduction');
  scene.platform.faults.add({ kind: 'status', status: 503 });
  for (const time of ['09:00:00', '09:01:00', '09:08:00', '09:30:00']) {
    await moveClock(scene, new Date(`2026-03-02T${time}Z`));
    await delivered(scene, `${id}:2026-03-02`, 'waiting');
  }
  scene.platform.faults.clear();
  const wellAtMs = scene.clock.now().getTime();
  const { sentAt } = await delivered(scene, `${id}:2026-03-02`);
  expect(Date.parse(sentAt ?? '') - wellAtMs).toBeLessThan(90_000);
});

test('a temporary refusal delays a digest by a minute, and /digest why names it', async () => {
  await start();
  const { id } = await daily();
  await delivered(scene, 'digest-introduction');
  const error = 'team_added_to_org';
  await scene.slack.control.addFault({ method: 'chat.postMessage', kind: 'error', error });
  await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
  await delivered(scene, `${id}:2026-03-02`, 'waiting');
  await moveClock(scene, new Date('2026-03-02T09:00:45Z'));
  await scene.slack.control.clearFaults({});
  await delivered(scene, `${id}:2026-03-02`);
  const digests = (await messagesIn(scene, 'agent-usage')).posts.filter(({ text }) => text.includes('Daily digest'));
  expect(digests).toHaveLength(1);
  expect((await subscriptions(scene))[0]?.failures).toBe(0);
  const why = await typeCommand(scene.slack, 'morgan', '/digest', 'why', 'general');
  expect(why.text).toContain(`waiting. Slack refused the message (${error}).`);
});

describe.each(availableEngines())('a digest for which it is unknown whether it was posted, on %s', (engine) => {
  test('asks its owner once, who checks and has it sent; /digest why reports that the history could not be read', async () => {
    await start({ engine });
    const { id } = await daily();
    await delivered(scene, 'digest-introduction');
    await scene.slack.control.addFault({
      method: 'chat.postMessage',
      kind: 'error',
      error: 'internal_error',
      times: 1,
    });
    await scene.slack.control.addFault({ method: 'conversations.history', kind: 'error', error: 'missing_scope' });
    await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
    await until(scene, async (db) => {
      // Otherwise a busy machine would lose one lease after another.
      if (!(await isUnderWay(db))) await moveClock(scene, new Date(scene.clock.now().getTime() + 20_000));
      return stateIs(db, `digest:${id}:2026-03-02`, 'failed');
    });
    await delivered(scene, `delivery-failed:digest:${id}:2026-03-02`);
    const notices = (await messagesIn(scene, 'dm', 'morgan')).posts;
    expect(notices).toHaveLength(1);
    const [notice] = notices;
    if (!notice) throw new Error('No notice');
    expect(notice.text).toContain('may or may not have been posted.');
    expect(notice.text).toContain('Look into the channel, then send it again or leave it.');
    const why = await typeCommand(scene.slack, 'morgan', '/digest', 'why', 'general');
    expect(why.text).toContain(
      'waiting. It is not known whether the message was posted, and the history cannot be read',
    );
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', notice, 'Send again', 'dm');
    expect((await nextAnswer(scene.slack, since)).text).toContain('on its way to <#C0USAGE> again');
    await until(scene, (db) => stateIs(db, `digest:${id}:2026-03-02`, 'sent'));
    const digests = (await messagesIn(scene, 'agent-usage')).posts.filter(({ text }) => text.includes('Daily digest'));
    expect(digests).toHaveLength(1);
    const again = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', notice, 'Send again', 'dm');
    expect((await nextAnswer(scene.slack, again)).text).toContain('didn’t fail');
  });
});

const isUnderWay = (db: Database) =>
  db.selectFrom('deliveries').select('key').where('state', 'in', ['claimed', 'posting']).executeTakeFirst();

const stateIs = (db: Database, key: string, state: DeliveryState) =>
  db.selectFrom('deliveries').select('key').where('key', '=', key).where('state', '=', state).executeTakeFirst();

test('asks its owner, too, if it was being prepared when the platform recovered and failed after that', async () => {
  await start();
  const { id } = await daily();
  await delivered(scene, 'digest-introduction');
  scene.platform.faults.add({ kind: 'status', status: 503, match: { path: '/api/v1/analytics/tokens' } });
  await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
  await delivered(scene, `${id}:2026-03-02`, 'waiting');
  scene.platform.faults.clear();
  const wellAtMs = scene.clock.now().getTime();
  const { sentAt } = await delivered(scene, `${id}:2026-03-02`);
  expect(Date.parse(sentAt ?? '') - wellAtMs).toBeLessThan(90_000);
});
