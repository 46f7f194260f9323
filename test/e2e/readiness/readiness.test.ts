import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readinessReports } from '../../../src/sandbox/platform/model/readiness-data.ts';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { keyOfMessage } from '../../support/controls.ts';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { usualEngine } from '../../support/stores/databases.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ at: new Date('2026-06-01T07:00:00Z') });
});
afterEach(() => scene.close());

const ask = (text = '', as = 'mia') => typeCommand(scene.slack, as, '/readiness', text);
const asked = () => scene.platform.requests.filter(({ path }) => path.endsWith('/maturity-level-reports'));

describe('/readiness', () => {
  test('shows every repository by its latest report, the least ready first', async () => {
    const answer = await ask();
    const latest = new Map<string, number>();
    for (const report of readinessReports(1, scene.clock.now()).toReversed()) {
      const criteria = Object.values(report.report);
      const part =
        criteria.reduce((sum, { numerator }) => sum + (numerator ?? 0), 0) /
        criteria.reduce((sum, { denominator }) => sum + denominator, 0);
      latest.set(report.repoUrl, part);
    }
    const order = [...latest].toSorted(([, a], [, b]) => a - b).map(([url]) => url.split('/').slice(-2).join('/'));
    const places = order.map((label) => answer.text.indexOf(`${label}: Checks`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(answer.text).toMatch(/\d of 6 repositories pass(es)? everything/);
  });

  test('reads page by page, in any order of the platform, and shares a reading', async () => {
    scene.platform.faults.add({ match: { path: '/api/organization/maturity-level-reports' }, kind: 'shuffle_pages' });
    const first = await ask();
    const calls = asked().length;
    expect(calls).toBeLessThan(6);
    const second = await ask('', 'morgan');
    expect(asked()).toHaveLength(calls);
    expect(second.text).toBe(first.text);
  });

  test('shows one repository: its failed criteria, since when they fail, and the cheapest to fix', async () => {
    const answer = await ask('payments');
    expect(answer.text).toContain('Readiness of acme/payments');
    expect(answer.text).toContain('Easiest fixes:');
    expect(answer.text).toMatch(/What fails: .*since \w{3} \d+ \w{3} 2026/);
    expect(answer.text).toContain('of the other repositories pass it');
    expect(answer.text).toContain('Worse than in the previous report');
  });

  test('offers the repositories whose names contain a word, and the closest match', async () => {
    const several = await ask('acme/');
    expect(several.text).toContain('6 repositories. Which one?');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'mia', several, 'acme/docs');
    expect((await nextAnswer(scene.slack, since)).text).toContain('Readiness of acme/docs');
    const near = await ask('paymnets');
    expect(near.text).toContain('No repository matches “paymnets”; 6 repositories have a readiness report.');
    expect(near.text).toContain('Did you mean acme/payments?');
  });

  test('finds a repository by the platform’s own id', async () => {
    const answer = await ask('repo_infra');
    expect(answer.text).toContain('Readiness of acme/infrastructure');
    expect(asked().at(-1)?.query['repoId']).toBe('repo_infra');
  });

  test('opens a form for a computer, filled in with the repository', async () => {
    const answer = await ask('payments');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'mia', answer, 'Create a computer for it');
    const { view } = await scene.slack.next('view_updated', undefined, { since });
    expect(JSON.stringify(view.view['blocks'])).toContain('https://git.acme.example/acme/payments');
  });

  test('filters, and is also available as a file', async () => {
    expect((await ask('filter data')).text).toContain(
      'The one repository with “data” in its name does not pass everything',
    );
    const since = scene.slack.mark();
    await ask('csv');
    const { file } = await scene.slack.next('file_shared', undefined, { since });
    expect(file.name).toBe('readiness-2026-06-01.csv');
  });

  test('reports that the platform cannot be read', async () => {
    scene.platform.faults.add({ match: { path: '/api/organization' }, kind: 'status', status: 401 });
    expect((await ask()).text).toContain('no longer accepts Quartermaster’s API key');
  });

  test('is explained by its help', async () => {
    expect((await ask('help')).text).toContain('/readiness acme/web: one repository');
  });
});

const isNotice = (message: MessageView) => keyOfMessage(message).startsWith('readiness:');

describe('a channel that watches', () => {
  /**
   * By branch, the share of its last report until `from` (or of its first one) and of its last until `to`. A repository
   * without a report until `from` begins with its latest one.
   */
  const movesBetween = (from: Date, to: Date) => {
    const branches = new Map<string, { earlier: number; now: number }>();
    const known = new Set(readinessReports(1, from).map(({ repoUrl }) => repoUrl));
    for (const one of readinessReports(1, to)
      .toReversed()
      .filter(({ repoUrl }) => known.has(repoUrl))) {
      const { branch, hasLocalChanges, hasNonRemoteCommits, repoUrl, report, createdAt } = one;
      if (hasLocalChanges === true || hasNonRemoteCommits === true) continue;
      const criteria = Object.values(report);
      const sum = (measure: (one: (typeof criteria)[number]) => number) =>
        criteria.reduce((total, each) => total + measure(each), 0);
      const share = sum((each) => each.numerator ?? 0) / sum((each) => each.denominator);
      const name = `${repoUrl.split('/').slice(-2).join('/')}${typeof branch === 'string' ? ` (branch ${branch})` : ''}`;
      const before = branches.get(name);
      const isBefore = createdAt <= from.getTime();
      branches.set(name, { earlier: isBefore || !before ? share : before.earlier, now: share });
    }
    return branches;
  };

  test('gets each repository that fell or rose past a step of ten percent once, and no earlier moves', async () => {
    await scene.close();
    scene = await startTestApp({ at: new Date('2026-02-01T07:00:00Z'), engine: usualEngine() });
    const start = scene.clock.now();
    expect((await ask('watch', 'morgan')).text).toContain('now gets changes to the readiness score of');
    const later = new Date('2026-04-20T07:00:00Z');
    const expected = [...movesBetween(start, later)].flatMap(([label, { earlier, now }]) => {
      if (now === earlier) return [];
      if (now < earlier) return [`${label} is less ready than before`];
      return Math.floor(now * 10 + 1e-9) > Math.floor(earlier * 10 + 1e-9) ? [`${label} is readier than before`] : [];
    });
    expect(expected.length).toBeGreaterThan(1);
    const since = scene.slack.mark();
    await moveClock(scene, later);
    const posted: string[] = [];
    let from = since;
    while (posted.length < expected.length) {
      const coming = scene.slack.next('message', ({ message }) => isNotice(message), { since: from });
      const event = await whileTimePasses(scene, coming);
      from = event.seq;
      posted.push(event.message.text.split('\n')[1] ?? '');
      await moveClock(scene, new Date(scene.clock.now().getTime() + 2_000));
    }
    expect(posted.toSorted()).toEqual(expected.map((line) => `${line}.`).toSorted());
    await moveClock(scene, new Date(later.getTime() + 20 * 60_000));
    await ask('list', 'morgan');
    const { channels } = await scene.slack.control.state({ as: 'morgan' });
    const messages = channels.find(({ name }) => name === 'general')?.messages.filter(isNotice);
    expect(messages).toHaveLength(expected.length);
  });

  test('is set up by managers, if the bot can post in it, and ended again', async () => {
    expect((await ask('watch')).text).toContain(onlyFor('manager', '/readiness watch'));
    expect((await ask('watch #leads', 'morgan')).text).toMatch(/invite|Slack/);
    expect((await ask('watch payments', 'morgan')).text).toContain(
      'the readiness score of acme/payments. A message comes when it falls',
    );
    expect((await ask('watch payments', 'morgan')).text).toContain('acme/payments (it was set up before)');
    expect((await ask('watch nothing', 'morgan')).text).toContain('There is no readiness report for “nothing”');
    expect((await ask('unwatch payments', 'morgan')).text).toContain(
      'are off: changes to the readiness score of acme/payments.',
    );
    expect((await ask('unwatch', 'morgan')).text).toContain('are already off.');
  });
});
