import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { MessageView, ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { allOf, change, noticesIn, repliesIn, startWatching } from '../../support/controls.ts';
import { delivered, formValues, messagesIn, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { startReplica, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { tablesIn } from '../../../src/features/controls/core/revisions.ts';
import type { Database } from '../../../src/core/store/tables.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ at: new Date('2026-04-14T12:00:00Z'), ...options }));
afterEach(() => scene.close());

const here = (as: string, channel = 'agent-usage') => typeCommand(scene.slack, as, '/quartermaster', 'here', channel);

/** Presses a button of a message that only this person sees, and returns the answer. */
async function press(as: string, label: 'Pause' | 'Resume', channel = 'agent-usage', earlier?: MessageView) {
  const list = earlier ?? (await here(as, channel));
  const since = scene.slack.mark();
  await clickButton(scene.slack, as, list, label, channel);
  return nextAnswer(scene.slack, since);
}

/** The list as soon as it has a button with this action: jobs of the start may still run. */
const listWith = (as: string, actionId: string) =>
  until(scene, async () => {
    const list = await here(as);
    return everythingIn(list).includes(actionId) ? list : undefined;
  });

async function setUpBudget(choices: Record<string, string>): Promise<string> {
  await openByCommand(scene.slack, 'morgan', '/budget', 'new');
  const done = textOfView(await submitForm(scene.slack, 'morgan', formValues({ forecast: '', ...choices })));
  const id = /`(\w+)`/.exec(done)?.[1];
  if (id === undefined) throw new Error(`No budget was set up: ${done}`);
  return id;
}

const postsAbout = async (words: RegExp, channel = 'agent-usage', as?: string) =>
  (await messagesIn(scene, channel, as)).posts.filter(({ text }) => words.test(text));

const actionsOf = async (about: string) =>
  until(scene, async (db) => (await listAuditEntries(db, about)).map(({ actor, action }) => `${actor} ${action}`));

describe('a paused budget', () => {
  test('warns of nothing and says so, and reports what was reached after it is resumed', async () => {
    await start();
    const paused = await setUpBudget({ credits: '30m', actual: '50, 80' });
    const { text } = await press('morgan', 'Pause');
    expect(text).toMatch(
      /^⏸️ Paused: \*Monthly budget of the organization\*\. Thresholds that are reached until \*Resume\*/,
    );
    const running = await setUpBudget({ credits: '31m', actual: '50, 80' });
    const list = await here('morgan');
    expect(list.text).toContain('⏸️ *Paused.* No warnings come until it is resumed.');
    expect(list.text).toContain('Next after it is resumed · none sent yet');
    expect((await typeCommand(scene.slack, 'morgan', '/budget')).text).toContain('⏸️ *Paused.*');
    scene.platform.reviseDay('2026-04-14', 100);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, `budget:${running}:`);
    expect(await postsAbout(/past 80%/)).toHaveLength(1);
    expect((await press('morgan', 'Resume')).text).toMatch(/^✅ Resumed: \*Monthly budget of the organization\*\./);
    await moveClock(scene, new Date('2026-04-15T09:10:00Z'));
    await delivered(scene, `budget:${paused}:`);
    expect(await postsAbout(/past 80%/)).toHaveLength(2);
    const actions = await actionsOf(`budget:${paused}`);
    expect(actions).toEqual(expect.arrayContaining(['U0MORGAN paused it', 'U0MORGAN resumed it']));
  });

  test('of the server settings is paused and resumed by admins only', async () => {
    await start({ settings: { BUDGET_CREDITS: '900m', BUDGET_CHANNEL: '#agent-usage' } });
    const list = await listWith('ada', 'budget_pause');
    expect(everythingIn(await here('morgan'))).not.toContain('budget_pause');
    expect((await press('ada', 'Pause', 'agent-usage', list)).text).toContain('⏸️ Paused: ');
    expect((await press('ada', 'Resume')).text).toContain('✅ Resumed: *Monthly budget of the organization*');
  });
});

describe('a paused warning', () => {
  test('keeps what was on its way until it is resumed, and form and list say that it is paused', async () => {
    await start({ at: new Date('2026-03-11T12:00:00Z') });
    await openByCommand(scene.slack, 'mia', '/usage', 'notify');
    await submitForm(scene.slack, 'mia', formValues({ of: 'own', amount: '1m', percents: '95' }));
    scene.platform.reviseDay('2026-03-11', 100);
    await moveClock(scene, new Date('2026-03-12T09:00:00Z'));
    await delivered(scene, 'budget:me-', 'waiting');
    expect((await press('mia', 'Pause', 'dm')).text).toMatch(/^⏸️ Paused: your credit warning\. After \*Resume\*/);
    await moveClock(scene, new Date('2026-03-12T12:00:00Z'));
    await until(scene, async (db) => {
      const held = db.selectFrom('deliveries').select('key').where('reason', '=', 'It is paused.');
      return held.executeTakeFirst();
    });
    expect((await here('mia', 'dm')).text).toContain('⏸️ *Paused.* No warnings come until it is resumed.');
    expect(textOfView(await openByCommand(scene.slack, 'mia', '/usage', 'notify'))).toContain('Saving resumes it.');
    expect(await postsAbout(/Your credits/, 'dm', 'mia')).toEqual([]);
    expect((await press('mia', 'Resume', 'dm')).text).toMatch(/^✅ Resumed: your credit warning\./);
    await delivered(scene, 'budget:me-');
    expect(await postsAbout(/Your credits: .* past 95%/, 'dm', 'mia')).toHaveLength(1);
    expect(await actionsOf('heads-up:U0MIA')).toEqual([
      'U0MIA turned heads-ups on',
      'U0MIA paused heads-ups',
      'U0MIA resumed heads-ups',
    ]);
  });
});

describe('a paused watch of the controls', () => {
  const announced = (revision: number) =>
    until(scene, async (db) => {
      const cursor = await tablesIn(db).selectFrom('controlsCursor').select('revision').executeTakeFirst();
      return cursor?.revision === revision ? true : undefined;
    });

  test('posts no revision, lists the missed ones in one message after it is resumed, and then each again', async () => {
    scene = await startWatching();
    expect(everythingIn(await here('morgan'))).not.toContain('controls_pause');
    const { text } = await press('ada', 'Pause');
    expect(text).toContain('⏸️ Paused: Enterprise control alerts for <#C0USAGE>');
    expect(text).toContain('one message lists the revisions');
    expect((await here('morgan')).text).toContain('⏸️ *Paused* by <@U0ADA>');
    await change(scene, { cloudSessionSync: false });
    await change(scene, { commandDenylist: ['rm -rf /'] }, 'morgan.manager@acme.example');
    await announced(13);
    expect(await noticesIn(scene, 1)).toHaveLength(1);
    await press('ada', 'Resume');
    const [, missed] = await noticesIn(scene, 2);
    expect(missed?.text).toContain('*2 revisions of the enterprise controls by 2 people*');
    expect(allOf(await repliesIn(scene, 1))).toMatch(/\*12\*[\s\S]*\*13\*/);
    await change(scene, { cloudSessionSync: true });
    const notices = await noticesIn(scene, 3);
    expect(notices).toHaveLength(3);
    expect(notices[2]?.text).toContain('changed the enterprise controls');
    expect(await actionsOf('controls-watch:C0USAGE')).toEqual(['settings watched', 'U0ADA paused', 'U0ADA resumed']);
  });

  test('is resumed by setting it up again, and nothing is posted if nothing was missed', async () => {
    scene = await startWatching();
    await press('ada', 'Pause');
    await change(scene, { cloudSessionSync: false });
    await announced(12);
    const { text } = await typeCommand(scene.slack, 'ada', '/controls', 'watch #agent-usage', 'agent-usage');
    expect(text).toContain('It is no longer paused.');
    const [, missed] = await noticesIn(scene, 2);
    expect(missed?.text).toContain('Ada Okafor changed the enterprise controls');
    await press('ada', 'Pause');
    await press('ada', 'Resume');
    await change(scene, { cloudSessionSync: true });
    expect(await noticesIn(scene, 3)).toHaveLength(3);
  });
});

test.skipIf(!availableEngines().includes('postgres'))(
  'a revision that is announced while a watch of the controls is resumed is posted once, on Postgres',
  async () => {
    const [announcing, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isHeld = false;
    const checkpoint = (name: string) => {
      if (name !== 'controls:in_move' || !isHeld) return undefined;
      announcing.resolve();
      return resumed.promise;
    };
    scene = await startWatching({ engine: 'postgres', checkpoint });
    await press('ada', 'Pause');
    const list = await here('ada');
    isHeld = true;
    await change(scene, { cloudSessionSync: false });
    await announcing.promise;
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', list, 'Resume', 'agent-usage');
    // It waits for the announcement. Without that, it would be answered first, and the revision would be lost.
    const isWaiting = async (db: Database) =>
      (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length > 0 ? true : undefined;
    await Promise.race([until(scene, isWaiting), nextAnswer(scene.slack, since)]);
    resumed.resolve();
    const [, missed] = await noticesIn(scene, 2);
    expect(missed?.text).toContain('Ada Okafor changed the enterprise controls');
    await change(scene, { cloudSessionSync: true });
    expect(await noticesIn(scene, 3)).toHaveLength(3);
  },
);

describe('a paused watch of unusual days', () => {
  test('reports an unusual day of the pause after it is resumed', async () => {
    await start();
    for (const place of ['#agent-usage', '#general'])
      await typeCommand(scene.slack, 'morgan', '/usage', `watch ${place}`, 'agent-usage');
    await press('morgan', 'Pause');
    scene.platform.reviseDay('2026-04-14', 40);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, 'usage-watch:C0GENERAL:2026-04-15');
    expect(await postsAbout(/unusually high/)).toEqual([]);
    await press('morgan', 'Resume');
    await moveClock(scene, new Date('2026-04-15T09:10:00Z'));
    await delivered(scene, 'usage-watch:C0USAGE:2026-04-15');
    expect(await postsAbout(/Tue 14 Apr was unusually high for the organization/)).toHaveLength(1);
  });
});

test('posts of the settings stay paused after a restart', async () => {
  scene = await startWatching({ settings: { BUDGET_CREDITS: '900m', BUDGET_CHANNEL: '#agent-usage' } });
  const list = await listWith('ada', 'budget_pause');
  const source = { in: 'message' as const, channel: 'agent-usage', ts: list.ts };
  for (const actionId of ['budget_pause', 'controls_pause']) {
    const since = scene.slack.mark();
    await scene.slack.control.click({ as: 'ada', source, actionId });
    expect((await nextAnswer(scene.slack, since)).text).toContain('⏸️ Paused: ');
  }
  // The job that sets up its digest comes after those of the budget and the watch.
  const replica = await startReplica({ ...scene, environment: { ...scene.environment, DIGEST_CHANNEL: '#general' } });
  try {
    await until(scene, (db) => db.selectFrom('subscriptions').select('id').executeTakeFirst());
  } finally {
    await replica.stop();
  }
  const after = everythingIn(await here('ada'));
  for (const actionId of ['budget_resume', 'controls_resume']) expect(after).toContain(actionId);
});

test('of two people, the slower one learns who paused it, and resuming works from App Home', async () => {
  await start();
  await typeCommand(scene.slack, 'morgan', '/readiness', 'watch #agent-usage', 'agent-usage');
  const [morgans, adas] = [await here('morgan'), await here('ada')];
  expect((await press('morgan', 'Pause', 'agent-usage', morgans)).text).toContain('⏸️ Paused: Readiness alerts');
  expect((await press('ada', 'Pause', 'agent-usage', adas)).text).toBe(
    'Already paused: Readiness alerts for <#C0USAGE> (changes to the readiness score of every repository). <@U0MORGAN> changed it last.',
  );
  const since = scene.slack.mark();
  await scene.slack.control.openHome({ as: 'ada' });
  const isPaused = ({ view, person }: { view: ViewView; person: string }) =>
    person === 'U0ADA' && textOfView(view).includes('*Paused* by <@U0MORGAN>');
  await scene.slack.next('home_published', isPaused, { since });
  const sinceClick = scene.slack.mark();
  await scene.slack.control.click({ as: 'ada', source: { in: 'home' }, actionId: 'readiness_resume' });
  expect(textOfView(await nextView(scene.slack, sinceClick))).toContain('✅ Resumed: Readiness alerts');
  expect(await actionsOf('readiness-watch:C0USAGE')).toEqual(['U0MORGAN watched', 'U0MORGAN paused', 'U0ADA resumed']);
});
