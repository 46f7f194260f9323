import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, messagesIn, setUpDigest, subscriptions } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { eventually } from '../../support/waiting.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => {
  scene = await startTestApp({ ...options, settings: { MANAGERS: 'U0MORGAN,U0MAX', ...options.settings } });
  return scene;
};
afterEach(() => scene.close());
const digest = (text: string, as = 'morgan') => typeCommand(scene.slack, as, '/digest', text, 'agent-usage');

describe.each(availableEngines())('a digest on %s', (engine) => {
  test('is paused, resumed and removed by its owner, and a late click names the faster user', async () => {
    await start({ engine });
    const { id } = await setUpDigest(scene, { at: '09:30', rhythm: 'daily' });
    expect((await digest(`pause ${id}`)).text).toContain('You paused the daily digest');
    expect((await digest(`pause ${id}`, 'ada')).text).toBe(`The digest \`${id}\` is already paused (by <@U0MORGAN>).`);
    await moveClock(scene, new Date('2026-03-04T12:00:00Z'));
    // A digest that fell due during the pause is not sent: it resumes with its next time.
    expect((await digest(`resume ${id}`, 'ada')).text).toContain('The next one comes');
    expect((await subscriptions(scene))[0]?.nextDueAt).toBe('2026-03-05T08:30:00.000Z');
    const ask = await digest(`remove ${id}`);
    expect(ask.text).toContain('Delete this digest?');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', ask, 'Delete', 'agent-usage');
    expect((await nextAnswer(scene.slack, since)).text).toContain('You deleted the daily digest');
    expect((await digest(`remove ${id}`)).text).toContain('is already deleted (by <@U0MORGAN>)');
  });

  test('of another owner is changed by an admin, but not by another manager, who sees the owner’s name', async () => {
    await start({ engine });
    const { id } = await setUpDigest(scene, {});
    expect((await digest(`pause ${id}`, 'max')).text).toContain('Only <@U0MORGAN>, who set up the digest');
    expect((await digest(`pause ${id}`, 'ada')).text).toContain('You paused');
    expect((await digest(`pause ${id}`, 'mia')).text).toContain(onlyFor('manager', '/digest'));
  });

  test('is sent at once on request, and its schedule stays unchanged', async () => {
    await start({ engine });
    const before = await setUpDigest(scene, { rhythm: 'weekly', weekday: '5' });
    expect((await digest('now')).text).toContain(`The digest \`${before.id}\` is on its way to <#C0USAGE>.`);
    await delivered(scene, `${before.id}:now`);
    const { posts } = await messagesIn(scene, 'agent-usage');
    expect(posts.at(-1)?.text).toContain('Weekly digest, 23 Feb – 1 Mar (UTC)');
    const [after] = await subscriptions(scene);
    expect(after?.nextDueAt).toBe(before.nextDueAt);
    expect((await digest(`now ${before.id}`)).text).toMatch(
      /was sent to <#C0USAGE> .*2026-03-02 \d\d:\d\d UTC.*\. To send another, wait a minute\./,
    );
  });
});

describe('the list of digests', () => {
  test('shows where and when each comes next and how the last one ended, with working buttons', async () => {
    await start({ settings: { DIGEST_CHANNEL: '#agent-usage' } });
    const { id } = await setUpDigest(scene, {
      channel: 'C0PLATFORM',
      audience: 'S0WEB',
      sections: ['summary', 'controls'],
      rhythm: 'weekly',
      weekday: '1',
    });
    const list = await digest('');
    expect(list.text).toContain('2 digests');
    expect(list.text).toContain(`Weekly digest to <#C0PLATFORM>*  \`${id}\``);
    expect(list.text).toContain('Every Monday at 09:00 (Europe/Berlin) · covers @web-team · set up by <@U0MORGAN>');
    expect(list.text).toContain('Monday’s digest covers Mon to Sun (UTC days)');
    expect(list.text).toContain('covers the organization · from the server settings');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', list, 'Pause', 'agent-usage');
    const after = await nextAnswer(scene.slack, since);
    expect(after.text).toContain('You paused the weekly digest');
    expect(after.text).toContain('*Paused* by <@U0MORGAN>');
    expect(everythingIn(after)).toContain('"Resume"');
  });

  test('hides digests by direct message from other users', async () => {
    await start();
    const { id } = await setUpDigest(scene, { where: 'me' });
    expect((await digest('', 'max')).text).toContain('There are no digests yet');
    expect((await digest(`pause ${id}`, 'max')).text).toContain(`There is no digest “${id}”`);
    expect((await digest('')).text).toContain('to <@U0MORGAN> (direct message)');
  });

  test('asks which digest is meant if there are several', async () => {
    await start();
    const one = await setUpDigest(scene, { channel: 'C0PLATFORM' });
    await setUpDigest(scene, {});
    const which = await digest('now');
    expect(which.text).toContain('Which digest do you want now?');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', which, `Send ${one.id}`, 'agent-usage');
    expect((await nextAnswer(scene.slack, since)).text).toContain('is on its way to <#C0PLATFORM>');
    await delivered(scene, `${one.id}:now`);
  });
});

describe('a mistyped command', () => {
  test.each([
    ['pase k7m2', 'Did you mean /digest pause k7m2?'],
    ['lst', 'Did you mean /digest list?'],
    ['edit', 'Which digest?'],
    ['new digest', 'Unknown word “digest”'],
    ['qwertyuiop', 'Unknown word “qwertyuiop”'],
  ])('“%s” is answered with a line that names the fault: %s', async (text, answer) => {
    await start();
    expect((await digest(text)).text).toContain(answer);
  });

  test('with an id that is nearly right brings a button with the right one', async () => {
    await start();
    const { id } = await setUpDigest(scene, {});
    const wrong = `${id.slice(0, 3)}${id.endsWith('z') ? 'y' : 'z'}`;
    const answer = await digest(`pause ${wrong}`);
    expect(answer.text).toContain(`There is no digest “${wrong}”. Did you mean /digest pause ${id}?`);
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Run it', 'agent-usage');
    expect((await nextAnswer(scene.slack, since)).text).toContain('You paused');
  });

  test('with an unlike id brings no button', async () => {
    await start();
    await setUpDigest(scene, {});
    const answer = await digest('now zzzzzz');
    expect(answer.text).toContain('There is no digest “zzzzzz”.');
    expect(answer.text).not.toContain('Did you mean');
  });

  test('offers a command button that opens the form', async () => {
    await start();
    const answer = await digest('neww');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Run it', 'agent-usage');
    const view = await nextView(scene.slack, since);
    expect(textOfView(view)).toContain('Whose figures?');
  });
});

describe('the digest of the settings', () => {
  const planned = async () => {
    await eventually(async () => (await subscriptions(scene))[0], 'the digest of the settings');
  };

  test('is paused by admins only, stays paused after a restart, and is removed in the settings', async () => {
    await start({ settings: { DIGEST_CHANNEL: '#agent-usage' } });
    await planned();
    expect((await digest('pause settings')).text).toContain(
      onlyFor('admin', 'Changing the digest of the server settings'),
    );
    expect((await digest('remove settings', 'ada')).text).toContain('removing DIGEST_CHANNEL');
    expect((await digest('pause settings', 'ada')).text).toContain('You paused');
  });
});
