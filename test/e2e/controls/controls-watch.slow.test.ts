import { afterEach, describe, expect, test } from 'vitest';
import { tablesIn } from '../../../src/features/controls/core/revisions.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { allOf, change, keyOfMessage, noticesIn, repliesIn, startWatching } from '../../support/controls.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, formValues, messagesIn, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { openByCommand, submitForm } from '../../support/slack/modals.ts';
import type { TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

describe.each(availableEngines())('a watch of the controls on %s', (engine) => {
  test('starts with the latest revision, announces it, and reports nothing older', async () => {
    scene = await startWatching({ engine });
    const [introduction, ...others] = await noticesIn(scene, 1);
    expect(introduction?.text).toContain('Current revision: *11*');
    expect(others).toEqual([]);
    expect(
      scene.platform.requests.filter(({ path }) => path.includes('enterprise-controls')).length,
    ).toBeLessThanOrEqual(2);
  });

  test('reports each new revision once, in order: the author, the changes, and weaker settings first', async () => {
    scene = await startWatching({ engine });
    await change(scene, { cloudSessionSync: false, sandbox: { enabled: false } });
    await change(scene, { commandDenylist: ['rm -rf /'] }, 'morgan.manager@acme.example');
    const [, first, second] = await noticesIn(scene, 3);
    expect(first?.text).toMatch(/^\*Ada Okafor changed the enterprise controls:\* 2 changes, 1 weakens security/);
    const said = everythingIn(first ?? raise());
    expect(said.indexOf('`sandbox.enabled` was switched *off*')).toBeLessThan(
      said.indexOf('`cloudSessionSync` was switched *off*'),
    );
    expect(second?.text).toContain('Morgan Reyes');
    expect(second?.text).toContain('`commandDenylist`: removed `curl * | sh`');
    expect([first, second].map((message) => keyOfMessage(message ?? raise()).slice(-2))).toEqual(['12', '13']);
  });

  test('puts long changes into the thread, in full', async () => {
    scene = await startWatching({ engine });
    await change(scene, { commandAllowlist: Array.from({ length: 40 }, (_, index) => `npm run task-${index}`) });
    await noticesIn(scene, 2);
    const replies = await repliesIn(scene, 1);
    const said = allOf(replies);
    for (let index = 0; index < 40; index += 1) expect(said).toContain(`npm run task-${index}\``);
  });

  test.each([
    ['read', 2 ** 25 + 1],
    ['redacted again', -(3 * 2 ** 24 + 1)],
  ])('hides secrets that an earlier version %s openly, and posts nothing about it', async (_how, redaction) => {
    scene = await startWatching({ engine });
    const settings = {
      ring: 'Sommer2024',
      sandbox: { enabled: true },
      apiKey: '‹secret #0123456789ab, 9–19 characters›',
      commandAllowlist: ['docker login -p Sommer2024', 'curl --token ‹secret #0123456789ab, 9–19 characters› -v'],
    };
    const old = { settings: JSON.stringify(settings), digest: 'd', redaction };
    await until(scene, async (db) => {
      await tablesIn(db).updateTable('revisions').set(old).where('revision', '=', 1).execute();
      return true;
    });
    await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
    const stored = await until(scene, async (db) => {
      const row = await tablesIn(db).selectFrom('revisions').selectAll().where('revision', '=', 1).executeTakeFirst();
      return row && row.settings !== old.settings ? row : undefined;
    });
    expect(stored.settings).not.toContain('Sommer2024');
    expect(stored.redaction).toBeLessThan(0);
    expect(JSON.parse(stored.settings)).toMatchObject({ sandbox: { enabled: true }, apiKey: settings.apiKey });
    expect(JSON.parse(stored.settings).commandAllowlist[1]).toBe(settings.commandAllowlist[1]);
    expect(await noticesIn(scene, 1)).toHaveLength(1);
  });

  test('posts nothing when a person in an allow-list is erased, and shows later changes', async () => {
    scene = await startWatching({ engine, settings: { ADMINS: 'U0ADA' } });
    const email = 'max.member@acme.example';
    await openByCommand(scene.slack, 'ada', '/quartermaster', 'erase');
    await submitForm(scene.slack, 'ada', formValues({ email }));
    await submitForm(scene.slack, 'ada', formValues({ again: email }));
    // Read before the stored revisions have the pseudonym, and again afterwards.
    await change(scene, {
      managedComputersAllowedEmails: [email, 'ada.admin@acme.example', 'mia.member@acme.example'],
    });
    await noticesIn(scene, 2);
    await until(scene, (db) =>
      db.selectFrom('erasures').select('id').where('state', '=', 'checking').executeTakeFirst(),
    );
    await change(scene, { cloudSessionSync: false }, 'morgan.manager@acme.example');
    const notices = await noticesIn(scene, 3);
    expect(notices).toHaveLength(3);
    expect(allOf(notices)).not.toMatch(/rewritten|max\.member|erased-/);
    expect(notices[1]?.text).toContain('added `mia.member@acme.example`');
    expect(notices[2]?.text).toContain('`cloudSessionSync` was switched *off*');
  });

  test('reports the revisions of one person within a minute in one message, each in its thread', async () => {
    scene = await startWatching({ engine });
    for (let ring = 1; ring <= 6; ring += 1) scene.platform.addRevision({ settings: { rolloutRing: `ring ${ring}` } });
    await change(scene, { rolloutRing: 'ring 7' });
    const notices = await noticesIn(scene, 2);
    expect(notices).toHaveLength(2);
    expect(notices[1]?.text).toContain('saved 7 revisions of the enterprise controls');
    const said = allOf(await repliesIn(scene, 1));
    for (let revision = 12; revision <= 18; revision += 1) expect(said).toContain(`*Revision ${revision}*`);
    await change(scene, { rolloutRing: 'ring 8' });
    expect(allOf(await repliesIn(scene, 2))).toContain('`rolloutRing` changed (_hidden_)');
    await delivered(scene, ':growth:');
    const [, grown] = await noticesIn(scene, 2);
    expect(grown?.text).toContain('saved 8 revisions of the enterprise controls');
    expect(grown?.text).toContain('Revisions 12–19');
  });

  test('edits the message of the first revision when a second follows within a minute', async () => {
    scene = await startWatching({ engine });
    await change(scene, { sandbox: { enabled: false } });
    const [, first] = await noticesIn(scene, 2);
    expect(first?.text).toMatch(/^\*Ada Okafor changed the enterprise controls:\*/);
    await change(scene, { sandbox: { enabled: true } });
    await delivered(scene, ':growth:');
    const notices = await noticesIn(scene, 2);
    expect(notices).toHaveLength(2);
    expect(notices[1]).toMatchObject({ ts: first?.ts, isEdited: true });
    expect(notices[1]?.text).toContain('Revisions 12–13');
    expect(allOf(await repliesIn(scene, 1))).toMatch(/\*Revision 12\*[\s\S]*\*Revision 13\*/);
  });

  test('of weaker settings only gets no other changes', async () => {
    scene = await startWatching({ engine });
    const { text } = await typeCommand(scene.slack, 'ada', '/controls', 'watch weaker');
    expect(text).toContain('only changes that weaken the enterprise controls');
    expect((await noticesIn(scene, 1, 'general'))[0]?.text).toContain('only changes that weaken');
    await change(scene, { rolloutRing: 'a' });
    await noticesIn(scene, 2);
    await change(scene, { sandbox: { enabled: false }, rolloutRing: 'b' }, 'morgan.manager@acme.example');
    const [, notice] = await noticesIn(scene, 2, 'general');
    expect(notice?.text).toContain('`sandbox.enabled` was switched *off*');
    expect(notice?.text).toContain('1 other change that this channel doesn’t get');
    expect(notice?.text).not.toContain('rolloutRing');
    expect(await noticesIn(scene, 2, 'general')).toHaveLength(2);
  });

  test('of stronger settings only gets no other changes', async () => {
    scene = await startWatching({ engine });
    const { text } = await typeCommand(scene.slack, 'ada', '/controls', 'watch stronger');
    expect(text).toContain('only changes that strengthen the enterprise controls');
    expect((await noticesIn(scene, 1, 'general'))[0]?.text).toContain('only changes that strengthen');
    await change(scene, { sandbox: { enabled: false } });
    await noticesIn(scene, 2);
    await change(scene, { sandbox: { enabled: true }, rolloutRing: 'b' }, 'morgan.manager@acme.example');
    const [, notice] = await noticesIn(scene, 2, 'general');
    expect(notice?.text).toContain('`sandbox.enabled` was switched *on*');
    expect(notice?.text).toContain('1 other change that this channel doesn’t get');
    expect(notice?.text).not.toContain('rolloutRing');
    expect((await typeCommand(scene.slack, 'ada', '/controls', 'watch #general strongr')).text).toMatch(
      /Did you mean .*stronger/,
    );
  });

  test('has notices that one person acknowledges; a second click names that person', async () => {
    scene = await startWatching({ engine });
    // A message of several grows for ten minutes, however slowly the clicks below arrive.
    scene.platform.addRevision({ settings: { sandbox: { enabled: false } } });
    await change(scene, { rolloutRing: 'sooner' });
    // Where the first one was read alone, the button acknowledges only that until the message has grown.
    const notice = await until(scene, async () => {
      const [, latest] = await noticesIn(scene, 2);
      return latest?.text.includes('Revisions 12–13') ? latest : undefined;
    });
    const click = async (as: string) => {
      const since = scene.slack.mark();
      await clickButton(scene.slack, as, notice, 'Acknowledge', 'agent-usage');
      return (await nextAnswer(scene.slack, since)).text;
    };
    expect(await click('mia')).toContain('for managers');
    // Ada still sees the button while the message is not edited yet.
    await scene.slack.control.addFault({ method: 'chat.update', kind: 'dropped', times: 1 });
    expect(await click('morgan')).toContain('✅ You acknowledged this.');
    expect(await click('ada')).toContain('<@U0MORGAN> already acknowledged this');
    await delivered(scene, ':acknowledged:');
    const [, edited = raise()] = await noticesIn(scene, 2);
    expect(edited).toMatchObject({ ts: notice.ts, isEdited: true });
    expect(edited.text).toMatch(/✅ Acknowledged by <@U0MORGAN>, .*2026-03-02/);
    expect(everythingIn(edited)).not.toContain('"Acknowledge"');
    // The next revision waits for an acknowledgement again.
    const revision = await change(scene, { rolloutRing: 'later' });
    await delivered(scene, `:growth:%${revision}`);
    const [, grown = raise()] = await noticesIn(scene, 2);
    expect(grown.text).toContain(`✅ Acknowledged up to revision ${revision - 1} by <@U0MORGAN>`);
    expect(everythingIn(grown)).toContain('"Acknowledge"');
  });

  test('of the settings is paused after three refused notices over a day, and each admin gets one direct message', async () => {
    scene = await startWatching({ engine, settings: { ADMINS: 'U0ADA,U0NORA' } });
    await scene.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
    for (const [index, ring] of ['a', 'b', 'c', 'd'].entries()) {
      // A channel that Slack refuses for a shorter time pauses nothing.
      if (ring === 'c') await moveClock(scene, new Date(scene.clock.now().getTime() + 86_400_000));
      // Of different people, so that they make no burst.
      const revision = await change(scene, { rolloutRing: ring }, `author${index}@acme.example`);
      if (ring !== 'd') await delivered(scene, `${revision}`, 'failed');
    }
    for (const admin of ['ada', 'nora']) {
      const posts = await until(scene, async () => {
        const { posts: all } = await messagesIn(scene, 'dm', admin);
        return all.length === 3 ? all : undefined;
      });
      const failed =
        '❌ A message about the enterprise controls couldn’t be posted to <#C0USAGE>. The channel is archived: unarchive it, or choose another.';
      expect(posts.map(({ text }) => text.split('\n')[0])).toEqual([
        failed,
        failed,
        '⏸️ <#C0USAGE> no longer gets every change to the enterprise controls: posting failed three times in a row, so Quartermaster paused it. The channel is archived: unarchive it, or choose another.',
      ]);
    }
    const entries = await until(scene, (db) => listAuditEntries(db, 'controls-watch:C0USAGE'));
    expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
      ['settings', 'watched'],
      ['quartermaster', 'paused'],
    ]);
  });

  test('marks the gap in the history', async () => {
    scene = await startWatching({ engine });
    scene.platform.addRevision({ settings: { rolloutRing: 'lost' } });
    scene.platform.addRevision({ settings: { rolloutRing: 'kept' }, email: 'morgan.manager@acme.example' });
    const history = scene.platform.changesOf();
    history.splice(
      history.findIndex(({ revision }) => revision === 12),
      1,
    );
    await change(scene, { rolloutRing: 'later' });
    const notices = await noticesIn(scene, 3);
    expect(allOf(notices)).toContain('The history has a gap.* It no longer shows revision 12');
  });
});

function raise(): never {
  throw new Error('A message is missing');
}
