import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { disclosurePolicies } from '../../../src/features/disclosure/disclosure-log.ts';
import type { ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { clickButton, typeCommand } from '../../support/slack/conversation.ts';
import { delivered, formValues, setUpDigest, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { ask } from '../../support/limits/limits.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

async function home(as: string): Promise<string> {
  const since = scene.slack.mark();
  await scene.slack.control.openHome({ as });
  // Others view their own figures at the same time.
  const id = scene.slack.workspace.findPerson(as)?.id;
  const isReady = ({ view, person }: { view: ViewView; person: string }) =>
    person === id && !textOfView(view).includes('One moment …');
  const { view } = (await scene.slack.next('home_published', isReady, { since })).view;
  const [, part = ''] = JSON.stringify(view).split('Who saw my figures');
  return part.split('"type":"divider"')[0] ?? '';
}

const say = async (as: string, command: string, text: string) =>
  (await typeCommand(scene.slack, as, command, text, 'agent-usage')).text;

const NOBODY = 'No one looked at your figures in the last 30 days.';

describe.each(availableEngines())('the list of who saw my figures, on %s', (engine) => {
  test('names each viewer once, with the time, to its owner alone', async () => {
    await start({ engine });
    expect(await home('mia')).toContain(NOBODY);
    expect(await home('mia')).toContain('2 other people can look up your figures: the managers and admins');
    expect(await home('ada')).toContain('1 other person can look up your figures');
    await say('morgan', '/usage', '7d @mia');
    await say('morgan', '/usage', '28d @mia');
    await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
    await say('morgan', '/usage', '7d mia.member@acme.example csv');
    await say('ada', '/usage', '7d @web-team');
    const mias = await home('mia');
    expect(mias).toContain('•  <@U0MORGAN>, on 3 Mar and 1 other day: a file, your usage');
    expect(mias).toContain('•  <@U0ADA>, on 3 Mar: your usage');
    expect(await home('max')).toContain(NOBODY);
  });

  test('leaves out one’s own views, hides views after 30 days, and deletes them after 90', async () => {
    await start({ engine });
    await say('mia', '/usage', '7d me');
    await say('morgan', '/usage', '7d me');
    expect(await home('mia')).toContain(NOBODY);
    expect(await home('morgan')).toContain(NOBODY);
    await say('morgan', '/usage', '7d @mia');
    expect(await home('mia')).toContain('<@U0MORGAN>');
    await moveClock(scene, new Date('2026-03-31T23:00:00Z'));
    expect(await home('mia')).toContain('<@U0MORGAN>');
    await moveClock(scene, new Date('2026-04-01T00:00:00Z'));
    expect(await home('mia')).toContain(NOBODY);
    await until(scene, async (db) => {
      const prune = async (before: string) => {
        const deleted: number[] = [];
        for (const part of disclosurePolicies.figureLooks.retention ?? [])
          for await (const rows of part.prune(db, new Date(before))) deleted.push(rows);
        return deleted;
      };
      expect(await prune('2026-03-02T23:59:59Z')).toEqual([]);
      expect(await db.selectFrom('figureLooks').selectAll().execute()).toHaveLength(1);
      expect(await prune('2026-03-03T00:00:00Z')).toEqual([1]);
      expect(await db.selectFrom('figureLooks').selectAll().execute()).toHaveLength(0);
      return true;
    });
  });

  test('blocks the figures of another person if the view cannot be recorded', async () => {
    await start({ engine });
    await until(scene, async (db) => {
      await sql`drop table figure_looks`.execute(db);
      return true;
    });
    for (const text of ['7d @mia', 'people 7d', '7d @web-team', '7d', 'people 7d csv']) {
      const said = await say('morgan', '/usage', text);
      expect(said).toMatch(/reference [0-9a-f]{8}/);
      expect(said).not.toMatch(/Mia Chen|[\d.]+(?: [KMB])? credits/);
    }
    expect(await say('mia', '/usage', '7d')).toMatch(/[\d.]+(?: [KMB])? credits/);
  });
});

describe('the list of who saw my figures', () => {
  test('shows views of lists of all people in one line', async () => {
    await start();
    await say('morgan', '/usage', 'people 7d');
    await say('morgan', '/usage', '7d');
    await say('ada', '/usage', 'people 7d csv');
    expect(await home('mia')).toContain('•  <@U0ADA>, <@U0MORGAN>: lists that can name everyone, last on 2 Mar');
    expect(await home('morgan')).toContain('•  <@U0ADA>: lists that can name everyone, last on 2 Mar');
    expect(await home('gus')).toBe('');
  });

  test('includes posts to a channel with names', async () => {
    await start();
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', '7d @mia', 'agent-usage');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share', 'agent-usage');
    await scene.slack.next('message', undefined, { since });
    expect(await home('mia')).toContain('•  <#C0USAGE>, on 2 Mar: your usage');
  });

  test('includes a digest with names, when it is posted and when it is previewed', async () => {
    await start();
    const digest = { audience: 'people', people: ['U0MIA'], rhythm: 'daily', at: '09:00', zone: 'UTC' };
    const { id } = await setUpDigest(scene, digest);
    expect(await home('mia')).toContain(NOBODY);
    await say('ada', '/digest', `preview ${id}`);
    expect(await home('mia')).toContain('•  <@U0ADA>, on 2 Mar: a digest');
    await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
    await delivered(scene, `digest:${id}:2026-03-03`);
    expect(await home('mia')).toContain('•  <#C0USAGE>, on 3 Mar: a digest');
  });

  test('includes budgets of chosen people, and the usage that a request for a limit shows to reviewers', async () => {
    await start({ settings: { LIMITS_CHANNEL: '#agent-usage' } });
    await openByCommand(scene.slack, 'morgan', '/budget', 'new');
    await submitForm(scene.slack, 'morgan', formValues({ credits: '1m', whose: 'people', people: ['U0MIA'] }));
    expect(await home('mia')).toContain('•  <@U0MORGAN>, on 2 Mar: a budget');
    await ask(scene, 'mia', { amount: '900k' });
    expect(await home('mia')).toContain('•  <#C0USAGE>, on 2 Mar: a request for your limit');
  });

  test('includes limits that an admin simulates, and limits far above usage', async () => {
    await start({ at: new Date('2026-03-24T09:00:00Z') });
    await say('ada', '/limits', 'simulate @web-team 1k per week');
    expect(await home('mia')).toContain('•  <@U0ADA>, on 24 Mar: a limit that was tried out');
  });

  test('shows five lines, and all of them behind a button', async () => {
    await start();
    const others = ['jo', 'kim', 'lou', 'pat', 'sam'];
    for (const handle of others) {
      const email = `${handle}@acme.example`;
      await scene.slack.control.addPerson({ handle, name: handle, email, isAdmin: true });
      await scene.slack.control.invite({ as: 'ada', channel: 'agent-usage', who: handle });
      await say(handle, '/usage', '7d @mia');
    }
    await say('ada', '/usage', '7d @mia');
    const shown = await home('mia');
    expect(shown.match(/•  <@/g)).toHaveLength(5);
    const since = scene.slack.mark();
    await scene.slack.control.click({ as: 'mia', source: { in: 'home' }, actionId: 'usage_all_looks' });
    const all = textOfView(await nextView(scene.slack, since, /•/));
    expect(all.match(/•  <@/g)).toHaveLength(6);
  });
});
