import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { delivered, formValues, messagesIn, setUpDigest } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { ask, askValues, openReview } from '../../support/limits/limits.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { anyRefusal, onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const DIGEST_REFUSAL = onlyFor('admin', 'This digest shows figures of single people, so it');
const MIA = 'mia.member@acme.example';

let scene: TestApp;
const start = async (settings: Record<string, string> = {}) =>
  (scene = await startTestApp({ settings: { PEOPLE_ROLE: 'admin', ...settings } }));
afterEach(() => scene.close());

const say = async (as: string, command: string, text: string) =>
  (await typeCommand(scene.slack, as, command, text, 'agent-usage')).text;

async function forge(as: string, actionId: string, value: string): Promise<string> {
  const answer = await typeCommand(scene.slack, as, '/usage', '7d', 'agent-usage');
  const since = scene.slack.mark();
  const source = { in: 'message' as const, channel: 'agent-usage', ts: answer.ts };
  await scene.slack.control.click({ as, source, actionId, forged: { type: 'button', action_id: actionId, value } });
  return everythingIn(await nextAnswer(scene.slack, since));
}

describe('figures of single people that are for admins', () => {
  test.each(['people 7d', 'people 7d csv', '7d @mia', `7d ${MIA}`, `7d ${MIA} csv`, 'people 7d more'])(
    'are refused to a manager who types /usage %s',
    async (text) => {
      await start();
      expect(await say('morgan', '/usage', text)).toMatch(anyRefusal('admin'));
    },
  );

  test('show a manager no name but their own beside the organization, and no button that leads to one', async () => {
    await start();
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', '7d more', 'agent-usage');
    const said = everythingIn(await typeCommand(scene.slack, 'morgan', '/usage', '7d', 'agent-usage'));
    for (const one of [everythingIn(answer), said]) expect(one).not.toMatch(/Mia Chen|mia\.member|Share with names/);
    expect(said).not.toContain('"People"');
    expect(said).toContain('"Teams"');
  });

  test('are refused to a manager’s forged click as to a typed command', async () => {
    await start();
    for (const actionId of ['usage_show_more', 'usage_show_rest', 'usage_csv', 'usage_share_with_names']) {
      expect(await forge('morgan', actionId, 'people 7d')).toMatch(anyRefusal('admin'));
      expect(await forge('morgan', actionId, `summary 7d ${MIA}`)).toMatch(anyRefusal('admin'));
    }
  });

  test('are shown to an admin for each person', async () => {
    await start();
    expect(await say('ada', '/usage', '7d @mia')).toContain('Usage of Mia Chen');
    expect(await say('ada', '/usage', 'people 7d')).toContain('Mia Chen');
  });

  test('are shown to a manager for themselves', async () => {
    await start();
    expect(await say('morgan', '/usage', '7d me')).toContain('Usage of Morgan Reyes');
  });

  test('are not offered in a manager’s digest, and sections chosen before are left out', async () => {
    await start();
    const form = textOfView(await openByCommand(scene.slack, 'morgan', '/digest', 'new'));
    expect(form).not.toMatch(/People whom I choose|"value":"people"/);
    const { id } = await setUpDigest(scene, { sections: ['summary', 'people'] }, 'ada');
    expect(await say('morgan', '/digest', `preview ${id}`)).toContain(DIGEST_REFUSAL);
    expect(await say('morgan', '/digest', `now ${id}`)).toContain(DIGEST_REFUSAL);
    expect(await say('ada', '/digest', `preview ${id}`)).toContain('Top people');
  });

  test('lose the names in a digest when the owner of the digest is no longer an admin', async () => {
    await start();
    const named = await setUpDigest(scene, { sections: ['summary', 'people'] }, 'ada');
    const chosen = await setUpDigest(scene, { audience: 'people', people: ['U0MIA'] }, 'ada');
    await scene.slack.control.addPerson({ handle: 'rosa', name: 'Rosa', email: 'rosa@acme.example', isAdmin: true });
    await scene.slack.control.invite({ as: 'ada', channel: 'agent-usage', who: 'rosa' });
    expect(await say('rosa', '/digest', `preview ${named.id}`)).toContain('Top people');
    await scene.slack.control.updatePerson({ person: 'ada', isAdmin: false });
    await moveClock(scene, new Date(scene.clock.now().getTime() + 2 * 60_000));
    for (const { id } of [named, chosen]) {
      const text = await say('rosa', '/digest', `preview ${id}`);
      expect(text).toContain('The person who set up this digest may not see them');
      expect(text).not.toMatch(/Top people|Mia Chen:/);
    }
  });

  test('make a budget of people visible to admins alone', async () => {
    await start();
    const form = textOfView(await openByCommand(scene.slack, 'morgan', '/budget', 'new'));
    expect(form).not.toMatch(/People whom I choose|Name who used most/);
    await openByCommand(scene.slack, 'ada', '/budget', 'new');
    const fields = { credits: '1m', whose: 'people', people: ['U0MIA'] };
    const done = textOfView(await submitForm(scene.slack, 'ada', formValues(fields)));
    const id = /Its id is `(\w+)`/.exec(done)?.[1] ?? '';
    for (const word of ['show', 'remove'])
      expect(await say('morgan', '/budget', `${word} ${id}`)).toContain(
        onlyFor('admin', 'This budget counts single people, so it'),
      );
    expect(await say('morgan', '/budget', 'list')).toContain('There are no budgets yet');
    expect(await say('ada', '/budget', `show ${id}`)).toContain('of 1 M');
  });

  test('move the usage from a card in a channel to the review', async () => {
    await start({ LIMITS_CHANNEL: '#agent-usage' });
    const id = await ask(scene, 'mia', { amount: '900m' });
    const { posts } = await messagesIn(scene, 'agent-usage');
    const card = posts.find(({ text }) => text.includes(id));
    expect(card?.text).toContain('The review shows their usage.');
    expect(card && everythingIn(card)).not.toMatch(/used \*|credits in the last/);
    expect(textOfView(await openReview(scene, 'ada', id))).toMatch(/credits in the last/);
  });

  test('are shown to a manager neither by a simulated limit nor by a warning about one', async () => {
    await start({ LIMITS_CHANNEL: '#agent-usage' });
    expect(await say('morgan', '/limits', 'simulate @web-team 1k per week')).toContain(
      onlyFor('admin', 'Trying out a limit shows what single people used, so it'),
    );
    await openByCommand(scene.slack, 'morgan', '/limits', 'request @mia 1');
    const sent = textOfView(await submitForm(scene.slack, 'morgan', askValues({ amount: '1' })));
    expect(sent).not.toContain('used');
    await openByCommand(scene.slack, 'morgan', '/limits', 'import');
    const preview = textOfView(
      await submitForm(scene.slack, 'morgan', { list: { list: 'max.member@acme.example,1' } }),
    );
    expect(preview).toContain('Ready: 1 limit');
    expect(preview).not.toMatch(/used|limits_simulate/);
  });

  test('lose the names in a manager’s watch by direct message', async () => {
    scene = await startTestApp({ at: new Date('2026-04-14T12:00:00Z'), settings: { PEOPLE_ROLE: 'admin' } });
    expect(await say('morgan', '/usage', 'watch me @web-team')).toContain('has fewer than 5 people');
    await say('morgan', '/usage', 'watch me');
    scene.platform.reviseDay('2026-04-14', 40);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, 'usage-watch:U0MORGAN:2026-04-15');
    const { posts } = await messagesIn(scene, 'dm', 'morgan');
    const post = posts.find(({ text }) => text.includes('unusually high'));
    expect(post?.text).not.toMatch(/Mia Chen|Nora Lindqvist|@acme/);
  });
});

test('are for managers by default', async () => {
  scene = await startTestApp();
  const answer = await typeCommand(scene.slack, 'morgan', '/usage', '7d @mia', 'agent-usage');
  expect(answer.text).toContain('Usage of Mia Chen');
  await clickButton(scene.slack, 'morgan', answer, 'Details', 'agent-usage');
});
