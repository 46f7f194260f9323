import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageView, ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { change, noticesIn, startWatching } from '../../support/controls.ts';
import { tablesIn } from '../../../src/features/controls/core/revisions.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import type { TestApp } from '../../support/test-app.ts';

let scene: TestApp;
const ask = (text: string, as = 'morgan', channel = 'general') =>
  typeCommand(scene.slack, as, '/controls', text, channel);
const said = async (text: string, as?: string, channel?: string) => everythingIn(await ask(text, as, channel));

beforeAll(async () => {
  scene = await startWatching();
});
afterAll(() => scene.close());

describe('/controls', () => {
  test('shows the latest revision and its changes', async () => {
    const answer = await said('');
    expect(answer).toContain('Revision 11');
    expect(answer).toContain('`managedComputersAllowedEmails`: added `max.member@acme.example`');
  });

  test('shows the history, by page, by person and by member', async () => {
    const all = await ask('history 4');
    expect(all.text).toMatch(/\*11\*.*\n\*10\*.*\n\*9\*.*\n\*8\*/);
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', all, 'Older');
    expect((await nextAnswer(scene.slack, since)).text).toMatch(/\*7\*.*\n\*6\*.*\n\*5\*.*\n\*4\*/);
    const ofMorgan = await said('history by morgan.manager@acme.example');
    expect(ofMorgan).toContain('*10*');
    expect(ofMorgan).not.toContain('*11*');
    expect((await ask('history member sandbox')).text).toMatch(/\*5\*.*`sandbox/);
    expect(await said('history member nothing.of.this')).toContain('There are no revisions');
  });

  test('shows the revisions of a period, typed as for /usage', async () => {
    const all = (await ask('history')).text;
    const day = /\*9\* .* (\d{4}-\d{2}-\d{2}) /.exec(all)?.[1] ?? '';
    const ofDay = (await ask(`${day}..${day}`)).text;
    expect(ofDay).toContain('*9*');
    const days = [...ofDay.matchAll(/^\*\d+\* .* (\d{4}-\d{2}-\d{2}) /gm)].map(([, one]) => one);
    expect(new Set(days)).toEqual(new Set([day]));
    expect((await ask('2020')).text).toContain('What of that revision?');
    expect((await ask('january 2020')).text).toContain('There are no revisions from');
  });

  test('shows the settings at a revision, without secrets, and as a file', async () => {
    const answer = await ask('show 6');
    expect(everythingIn(answer)).toContain('`customModels[custom:in-house-70b].apiKey`: _hidden_');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'As JSON');
    const { file } = await scene.slack.next('file_shared', undefined, { since });
    const response = await fetch(new URL(file.downloadPath, scene.slack.apiUrl), {
      headers: { authorization: `Bearer ${scene.slack.botToken}` },
    });
    const content = await response.text();
    expect(file.name).toBe('enterprise-controls-6.json');
    expect(content).toContain('"revision": 6');
    expect(content).toContain('"apiKey": "‹hidden›"');
    expect((await nextAnswer(scene.slack, since)).text).toContain('in your direct messages');
  });

  test.each(['diff 1 11', 'diff 11 1'])('“%s” shows every change between the two', async (text) => {
    const answer = await said(text);
    expect(answer).toContain('From revision 1 to 11');
    expect(answer).toContain('`sandbox.enabled` was switched *on*');
    expect(answer).toContain('`mcpPolicy.allowlist`: added `sentry`');
  });

  test.each([
    ['histroy', 'Did you mean /controls history?'],
    ['show 4000', 'There is no revision 4000 in the history'],
    ['show 4000', 'Did you mean /controls show 11?'],
    ['watch only modlePolicy', onlyFor('admin', '/controls watch')],
  ])('answers “%s” with a next step', async (text, sentence) => {
    expect((await ask(text)).text).toContain(sentence);
  });

  test('is for managers, and its watches are for admins', async () => {
    expect((await ask('', 'mia')).text).toContain(onlyFor('manager', '/controls'));
    expect((await ask('watch', 'morgan')).text).toContain(onlyFor('admin', '/controls watch'));
    expect((await ask('unwatch', 'morgan')).text).toContain(onlyFor('admin', '/controls unwatch'));
  });
});

describe('a watch', () => {
  test('of some members reports only their changes, until it is ended', async () => {
    expect((await ask('watch only modlePolicy', 'ada')).text).toContain(
      'Did you mean /controls watch only modelPolicy?',
    );
    expect((await ask('watch only mcpPolicy,sandbox.network', 'ada')).text).toContain(
      'changes to `mcpPolicy`, `sandbox.network`',
    );
    const [introduction] = await noticesIn(scene, 1, 'general');
    expect(introduction?.text).toContain('Current revision: *11*');
    await change(scene, { cloudSessionSync: false });
    await noticesIn(scene, 2, 'agent-usage');
    await change(scene, { mcpPolicy: { enabled: false }, sessionRetentionDays: 7 }, 'morgan.manager@acme.example');
    const [, notice] = await noticesIn(scene, 2, 'general');
    expect(notice?.text).toContain('`mcpPolicy.enabled` was switched *off*');
    expect(notice?.text).toContain('1 other change that this channel doesn’t get');
    expect(notice?.text).not.toContain('sessionRetentionDays');
    expect((await ask('unwatch', 'ada')).text).toContain('Enterprise control alerts for <#C0GENERAL> are off: ');
    await change(scene, { mcpPolicy: { enabled: true } }, 'max.member@acme.example');
    await noticesIn(scene, 4, 'agent-usage');
    expect(await noticesIn(scene, 2, 'general')).toHaveLength(2);
  });

  test('in a private channel asks for an invitation at once', async () => {
    const answer = await ask('watch #board', 'ada');
    expect(answer.text).toContain('Nothing is set up yet');
    expect(answer.text).toContain('/invite');
  });

  test('posts notices whose buttons work for managers only', async () => {
    const notice = (await noticesIn(scene, 3, 'agent-usage'))[2];
    if (!notice) throw new Error('There is no notice');
    const click = async (label: string, as: string) => {
      const since = scene.slack.mark();
      await clickButton(scene.slack, as, notice, label, 'agent-usage');
      return everythingIn(await nextAnswer(scene.slack, since));
    };
    expect(await click('Details', 'morgan')).toContain('From revision 12 to 13');
    expect(await click('Settings at 13', 'morgan')).toContain('(page 1 of ');
    const turn = async (page: MessageView, to: string) => {
      const before = scene.slack.mark();
      await clickButton(scene.slack, 'morgan', page, 'Next page');
      const isPage = ({ message }: { message: MessageView }) => message.text.includes(`(page ${to})`);
      return (await scene.slack.next(['ephemeral', 'message_updated'], isPage, { since: before })).message;
    };
    const last = await turn(await turn(await ask('show 13'), '2 of 3'), '3 of 3');
    expect(everythingIn(last)).toContain('`sessionRetentionDays`: `7`');
    expect(await click('Details', 'mia')).toContain(onlyFor('manager', 'This button'));
    const since = scene.slack.mark();
    const source = { in: 'message' as const, channel: 'agent-usage', ts: notice.ts };
    const value = JSON.stringify({ revision: 13, member: 1 });
    await scene.slack.control.click({ as: 'morgan', source, actionId: 'controls_previous', value });
    expect(everythingIn(await nextAnswer(scene.slack, since))).toContain('Revision 7');
  });
});

/** Opens App Home and waits for a page with this text: a page that was begun before the last change may come first. */
async function openHomeUntil(text: string): Promise<string> {
  const since = scene.slack.mark();
  await scene.slack.control.openHome({ as: 'ada' });
  const isReady = ({ view }: { view: ViewView }) => textOfView(view).includes(text);
  const { view } = await scene.slack.next('home_published', isReady, { since });
  return textOfView(view);
}

test('App Home shows managers the latest change and the channels of each watch', async () => {
  expect(await openHomeUntil('Revision 14')).toContain('gets every change to the enterprise controls');
});

test('the changes of the latest revision are unknown, not empty, until the previous revision was read', async () => {
  const db = tablesIn(readDatabase(scene.databaseUrl));
  const newest = await db
    .selectFrom('revisions')
    .select(['revision', 'previous'])
    .orderBy('revision', 'desc')
    .executeTakeFirstOrThrow();
  await db
    .deleteFrom('revisions')
    .where('revision', '=', newest.previous ?? 0)
    .execute();
  await db.destroy();
  const page = await openHomeUntil('what it changed isn’t known yet');
  expect(page).not.toContain('no visible change');
});
