import { afterEach, describe, expect, test } from 'vitest';
import { typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm } from '../../support/slack/modals.ts';
import { STOP_ACTION } from '../../../src/features/disclosure/stop-button.ts';
import { delivered, formValues, messagesIn, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

/** Managers are those of a user group, so that a person can stop being one in the middle of a test. */
async function start(options: TestAppOptions = {}): Promise<void> {
  scene = await startTestApp({ at: new Date('2026-04-14T12:00:00Z'), ...options });
}

const setUpBudget = async (fields: Record<string, string | string[] | null>) => {
  await openByCommand(scene.slack, 'nora', '/budget', 'new');
  await submitForm(scene.slack, 'nora', formValues({ credits: '30m', where: 'me', channel: null, ...fields }));
};

const directTexts = async (handle: string) => (await messagesIn(scene, 'dm', handle)).posts.map(({ text }) => text);

/** The introduction of a watch is evaluated first; if the right was lost before, the watch ends then. */
const settledIntroductions = (count: number) =>
  until(scene, async (db) => {
    const rows = await db
      .selectFrom('deliveries')
      .select('key')
      .where('kind', '=', 'usage-introduction')
      .where('state', '=', 'skipped')
      .execute();
    return rows.length === count ? true : undefined;
  });

const CHANGES = {
  'a guest': () => scene.slack.control.updatePerson({ person: 'nora', isGuest: true }),
  'a plain member': () => scene.slack.control.setUserGroup({ handle: 'leads', members: ['morgan'] }),
  'a deactivated user': () => scene.slack.control.updatePerson({ person: 'nora', isDeactivated: true }),
} as const;

async function startAsLead(): Promise<void> {
  const id = 'S0LEADS';
  await start({ settings: { MANAGERS: `morgan.manager@acme.example,${id}` } });
  scene.slack.workspace.userGroups.set(id, { id, handle: 'leads', name: 'Leads', members: ['U0NORA', 'U0MORGAN'] });
}

describe.each(Object.entries(CHANGES))('a manager who became %s', (kind, change) => {
  const isTold = kind !== 'a deactivated user';

  test('gets one last sentence instead of the warnings of a budget, and the admins get one notice', async () => {
    await startAsLead();
    await setUpBudget({ actual: '50, 80', forecast: '' });
    const before = (await directTexts('nora').catch(() => [])).length;
    await change();
    scene.platform.reviseDay('2026-04-14', 100);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    const { reason } = await until(scene, (db) =>
      db
        .selectFrom('deliveries')
        .selectAll()
        .where('kind', '=', 'budget')
        .where('state', '=', 'skipped')
        .executeTakeFirst(),
    );
    expect(reason).toMatch(/Its recipient is a guest|no longer has the role|is deactivated/);
    await delivered(scene, 'reader-lost:%:admins', 'skipped');
    const notice = await until(scene, async () =>
      (await directTexts('ada')).find((text) => text.includes('Stopped for <@U0NORA>')),
    );
    expect(notice).toContain('Monthly budget of the organization');
    if (isTold) await delivered(scene, 'reader-lost-farewell:');
    const after = (await directTexts('nora')).slice(before);
    const farewell = /Stopped for you: “Monthly budget of the organization”\. You’re .*<@U0ADA> can help\./;
    const isFarewell = after.map((text) => farewell.test(text));
    expect(isFarewell).toEqual(isTold ? [true] : []);
    expect((await typeCommand(scene.slack, 'morgan', '/budget')).text).toContain('There are no budgets yet');
  });

  test('gets no further unusual days, neither of the organization nor of a group', async () => {
    await startAsLead();
    await typeCommand(scene.slack, 'nora', '/usage', 'watch me');
    await typeCommand(scene.slack, 'nora', '/usage', 'watch me @web-team');
    await settledIntroductions(2);
    await change();
    scene.platform.reviseDay('2026-04-14', 40);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, 'usage-watch:U0NORA', 'skipped');
    if (isTold) await delivered(scene, 'reader-lost-farewell:');
    const texts = await directTexts('nora').catch(() => []);
    expect(texts.filter((text) => text.includes('unusually'))).toEqual([]);
    expect(texts.filter((text) => text.includes('Stopped for you: Messages about unusual days'))).toHaveLength(
      isTold ? 1 : 0,
    );
    const states = await until(scene, (db) =>
      db.selectFrom('channelSubscriptions').select('state').where('kind', '=', 'usage').execute(),
    );
    expect(states.map(({ state }) => state)).toEqual(['removed', 'removed']);
  });
});

describe('the button “Turn off”', () => {
  test('ends a watch for its recipient, who has become a guest, and for no other user', async () => {
    await startAsLead();
    await typeCommand(scene.slack, 'nora', '/usage', 'watch me');
    scene.platform.reviseDay('2026-04-14', 40);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, 'usage-watch:U0NORA');
    const { posts } = await messagesIn(scene, 'dm', 'nora');
    const post = posts.find(({ text }) => text.includes('unusually'));
    if (!post) throw new Error('Nothing was posted');
    await scene.slack.control.updatePerson({ person: 'nora', isGuest: true });
    await moveClock(scene, new Date(scene.clock.now().getTime() + 2 * 60_000));
    const answerTo = async (click: () => Promise<unknown>) => {
      const since = scene.slack.mark();
      await click();
      return (await scene.slack.next('ephemeral', () => true, { since })).message.text;
    };
    const { ts } = await scene.slack.control.post({ as: 'mia', channel: 'general', text: 'Hello' });
    const forged = { type: 'button', action_id: STOP_ACTION, value: 'usage-watch:U0NORA:2026-04-15' };
    const elsewhere = { in: 'message' as const, channel: 'general', ts };
    const byMia = { as: 'mia', source: elsewhere, actionId: STOP_ACTION, forged };
    expect(await answerTo(() => scene.slack.control.click(byMia))).toContain('isn’t yours to stop');
    const source = { in: 'message' as const, channel: 'dm', ts: post.ts };
    const press = () => answerTo(() => scene.slack.control.click({ as: 'nora', source, actionId: STOP_ACTION }));
    expect(await press()).toContain('Stopped for you: Messages about unusual days.');
    expect(await press()).toContain('It was stopped before.');
    expect((await typeCommand(scene.slack, 'nora', '/usage')).text).toContain('Only members of this workspace');
  });
});
