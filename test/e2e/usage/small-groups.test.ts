import { afterEach, describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/sandbox/platform/model/random.ts';
import { startAttack } from '../../support/group-attack.ts';
import { formValues, messagesIn, setUpDigest, until } from '../../support/digests.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

/** A Tuesday: the weeks before it are settled. */
const AT = new Date('2026-03-24T12:00:00Z');

let scene: TestApp;
afterEach(() => scene.close());

describe('a manager who changes user groups between questions, where people are for admins alone', () => {
  // The thousand tries of the long run are in small-groups-attack.test.ts.
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
      expect(text).toMatch(
        /Usage of @nine, 16 – 22 Mar 2026\n[\d.]+ M Standard Credits, up \d+% from [\d.]+ M in 9 – 15 Mar/,
      );
      expect(text).toContain('Of a group, only credits are shown here.');
      expect(text).not.toMatch(/Sessions|Commits/);
    }
  });

  test('are refused where they are of few, or differ by few from what was shown, and say why', async () => {
    await open();
    expect(await ask('morgan', 'last week @three')).toContain(
      'fewer than 5 people in it, or outside of it, used something',
    );
    expect(await ask('morgan', 'last week @nine')).toContain('Usage of @nine');
    expect(await ask('morgan', 'last week @ten')).toContain('with others that were shown before');
    expect(await ask('morgan', '2026-02-16..2026-02-22 @ten')).toContain('Usage of @ten');
  });

  test('are all there for an admin, and count as shown to nobody else', async () => {
    await open();
    expect(await ask('ada', 'last week @ten')).toMatch(/Sessions/);
    expect(await ask('ada', 'last week @three')).toContain('Usage of @three');
    expect(await ask('morgan', 'last week @nine')).toContain('Usage of @nine');
  });

  test('are all there for a manager who may see each person', async () => {
    await open({ PEOPLE_ROLE: 'manager' });
    for (const group of ['three', 'nine', 'ten'])
      expect(await ask('morgan', `last week @${group}`)).toContain('Sessions');
  });

  test('of few are kept from channels, also where managers may see each person', async () => {
    await open({ PEOPLE_ROLE: 'manager' });
    const rhythm = { rhythm: 'weekly:2', at: '09:00', zone: 'UTC' };
    const toChannel = await setUpDigest(scene, { ...rhythm, audience: 'S0WEB' });
    const toManager = await setUpDigest(scene, { ...rhythm, audience: 'S0WEB', where: 'me', channel: null });
    const preview = async (id: string) =>
      (await typeCommand(scene.slack, 'morgan', '/digest', `preview ${id}`, 'agent-usage')).text;
    expect(await preview(toChannel.id)).toContain('Figures of @web-team aren’t shown for these days');
    expect(await preview(toChannel.id)).not.toMatch(/credits for @web-team/);
    expect(await preview(toManager.id)).toContain('credits for @web-team');
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', 'last week @web-team', 'agent-usage');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share without names', 'agent-usage');
    expect((await nextAnswer(scene.slack, since)).text).toContain('fewer than 5 people in it');
  });

  test('of few come to a channel where MIN_GROUP allows it', async () => {
    await open({ PEOPLE_ROLE: 'manager', MIN_GROUP: '1' });
    expect(await ask('morgan', 'watch #agent-usage @web-team')).toContain('now gets a message');
  });

  test('of few warn no channel of a budget; those of more do', async () => {
    await open({ PEOPLE_ROLE: 'manager' });
    const groups = [...scene.slack.workspace.userGroups.values()];
    const idOf = (handle: string) => groups.find((group) => group.handle === handle)?.id ?? '';
    for (const [handle, credits] of [
      ['web-team', '20m'],
      ['nine', '90m'],
    ] as const) {
      await openByCommand(scene.slack, 'morgan', '/budget', 'new');
      const fields = { credits, whose: idOf(handle), actual: '50', forecast: '' };
      expect(textOfView(await submitForm(scene.slack, 'morgan', formValues(fields)))).toContain('Its id is');
    }
    scene.platform.reviseDay('2026-03-24', 100);
    scene.clock.moveTo(new Date('2026-03-25T07:00:00Z'));
    // That of the few was set up first, and would come first.
    const texts = await until(scene, async () => {
      const { posts } = await messagesIn(scene, 'agent-usage');
      const told = posts.map(({ text }) => text).filter((text) => text.includes('budget of'));
      return told.some((text) => text.includes('@nine')) ? told : undefined;
    });
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(/Monthly budget of @nine: \d+% used, past 50%/);
  });
});
