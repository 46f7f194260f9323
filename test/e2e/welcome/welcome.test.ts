import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { delivered, formValues, messagesIn, setUpDigest, until } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { clickButton, everythingIn, nextAnswer } from '../../support/slack/conversation.ts';
import { finishSettingUp, openByCommand, submitForm } from '../../support/slack/modals.ts';
import { untilQuiet } from '../../support/limits/limits.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { startReplica, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

const welcomesOf = async (person: string) => {
  const { channels } = await scene.slack.control.state({ as: person });
  const direct = channels.find(({ kind }) => kind === 'dm');
  return (direct?.messages ?? []).filter(({ text }) => text.includes('Quartermaster is running'));
};

describe.each(availableEngines())('after the first start on %s', (engine) => {
  test('each admin learns once what it found and what is left to do, also with a second replica', async () => {
    await start({ engine, isFirstStart: true });
    const replica = engine === 'postgres' ? await startReplica(scene) : undefined;
    await whileTimePasses(scene, delivered(scene, 'welcome:admins:U0ADA'));
    const [welcome, ...others] = await welcomesOf('ada');
    expect(others).toEqual([]);
    expect(welcome?.text).toMatch(/\d+ people used credits in the last 28 days/);
    expect(welcome?.text).toContain('doesn’t show limits in force');
    expect(welcome?.text).toContain('1 admin, 1 manager');
    const everything = JSON.stringify(welcome?.blocks);
    for (const label of ['A month', 'Choose teams', 'Set up a digest', 'Show a sample'])
      expect(everything).toContain(label);
    expect(await welcomesOf('morgan')).toEqual([]);
    await replica?.stop();
  });
});

describe('the welcome of the admins', () => {
  test('asks only for what is not done yet', async () => {
    await start({ isFirstStart: true, settings: { LIMIT_PERIOD: 'month', DIGEST_CHANNEL: '#agent-usage' } });
    await whileTimePasses(scene, delivered(scene, 'welcome:admins:U0ADA'));
    const [welcome] = await welcomesOf('ada');
    const everything = JSON.stringify(welcome?.blocks);
    expect(everything).toContain('Choose teams');
    expect(everything).not.toContain('A month');
    expect(everything).not.toContain('Set up a digest');
    expect(everything).toContain('Show a sample');
  });

  test('says that limits can be read where the platform shows them', async () => {
    await start({ isFirstStart: true, platform: { edition: 'today' } });
    await whileTimePasses(scene, delivered(scene, 'welcome:admins:U0ADA'));
    expect((await welcomesOf('ada'))[0]?.text).toContain('limits in force can be read');
  });

  test('comes without the question about teams if Slack refuses its user groups', async () => {
    const prepare = ({ faults }: TestApp['slack']) =>
      faults.add({ method: 'usergroups.list', kind: 'error', error: 'missing_scope' });
    await start({ isFirstStart: true, settings: { MANAGERS: '' }, prepare });
    await whileTimePasses(scene, delivered(scene, 'welcome:admins:U0ADA'));
    const [welcome] = await welcomesOf('ada');
    expect(welcome?.text).toContain('1 admin, no managers yet (`MANAGERS`)');
    expect(JSON.stringify(welcome?.blocks)).not.toContain('Choose teams');
  });

  test('does not come to a store that an earlier version used', async () => {
    await start();
    await setUpDigest(scene, {});
    await whileTimePasses(scene, delivered(scene, 'digest-introduction'));
    await moveClock(scene, new Date(scene.clock.now().getTime() + 2 * 3_600_000));
    await until(scene, async (db) => {
      await sql`delete from welcomes`.execute(db);
      return true;
    });
    await until(scene, (db) =>
      sql`select 1 from welcomes where at > '2026-02-01'`.execute(db).then(({ rows: [row] }) => row),
    );
    await untilQuiet(scene);
    expect(await welcomesOf('ada')).toEqual([]);
  });

  test('shows a sample of the first digest to the person who asks alone', async () => {
    await start({ isFirstStart: true });
    await whileTimePasses(scene, delivered(scene, 'welcome:admins:U0ADA'));
    const [welcome] = await welcomesOf('ada');
    if (!welcome) throw new Error('There is no welcome');
    const { channels } = await scene.slack.control.state({ as: 'ada' });
    const direct = channels.find(({ kind }) => kind === 'dm')?.id ?? '';
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', welcome, 'Show a sample', direct);
    const sample = await nextAnswer(scene.slack, since);
    expect(everythingIn(sample)).toContain('A sample, only you see it');
    expect(sample.text).toMatch(/credits/);
  });
});

describe('an invitation to a channel', () => {
  const posts = async (channel: string) =>
    (await messagesIn(scene, channel)).posts.filter(({ text }) => text.includes('Quartermaster can post here'));

  test('is answered once with what can be posted there', async () => {
    const { slack } = await start();
    await slack.control.invite({ as: 'morgan', channel: 'general', who: 'app' });
    await whileTimePasses(scene, delivered(scene, 'welcome:C0GENERAL'));
    expect(await posts('general')).toHaveLength(1);
    const [post] = await posts('general');
    expect(JSON.stringify(post?.blocks)).toContain('Set up a digest');
  });

  test('is not answered where a digest is set up in the meantime', async () => {
    const { slack } = await start();
    await openByCommand(slack, 'morgan', '/digest', 'new', 'leads');
    await submitForm(slack, 'morgan', formValues({ at: '10:30' }));
    await finishSettingUp(slack, 'morgan', 'leads');
    await submitForm(slack, 'morgan');
    await whileTimePasses(scene, delivered(scene, 'digest-introduction'));
    await whileTimePasses(scene, delivered(scene, 'welcome:C0LEADS', 'skipped'));
    expect(await posts('leads')).toEqual([]);
  });

  test('is not answered where it joined by itself', async () => {
    await start();
    await setUpDigest(scene, {});
    expect(await posts('agent-usage')).toEqual([]);
  });
});
