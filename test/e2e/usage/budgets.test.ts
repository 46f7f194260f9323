import { afterEach, describe, expect, test } from 'vitest';
import { typeCommand } from '../../support/slack/conversation.ts';
import {
  fillForm,
  finishSettingUp,
  inputLabelsOf,
  openByCommand,
  showMore,
  submitForm,
  textOfView,
} from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { delivered, formValues, messagesIn, setUpDigest, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

const setUp = async (fields: Record<string, string | string[] | null>, as = 'morgan') => {
  await openByCommand(scene.slack, as, '/budget', 'new');
  return JSON.stringify((await submitForm(scene.slack, as, formValues(fields))).view);
};

const listedBudgets = async () =>
  (await typeCommand(scene.slack, 'morgan', '/budget')).text.match(/Monthly budget/g)?.length ?? 0;

const budgetPosts = async (name = 'agent-usage') => {
  const { posts, replies } = await messagesIn(scene, name);
  const isOurs = ({ text }: { text: string }) => /budget|Corrected/i.test(text);
  return { posts: posts.filter(isOurs), replies: replies.filter(isOurs) };
};

describe.each(availableEngines())('a budget, on %s', (engine) => {
  test('warns once when a day takes it over a threshold, and corrects the warning when the day is restated', async () => {
    await start({ engine, at: new Date('2026-03-11T12:00:00Z') });
    const done = await setUp({ credits: '30m', forecast: '', actual: '50, 80' });
    expect(done).toContain('30 M credits');
    scene.platform.reviseDay('2026-03-11', 100);
    await moveClock(scene, new Date('2026-03-12T07:00:00Z'));
    const { key } = await delivered(scene, 'budget:');
    expect(key).toMatch(/:actual-80:0$/);
    const { posts } = await budgetPosts();
    expect(posts).toHaveLength(1);
    expect(posts[0]?.text).toMatch(/Monthly budget of the organization: \d+% used, past 80%/);
    scene.platform.reviseDay('2026-03-11', 0.01);
    await moveClock(scene, new Date('2026-03-12T07:10:00Z'));
    await delivered(scene, 'budget:%:correction:%:note');
    const after = await budgetPosts();
    expect(after.posts.map(({ ts }) => ts)).toEqual(posts.map(({ ts }) => ts));
    expect(after.posts[0]?.text).toContain('Corrected: Monthly budget of the organization');
    expect(after.replies).toHaveLength(1);
  });
});

describe('a budget', () => {
  test('names the passed thresholds in its confirmation, and sends no warning about them', async () => {
    await start({ at: new Date('2026-03-11T12:00:00Z') });
    const again = await setUp({ credits: '10k', actual: '50, 80, 100', forecast: '' });
    expect(again).toMatch(/M of 10 K credits used.* Press Create again to set it up anyway/);
    const done = textOfView(await submitForm(scene.slack, 'morgan'));
    expect(done).toContain('Already reached: 50% used, 80% used, 100% used.');
    await moveClock(scene, new Date('2026-03-12T07:00:00Z'));
    const { text } = await typeCommand(scene.slack, 'morgan', '/budget');
    expect(text).toContain('over budget');
    expect((await budgetPosts()).posts).toEqual([]);
  });

  test('for a private channel without the bot is kept, and completed after the /invite with the typed values', async () => {
    await start({ at: new Date('2026-03-11T12:00:00Z') });
    await openByCommand(scene.slack, 'morgan', '/budget', 'new', 'leads');
    const typed = { credits: '30m', whose: 'S0WEB', name: 'Web & "friends"', price: '12.50 EUR', names: ['names'] };
    const refused = textOfView(await submitForm(scene.slack, 'morgan', formValues(typed)));
    expect(refused).toContain('Close this form and type /invite @Quartermaster in the channel.');
    const kept = textOfView(await finishSettingUp(scene.slack, 'morgan', 'leads'));
    for (const value of ['30m', 'S0WEB', 'Web & \\"friends\\"', '12.50 EUR', 'C0LEADS']) expect(kept).toContain(value);
    expect(textOfView(await submitForm(scene.slack, 'morgan'))).toContain('Done.');
  });

  test('asks again if its credits are already used, also after they were changed', async () => {
    await start({ at: new Date('2026-03-11T12:00:00Z') });
    expect(await setUp({ credits: '10k' })).toContain('Press Create again');
    expect(textOfView(await submitForm(scene.slack, 'morgan', formValues({ credits: '20k' })))).toContain('of 20 K');
    expect(await listedBudgets()).toBe(0);
    expect(textOfView(await submitForm(scene.slack, 'morgan', formValues({ credits: '900m' })))).toContain('Done.');
    expect(await listedBudgets()).toBe(1);
  });

  test('has four fields, the credits of last month, and more if they are needed', async () => {
    await start({ at: new Date('2026-03-11T12:00:00Z') });
    const short = await openByCommand(scene.slack, 'morgan', '/budget', 'new');
    expect(textOfView(short)).toContain('Last month: 42.7 M');
    expect(inputLabelsOf(short)).toEqual(['How many credits?', 'Whose credits?', 'For how long?', 'Channel']);
    const own = textOfView(await fillForm(scene.slack, 'morgan', formValues({ period: 'own', whose: 'people' })));
    for (const label of ['"text":"People"', 'First day and length']) expect(own).toContain(label);
    const long = textOfView(await showMore(scene.slack, 'morgan'));
    for (const label of ['Price of a million credits', 'Name', 'Warn at (% used)']) expect(long).toContain(label);
    expect(long).toContain('"initial_value":"50, 80, 100"');
    expect(textOfView(await fillForm(scene.slack, 'morgan', formValues({ where: 'me' })))).not.toContain('"Channel"');
  });

  test('is refused if it would warn of nothing, or counts nothing', async () => {
    await start({ at: new Date('2026-03-11T12:00:00Z') });
    await openByCommand(scene.slack, 'morgan', '/budget', 'new');
    const fields = {
      credits: 'many',
      actual: '',
      forecast: '',
      whose: 'people',
      period: 'own',
      own: '2026-02-30 for 5',
    };
    const { errors } = await submitForm(scene.slack, 'morgan', formValues(fields));
    expect(Object.keys(errors ?? {}).toSorted()).toEqual(['actual', 'credits', 'own', 'people', 'whose']);
  });

  test('appears in a digest that has the section, as of the digest’s last day', async () => {
    await start({ at: new Date('2026-03-11T12:00:00Z') });
    await setUp({ credits: '30m' });
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['budgets'] });
    const { text } = await typeCommand(scene.slack, 'morgan', '/digest', `preview ${id}`);
    expect(text).toMatch(/\*Monthly budget of the organization\*.*\n█+░+ \*\d+%\* · /);
    expect(text).toContain('as of Tue 10 Mar');
  });

  test('is for managers', async () => {
    await start();
    const { text } = await typeCommand(scene.slack, 'mia', '/budget');
    expect(text).toContain(onlyFor('manager', '/budget'));
  });

  test('of the settings exists without a form, follows the settings, and cannot be changed elsewhere', async () => {
    const settings = { BUDGET_CREDITS: '40m', BUDGET_CHANNEL: '#agent-usage', BUDGET_THRESHOLDS: '90' };
    await start({ at: new Date('2026-03-11T12:00:00Z'), settings });
    const row = await until(scene, (db) =>
      db.selectFrom('audit').selectAll().where('about', '=', 'budget:settings').executeTakeFirst(),
    );
    expect(row.detail).toBe('40,000,000 credits, 90% used, and when on track for 100%');
    expect((await typeCommand(scene.slack, 'morgan', '/budget')).text).toContain('Monthly budget of the organization');
    const { text } = await typeCommand(scene.slack, 'morgan', '/budget', 'remove settings');
    expect(text).toContain('comes from the server settings');
  });
});
