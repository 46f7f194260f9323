import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isOpen } from '../../../src/core/outbox/delivery-table.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import type { MessageView, ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { keyOfMessage } from '../../support/controls.ts';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, deliveriesThere, messagesIn, until } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const ask = (text = '', as = 'mia') => typeCommand(scene.slack, as, '/readiness', text);
const isNotice = (message: MessageView) => keyOfMessage(message).startsWith('readiness:');

const PAYMENTS = 'git.acme.example/acme/payments';

/**
 * Returns the readiness section of App Home as soon as it no longer contains `gone`: an earlier version may be shown
 * before.
 */
async function homeOf(as: string, gone?: string): Promise<string> {
  const since = scene.slack.mark();
  await scene.slack.control.openHome({ as });
  const isReady = ({ view }: { view: ViewView }) => {
    const text = textOfView(view);
    return text.includes('Repository readiness') && (gone === undefined || !text.includes(gone));
  };
  return textOfView((await scene.slack.next('home_published', isReady, { since })).view);
}

const auditOf = (channel: string) => until(scene, (db) => listAuditEntries(db, `readiness-watch:${channel}`));

const moveOn = (durationMs: number) => moveClock(scene, new Date(scene.clock.now().getTime() + durationMs));

const DAY_MS = 86_400_000;

/** Lets days pass, and reports arrive, until there are at least this number of notices and each has its outcome. */
const noticesOf = (atLeast: number) =>
  until(
    scene,
    async (db) => {
      const all = db.selectFrom('deliveries').selectAll().where('kind', '=', 'readiness-notice').orderBy('createdAt');
      const rows = await all.execute();
      if (rows.some(isOpen)) await moveOn(2_000);
      else if (rows.length >= atLeast) return rows;
      else {
        // Days that pass faster than the jobs would pass without them, until there are no further reports.
        await whileTimePasses(scene, scene.clock.whenTicked());
        await moveOn(DAY_MS);
      }
      return undefined;
    },
    deliveriesThere,
  );

describe.each(availableEngines())('a watch of readiness, on %s', (engine) => {
  beforeEach(async () => {
    scene = await startTestApp({ at: new Date('2026-02-01T07:00:00Z'), engine });
  });

  test('is introduced once in its channel, audited, and shown in App Home, with a button that ends it', async () => {
    expect(await homeOf('morgan')).toContain('No channel gets readiness changes');
    await ask('watch #agent-usage payments', 'morgan');
    await delivered(scene, 'readiness-introduction');
    expect((await ask('watch #agent-usage payments', 'morgan')).text).toContain('(it was set up before)');
    await ask('watch #agent-usage', 'morgan');
    await until(scene, async (db) => {
      await moveOn(2_000);
      const sent = await db.selectFrom('deliveries').select('key').where('state', '=', 'sent').execute();
      return sent.length >= 2 ? sent : undefined;
    });
    const { posts } = await messagesIn(scene, 'agent-usage');
    expect(posts.map(({ text }) => text.split('\n')[0])).toEqual([
      'This channel now gets changes to the readiness score of acme/payments. Set up by <@U0MORGAN>.',
      'This channel now gets changes to the readiness score of every repository. Set up by <@U0MORGAN>.',
    ]);
    const [ofOne, ofAll] = posts.map(({ blocks }) => JSON.stringify(blocks));
    expect(ofOne).toContain('A manager can stop this with `/readiness unwatch acme/payments`.');
    expect(ofAll).toContain('A manager can stop this with `/readiness unwatch`.');
    const home = await homeOf('morgan');
    expect(home).toContain('<#C0USAGE> gets changes to the readiness score of acme/payments · set up by <@U0MORGAN>');
    expect(home).not.toContain('Paused by Quartermaster');
    await ask('unwatch #agent-usage payments', 'morgan');
    await homeOf('morgan', 'acme/payments');
    const since = scene.slack.mark();
    await scene.slack.control.click({ as: 'morgan', source: { in: 'home' }, actionId: 'readiness_unwatch' });
    expect(textOfView(await nextView(scene.slack, since))).toContain('are off: changes to the readiness score');
    await homeOf('morgan', 'score of every repository');
    const entries = await auditOf('C0USAGE');
    expect(entries.map(({ actor, action, detail }) => [actor, action, detail])).toEqual([
      ['U0MORGAN', 'watched', PAYMENTS],
      ['U0MORGAN', 'watched', PAYMENTS],
      ['U0MORGAN', 'watched', null],
      ['U0MORGAN', 'unwatched', PAYMENTS],
      ['U0MORGAN', 'unwatched', null],
    ]);
  });

  test('that a person paused posts nothing, and after it is resumed only later changes', async () => {
    for (const place of ['#agent-usage', '#general']) await ask(`watch ${place}`, 'morgan');
    const press = async (label: 'Pause' | 'Resume') => {
      const list = await typeCommand(scene.slack, 'morgan', '/quartermaster', 'here', 'agent-usage');
      const since = scene.slack.mark();
      await clickButton(scene.slack, 'morgan', list, label, 'agent-usage');
      return (await nextAnswer(scene.slack, since)).text;
    };
    expect(await press('Pause')).toContain('Changes during the pause aren’t posted later');
    const during = await noticesOf(2);
    expect(new Set(during.map(({ channel }) => channel))).toEqual(new Set(['C0GENERAL']));
    expect(await press('Resume')).toContain('Only later changes are posted');
    const later = (await noticesOf(during.length + 2)).slice(during.length);
    const earlierReports = new Set(during.map(({ about }) => about));
    const resumed = later.filter(({ channel }) => channel === 'C0USAGE');
    expect(resumed.length).toBeGreaterThan(0);
    expect(resumed.filter(({ about }) => earlierReports.has(about))).toEqual([]);
  });

  test('is paused after three refused notices, notifies its owner once, and is resumed by a new setup', async () => {
    await ask('watch #agent-usage', 'morgan');
    await delivered(scene, 'readiness-introduction');
    await scene.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
    // If several reports come in one day, the third refusal leaves notices that are skipped.
    const notices = await noticesOf(3);
    const refused = notices.filter(({ state }) => state !== 'skipped');
    // One more may have been taken before the third was refused.
    expect(refused.length).toBeGreaterThanOrEqual(3);
    expect(new Set(refused.map(({ state }) => state))).toEqual(new Set(['failed']));
    const posts = await until(scene, async () => {
      const { posts: all } = await messagesIn(scene, 'dm', 'morgan');
      return all.length === refused.length ? all : undefined;
    });
    await moveOn(60 * DAY_MS);
    const isPause = ({ text }: MessageView) => text.startsWith('⏸️');
    expect(posts.filter((post) => !isPause(post)).map(({ text }) => text)).toEqual(
      refused
        .slice(1)
        .map(() => expect.stringContaining('❌ A message about readiness couldn’t be posted to <#C0USAGE>.')),
    );
    expect(posts.filter(isPause).map(({ text }) => text.split('\n')[0])).toEqual([
      '⏸️ <#C0USAGE> no longer gets changes to the readiness score of every repository: posting failed three times in a row, so Quartermaster paused it. The channel is archived: unarchive it, or choose another.',
    ]);
    const home = await homeOf('morgan');
    expect(home).toContain('*Paused by Quartermaster:* three posts in a row failed. The channel is archived');

    await scene.slack.control.unarchive({ as: 'ada', channel: 'agent-usage' });
    const since = scene.slack.mark();
    const notice = posts.find(isPause);
    if (!notice) throw new Error('No notice');
    await clickButton(scene.slack, 'morgan', notice, 'Set it up again', 'dm');
    expect((await nextAnswer(scene.slack, since)).text).toContain('now gets changes to the readiness score of');
    expect(await homeOf('morgan')).not.toContain('Paused by Quartermaster');
    const resumedAt = scene.clock.now().toISOString();
    const later = (await noticesOf(notices.length + 1)).slice(notices.length);
    expect(later.map(({ state }) => state)).toEqual(later.map(() => 'sent'));
    expect(later.every(({ createdAt }) => createdAt >= resumedAt)).toBe(true);
    const introductions = (await messagesIn(scene, 'agent-usage')).posts.filter((post) => !isNotice(post));
    expect(introductions).toHaveLength(2);
    expect((await messagesIn(scene, 'dm', 'morgan')).posts).toHaveLength(refused.length);
    expect((await auditOf('C0USAGE')).map(({ actor, action }) => [actor, action])).toEqual([
      ['U0MORGAN', 'watched'],
      ['quartermaster', 'paused'],
      ['U0MORGAN', 'watched'],
    ]);
  });

  test('has a notice corrected in its place when the platform changes the score of its report', async () => {
    await ask('watch #agent-usage', 'morgan');
    await noticesOf(1);
    const posted = async () => (await messagesIn(scene, 'agent-usage')).posts.filter(isNotice);
    const corrected = async () => (await posted()).filter(({ text }) => text.includes('✏️ Corrected.'));
    expect(await corrected()).toEqual([]);
    // On a slow machine, days pass until the first notice is posted, and some reports already have newer ones.
    const correction = await until(scene, async (db) => {
      const all = db.selectFrom('deliveries').select(['key', 'kind', 'about', 'state']);
      const rows = await all.where('key', 'like', 'readiness:%').where('state', '=', 'sent').execute();
      for (const { about } of rows) scene.platform.reviseReport(about ?? '');
      // The job that compares reports runs each minute, and a minute must not be over before it has finished.
      await whileTimePasses(scene, scene.clock.whenTicked());
      if (await scene.app.isIdle()) await moveOn(60_000);
      return rows.find(({ key }) => key.includes(':correction:'));
    });
    const noticeKey = correction.key.split(':correction:')[0];
    expect((await corrected()).map((message) => [keyOfMessage(message), message.isEdited])).toContainEqual([
      noticeKey,
      true,
    ]);
    expect((await corrected())[0]?.text).toContain('is now 100% ready');
  });
});
