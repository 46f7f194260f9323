import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isOpen } from '../../../src/outbox/delivery-table.ts';
import { listAuditEntries } from '../../../src/store/audit.ts';
import { readinessReports } from '../../../src/sandbox/platform/model/readiness-data.ts';
import type { MessageView, ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { keyOfMessage } from '../../support/controls.ts';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines, usualEngine } from '../../support/stores/databases.ts';
import { delivered, deliveriesThere, messagesIn, until, whileTimePasses } from '../../support/digests.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
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
        criteria.reduce((sum, { numerator }) => sum + numerator, 0) /
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
  const partsAt = (at: Date) => {
    const latest = new Map<string, number>();
    for (const { repoUrl, report } of readinessReports(1, at).toReversed()) {
      const criteria = Object.values(report);
      const sum = (measure: (one: (typeof criteria)[number]) => number) =>
        criteria.reduce((total, one) => total + measure(one), 0);
      latest.set(repoUrl.split('/').slice(-2).join('/'), sum((one) => one.numerator) / sum((one) => one.denominator));
    }
    return latest;
  };

  test('gets each repository that fell or rose past a step of ten percent once, and no earlier moves', async () => {
    await scene.close();
    scene = await startTestApp({ at: new Date('2026-02-01T07:00:00Z'), engine: usualEngine() });
    const before = partsAt(scene.clock.now());
    expect((await ask('watch', 'morgan')).text).toContain('now gets changes to the readiness score of');
    const later = new Date('2026-04-20T07:00:00Z');
    const after = partsAt(later);
    const expected = [...after].flatMap(([label, now]) => {
      const then = before.get(label);
      if (then === undefined || now === then) return [];
      if (now < then) return [`${label} is less ready than before`];
      return Math.floor(now * 10 + 1e-9) > Math.floor(then * 10 + 1e-9) ? [`${label} is readier than before`] : [];
    });
    expect(expected.length).toBeGreaterThan(1);
    const since = scene.slack.mark();
    scene.clock.moveTo(later);
    const posted: string[] = [];
    let from = since;
    while (posted.length < expected.length) {
      const coming = scene.slack.next('message', ({ message }) => isNotice(message), { since: from });
      const event = await whileTimePasses(scene, coming);
      from = event.seq;
      posted.push(event.message.text.split('\n')[1] ?? '');
      scene.clock.moveTo(new Date(scene.clock.now().getTime() + 2_000));
    }
    expect(posted.toSorted()).toEqual(expected.map((line) => `${line}.`).toSorted());
    scene.clock.moveTo(new Date(later.getTime() + 20 * 60_000));
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

const moveOn = (durationMs: number) => scene.clock.moveTo(new Date(scene.clock.now().getTime() + durationMs));

const DAY_MS = 86_400_000;

/** A job may take this long: days that pass faster would pass without it, until there are no further reports. */
const LEAST_DAY_MS = 120;

/** Lets days pass, and reports arrive, until there are at least this number of notices and each has its outcome. */
const noticesOf = (atLeast: number) => {
  let movedAtMs = performance.now();
  return until(
    scene,
    async (db) => {
      const all = db.selectFrom('deliveries').selectAll().where('kind', '=', 'readiness-notice').orderBy('createdAt');
      const rows = await all.execute();
      if (rows.some(isOpen)) moveOn(2_000);
      else if (rows.length >= atLeast) return rows;
      else if (performance.now() - movedAtMs >= LEAST_DAY_MS) {
        moveOn(DAY_MS);
        movedAtMs = performance.now();
      }
      return undefined;
    },
    deliveriesThere,
  );
};

describe.each(availableEngines())('a watch of readiness, on %s', (engine) => {
  beforeEach(async () => {
    await scene.close();
    scene = await startTestApp({ at: new Date('2026-02-01T07:00:00Z'), engine });
  });

  test('is introduced once in its channel, audited, and shown in App Home, with a button that ends it', async () => {
    expect(await homeOf('morgan')).toContain('No channel gets readiness changes');
    await ask('watch #agent-usage payments', 'morgan');
    await delivered(scene, 'readiness-introduction');
    expect((await ask('watch #agent-usage payments', 'morgan')).text).toContain('(it was set up before)');
    await ask('watch #agent-usage', 'morgan');
    await until(scene, async (db) => {
      moveOn(2_000);
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

  test('is paused after three refused notices, notifies its owner once, and is resumed by a new setup', async () => {
    await ask('watch #agent-usage', 'morgan');
    await delivered(scene, 'readiness-introduction');
    await scene.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
    // If several reports come in one day, the third refusal leaves notices that are skipped.
    const notices = await noticesOf(3);
    const refused = notices.filter(({ state }) => state !== 'skipped');
    expect(refused.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    const posts = await until(scene, async () => {
      const { posts: all } = await messagesIn(scene, 'dm', 'morgan');
      return all.length === refused.length ? all : undefined;
    });
    moveOn(60 * DAY_MS);
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
      moveOn(60_000);
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
