import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, openByCommand, submitForm } from '../../support/slack/modals.ts';
import { delivered, formValues, messagesIn, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ at: new Date('2026-03-11T12:00:00Z'), ...options }));
afterEach(() => scene.close());

const MIA = 'mia.member@acme.example';

const turnOn = async (fields: Record<string, string>, as = 'mia') => {
  await openByCommand(scene.slack, as, '/usage', 'notify');
  return JSON.stringify((await submitForm(scene.slack, as, formValues(fields))).view);
};
const toMia = async () => (await messagesIn(scene, 'dm', 'mia')).posts.map(({ text }) => text);

describe('a heads-up', () => {
  test('is sent once, in the person’s morning, when one of their own thresholds is reached', async () => {
    await start();
    expect(await turnOn({ of: 'own', amount: '1m', percents: '95' })).toContain('95% of 1 M credits each month');
    scene.platform.reviseDay('2026-03-11', 100);
    await moveClock(scene, new Date('2026-03-12T09:00:00Z'));
    // In Mia’s zone it is five in the morning.
    await delivered(scene, 'budget:me-', 'waiting');
    expect(await toMia()).toEqual([]);
    await moveClock(scene, new Date('2026-03-12T12:00:00Z'));
    await delivered(scene, 'budget:me-');
    const [first, ...others] = (await toMia()).filter((text) => text.includes('Your credits'));
    expect(first).toMatch(/🛑|⚠️/);
    expect(first).toMatch(/Your credits: [\d,]+% used, past 95%/);
    expect(first).toContain('Only you see this.');
    expect(others).toEqual([]);
  });

  test('follows the limit in the ledger; after a raise, thresholds already passed are recorded without a message', async () => {
    await start({ settings: { LIMIT_PERIOD: 'month' } });
    await setLimit(scene, { email: MIA, value: 1_000, at: '2026-03-02T09:00:00.000Z' });
    const done = await turnOn({ of: 'limit', percents: '50, 95' });
    expect(done).toContain('of 1 K credits each month');
    expect(done).toContain('Already reached: 50% used, 95% used.');
    await setLimit(scene, { email: MIA, value: 2_000, at: '2026-03-11T13:00:00.000Z' });
    await moveClock(scene, new Date('2026-03-12T09:00:00Z'));
    const credits = await until(scene, async (db) => {
      const { rows } = await db.executeQuery<{ credits: number; isArmed: number }>(
        db.withTables<{ budgets: { credits: number; isArmed: number } }>().selectFrom('budgets').selectAll().compile(),
      );
      return rows[0]?.credits === 2_000 && rows[0].isArmed === 1 ? rows[0].credits : undefined;
    });
    expect(credits).toBe(2_000);
    expect(await toMia()).toEqual([]);
  });

  test('about a limit of unknown period is not offered, and an admin is asked once', async () => {
    await start({ settings: { ADMINS: 'U0ADA' } });
    await setLimit(scene, { email: MIA, value: 1_000, at: '2026-03-02T09:00:00.000Z' });
    for (const as of ['mia', 'mia']) {
      const view = JSON.stringify(await openByCommand(scene.slack, as, '/usage', 'notify'));
      expect(view).toContain('The admins have been asked.');
      expect(view).not.toContain('My credit limit:');
    }
    await delivered(scene, 'limit-period:admins:');
    const asked = (await messagesIn(scene, 'dm', 'ada')).posts.filter(({ text }) => text.includes('Over which period'));
    expect(asked).toHaveLength(1);
    const [question] = asked;
    if (!question) throw new Error('No admin was asked');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', question, 'A month', 'dm');
    expect((await nextAnswer(scene.slack, since)).text).toContain('counts over a month from now on');
    expect(JSON.stringify(await openByCommand(scene.slack, 'mia', '/usage', 'notify'))).toContain(
      'My credit limit: 1 K each month',
    );
  });

  test('is seen, changed and removed by its owner alone, not even by an admin', async () => {
    await start();
    await turnOn({ of: 'own', amount: '900k', percents: '95' });
    for (const word of ['show', 'remove']) {
      const { text } = await typeCommand(scene.slack, 'ada', '/budget', `${word} me-U0MIA`);
      expect(text).toContain('There is no budget “me-u0mia”');
    }
    for (const actionId of ['budget_show', 'budget_remove']) {
      const list = await typeCommand(scene.slack, 'ada', '/budget', '');
      const since = scene.slack.mark();
      await scene.slack.control.click({
        as: 'ada',
        source: { in: 'message', channel: 'general', ts: list.ts },
        actionId,
        forged: { type: 'button', action_id: actionId, value: 'me-U0MIA' },
      });
      expect((await nextAnswer(scene.slack, since)).text).not.toContain('Your credits');
    }
    expect(JSON.stringify(await openByCommand(scene.slack, 'mia', '/usage', 'notify'))).toContain('900,000');
  });

  test('is turned off by its owner, with one click', async () => {
    await start();
    await turnOn({ of: 'own', amount: '900k', percents: '95' });
    await openByCommand(scene.slack, 'mia', '/usage', 'notify');
    const since = scene.slack.mark();
    await scene.slack.control.click({ as: 'mia', source: { in: 'modal' }, actionId: 'usage_notify_stop' });
    expect(JSON.stringify(await nextView(scene.slack, since, /Warn me/))).toContain('Credit warnings are off.');
    expect((await typeCommand(scene.slack, 'morgan', '/budget')).text).toContain('There are no budgets yet.');
  });
});
