import { afterEach, describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/sandbox/platform/model/random.ts';
import { startAttack } from '../../support/group-attack.ts';
import { formValues, messagesIn, setUpDigest, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { fillForm, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

/** A Tuesday: the weeks before it are settled. */
const AT = new Date('2026-03-24T12:00:00Z');

let scene: TestApp;
afterEach(() => scene.close());

describe('a manager who changes user groups between questions, if people are for admins alone,', () => {
  // The thousand tries of the long run are in small-groups-attack.nightly.test.ts.
  test('learns no person’s figure by any combination of all answers', async () => {
    scene = await startTestApp({ at: AT, settings: { PEOPLE_ROLE: 'admin' } });
    const attack = await startAttack(scene, createRandom(1));
    for (let tries = 0; tries < 20; tries += 1) await attack.tryOnce();
    expect(attack.findVictims()).toEqual([]);
    expect(attack.counts().shown).toBeGreaterThan(2);
    expect(attack.counts().refused).toBeGreaterThan(3);
  });
});

const ask = async (as: string, text: string) =>
  (await typeCommand(scene.slack, as, '/usage', text, 'agent-usage')).text;

describe('the figures of a group', () => {
  const open = async (settings: Record<string, string> = {}) => {
    scene = await startTestApp({ at: AT, settings: { PEOPLE_ROLE: 'admin', ...settings } });
    const emails = scene.platform.organization.people.flatMap(({ email }) => email ?? []);
    for (const email of emails) {
      const handle = email.split('@')[0] ?? email;
      if (!scene.slack.workspace.findPerson(email))
        await scene.slack.control.addPerson({ handle, name: handle, email });
    }
    await scene.slack.control.setUserGroup({ handle: 'nine', members: emails.slice(0, 9) });
    await scene.slack.control.setUserGroup({ handle: 'ten', members: emails.slice(0, 10) });
    await scene.slack.control.setUserGroup({ handle: 'three', members: emails.slice(0, 3) });
  };

  test('are shown to a manager as credits alone, and again for the same days', async () => {
    await open();
    for (const _ of [1, 2]) {
      const text = await ask('morgan', 'last week @nine');
      expect(text).toMatch(/Usage of @nine, 16–22 Mar\n[\d.]+ M credits, \d+% more than on 9–15 Mar \([\d.]+ M\)/);
      expect(text).toContain('For a team, only credits are shown.');
      expect(text).not.toMatch(/Sessions|Commits/);
    }
  });

  test('are refused, with the reason, if the group is small or differs from an earlier one by few people', async () => {
    await open();
    expect(await ask('morgan', 'last week @three')).toContain('fewer than 5 people in it, or outside it, were active');
    expect(await ask('morgan', 'last week @nine')).toContain('Usage of @nine');
    expect(await ask('morgan', 'last week @ten')).toContain(
      'next to figures already shown, they would reveal the use of fewer than',
    );
    expect(await ask('morgan', '2026-02-16..2026-02-22 @ten')).toContain('Usage of @ten');
  });

  test('are complete for an admin, and such views do not count for other users', async () => {
    await open();
    expect(await ask('ada', 'last week @ten')).toMatch(/Sessions/);
    expect(await ask('ada', 'last week @three')).toContain('Usage of @three');
    expect(await ask('morgan', 'last week @nine')).toContain('Usage of @nine');
  });

  test('are complete for a manager who may see each person', async () => {
    await open({ PEOPLE_ROLE: 'manager' });
    for (const group of ['three', 'nine', 'ten'])
      expect(await ask('morgan', `last week @${group}`)).toContain('Sessions');
  });

  test('are hidden from channels if the group is small, even if managers may see each person', async () => {
    await open({ PEOPLE_ROLE: 'manager' });
    const rhythm = { rhythm: 'weekly', weekday: '2', at: '09:00', zone: 'UTC' };
    const toChannel = await setUpDigest(scene, { ...rhythm, audience: 'S0WEB', sections: ['summary', 'controls'] });
    const toManager = await setUpDigest(scene, { ...rhythm, audience: 'S0WEB', where: 'me', channel: null });
    const preview = async (id: string) =>
      (await typeCommand(scene.slack, 'morgan', '/digest', `preview ${id}`, 'agent-usage')).text;
    expect(await preview(toChannel.id)).toContain('Figures of @web-team stay private for these days');
    expect(await preview(toChannel.id)).not.toMatch(/credits for @web-team/);
    expect(await preview(toManager.id)).toContain('credits for @web-team');
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', 'last week @web-team', 'agent-usage');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share', 'agent-usage');
    expect((await nextAnswer(scene.slack, since)).text).toContain('fewer than 5 people in it');
  });

  test('are posted to a channel for a small group if MIN_GROUP allows it', async () => {
    await open({ PEOPLE_ROLE: 'manager', MIN_GROUP: '1' });
    expect(await ask('morgan', 'watch #agent-usage @web-team')).toContain('now gets a message');
  });

  const groupId = (handle: string) =>
    [...scene.slack.workspace.userGroups.values()].find((group) => group.handle === handle)?.id ?? '';
  const SMALL =
    '2 of @web-team were active in the last 28 days. Totals for fewer than 5 people aren’t posted to channels. Include names, or send it to yourself.';
  const setUp = async (handle: string, fields: Record<string, string | string[] | null> = {}) => {
    await openByCommand(scene.slack, 'morgan', '/budget', 'new');
    const all = { credits: '90m', whose: groupId(handle), actual: '50', forecast: '', ...fields };
    return textOfView(await submitForm(scene.slack, 'morgan', formValues(all)));
  };
  const publish = async () => {
    scene.platform.reviseDay('2026-03-24', 100);
    await moveClock(scene, new Date('2026-03-25T07:00:00Z'));
  };

  test('are announced as hidden in the form as soon as a small team is chosen for a channel', async () => {
    await open({ PEOPLE_ROLE: 'manager' });
    await openByCommand(scene.slack, 'morgan', '/budget', 'new');
    const values = formValues({ credits: '20m', whose: groupId('web-team') });
    const view = await fillForm(scene.slack, 'morgan', values);
    expect(textOfView(view)).toContain(SMALL);
    expect(textOfView(view)).toContain('"initial_value":"20m"');
  });

  test('are refused in the form of a budget of a small group that could show nothing to its channel', async () => {
    await open({ PEOPLE_ROLE: 'manager' });
    expect(await setUp('web-team')).toContain(SMALL);
    expect(await setUp('web-team', { names: ['names'] })).toContain('Its id is');
    expect(await setUp('web-team', { where: 'me', channel: null })).toContain('Its id is');
  });

  test('lack the number of active people of a small group for a manager who may not see people', async () => {
    await open({ PEOPLE_ROLE: 'admin' });
    const refused = await setUp('web-team', { where: 'me', channel: null });
    expect(refused).toContain('Fewer than 5 of @web-team were active in the last 28 days.');
    expect(refused).not.toContain('include names');
  });

  test('appear in the budget warning of a channel if the group is large enough', async () => {
    await open({ PEOPLE_ROLE: 'manager' });
    expect(await setUp('nine')).toContain('Its id is');
    await publish();
    const texts = await until(scene, async () => {
      const { posts } = await messagesIn(scene, 'agent-usage');
      const told = posts.map(({ text }) => text).filter((text) => text.includes('budget of'));
      return told.length > 0 ? told : undefined;
    });
    expect(texts).toEqual([expect.stringMatching(/Monthly budget of @nine: \d+% used, past 50%/)]);
  });

  test('of a group that became small go to the owner of the budget, with the reason, which viewers of the budget see too', async () => {
    await open({ PEOPLE_ROLE: 'manager' });
    const id = /Its id is `(\w+)`/.exec(await setUp('nine', { credits: '40m', actual: '90' }))?.[1] ?? '';
    const shown = async (as: string) =>
      (await typeCommand(scene.slack, as, '/budget', `show ${id}`, 'agent-usage')).text;
    const three = scene.platform.organization.people.slice(0, 3).flatMap(({ email }) => email ?? []);
    await scene.slack.control.setUserGroup({ handle: 'nine', members: three });
    await moveClock(scene, new Date('2026-03-25T07:00:00Z'));
    await until(scene, async () => ((await shown('ada')).includes('members changed') ? true : undefined));
    scene.platform.reviseDay('2026-03-25', 100);
    await moveClock(scene, new Date('2026-03-26T07:00:00Z'));
    const text = await until(scene, async () => {
      const { posts } = await messagesIn(scene, 'dm', 'morgan');
      return posts.map((post) => post.text).find((said) => said.includes('Monthly budget of @nine'));
    });
    expect(text).toContain('Only you get this');
    expect(await shown('morgan')).toMatch(
      /warned only .*, not .*In the channel, it would have shown what a few people used/,
    );
    expect((await messagesIn(scene, 'agent-usage')).posts.filter((post) => post.text.includes('@nine'))).toEqual([]);
  });
});
