import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, formValues, messagesIn, setUpDigest, subscriptions, until } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => {
  scene = await startTestApp({ ...options, settings: { MANAGERS: 'U0MORGAN,U0MAX', ...options.settings } });
  return scene;
};
afterEach(() => scene.close());
const digest = (text: string, as = 'morgan') => typeCommand(scene.slack, as, '/digest', text, 'agent-usage');
const edit = async (id: string, choices: Parameters<typeof formValues>[0], as = 'morgan') => {
  await openByCommand(scene.slack, as, '/digest', `edit ${id}`);
  return textOfView(await submitForm(scene.slack, as, formValues(choices)));
};
const keys = () =>
  until(scene, async (db) =>
    (
      await db.selectFrom('deliveries').select(['key', 'state']).where('kind', '=', 'digest').orderBy('key').execute()
    ).map(({ key, state }) => `${key} ${state}`),
  );

describe.each(availableEngines())('/digest edit on %s', (engine) => {
  test('shows the current settings, saves the changes, and the next digest follows them', async () => {
    await start({ engine });
    const before = await setUpDigest(scene, { rhythm: 'weekly', weekday: '3', at: '10:15', zone: 'Asia/Tokyo' });
    const form = textOfView(await openByCommand(scene.slack, 'morgan', '/digest', `edit ${before.id}`));
    expect(form).toMatch(/"initial_option":\{"text":\{[^}]*"text":"Wednesday"/);
    expect(form).toContain('"initial_time":"10:15"');
    expect(form).toMatch(/"initial_option":\{"text":\{[^}]*"text":"Asia\/Tokyo"/);
    expect(form).not.toContain('Where does it go?');
    const said = textOfView(
      await submitForm(
        scene.slack,
        'morgan',
        formValues({ rhythm: 'daily', at: '12:00', zone: 'UTC', sections: ['summary', 'people'] }),
      ),
    );
    expect(said).toContain('✅ *Saved.* The next one comes');
    const [after] = await subscriptions(scene);
    expect(after).toMatchObject({ id: before.id, channel: before.channel, owner: 'U0MORGAN', state: 'active' });
    expect(after?.nextDueAt).toBe('2026-03-02T12:00:00.000Z');
    await moveClock(scene, new Date('2026-03-02T12:00:00Z'));
    await delivered(scene, `${before.id}:2026-03-02`);
    const { posts } = await messagesIn(scene, 'agent-usage');
    expect(posts.at(-1)?.text).toContain('Daily digest, Sun 1 Mar (UTC)');
  });

  test('never causes a second digest of a morning, or about the same days', async () => {
    await start({ engine });
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
    await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-02`);
    expect(await edit(id, { at: '17:00' })).toContain('*Saved.*');
    expect((await subscriptions(scene))[0]?.nextDueAt).toBe('2026-03-03T17:00:00.000Z');
    // The evening of Monday in UTC is Tuesday's morning in Auckland, and Sunday is still the last day that is over.
    expect(await edit(id, { at: '09:00', zone: 'Pacific/Auckland' })).toContain('*Saved.*');
    expect((await subscriptions(scene))[0]?.nextDueAt).toBe('2026-03-03T20:00:00.000Z');
    await moveClock(scene, new Date('2026-03-03T20:00:00Z'));
    await delivered(scene, `${id}:2026-03-04`);
    expect(await keys()).toEqual([`digest:${id}:2026-03-02 sent`, `digest:${id}:2026-03-04 sent`]);
  });

  test.each(['07:00', '08:59', '09:30', '17:00'])(
    'to %s while it is due takes nothing away, and comes once',
    async (at) => {
      await start({ engine });
      const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
      // It became due while no process was planning.
      const due = {
        nextDueAt: '2026-03-02T06:59:00.000Z',
        schedule: '{"days":[1,2,3,4,5,6,7],"at":"06:59","zone":"UTC"}',
      };
      await openByCommand(scene.slack, 'morgan', '/digest', `edit ${id}`);
      await submitForm(scene.slack, 'morgan', formValues({ at: '06:59', zone: 'UTC' }));
      await until(scene, async (db) => {
        await db.updateTable('subscriptions').set(due).where('id', '=', id).execute();
        return true;
      });
      expect(await edit(id, { at })).toContain('*Saved.*');
      await delivered(scene, `${id}:2026-03-02`);
      await moveClock(scene, new Date('2026-03-03T17:00:00Z'));
      await delivered(scene, `${id}:2026-03-03`);
      const all = await keys();
      expect(all).toEqual([`digest:${id}:2026-03-02 sent`, `digest:${id}:2026-03-03 sent`]);
      const { posts } = await messagesIn(scene, 'agent-usage');
      expect(posts.filter(({ text }) => text.includes('Sun 1 Mar'))).toHaveLength(1);
      expect(posts.filter(({ text }) => text.includes('Mon 2 Mar'))).toHaveLength(1);
    },
  );

  test('of a paused digest that is resumed later reports no days twice', async () => {
    await start({ engine });
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
    await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-02`);
    await digest(`pause ${id}`);
    expect(await edit(id, { at: '09:00', zone: 'Pacific/Auckland' })).toContain('It is paused');
    await digest(`resume ${id}`);
    await moveClock(scene, new Date('2026-03-02T20:00:00Z'));
    const skipped = await delivered(scene, `${id}:2026-03-03`, 'skipped');
    expect(skipped.reason).toContain('An earlier digest has these days');
  });

  test('shows the second of two editors who was first, and saves none of their changes', async () => {
    await start({ engine });
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
    await openByCommand(scene.slack, 'ada', '/digest', `edit ${id}`);
    await edit(id, { at: '10:00' });
    const said = textOfView(await submitForm(scene.slack, 'ada', formValues({ at: '11:00' })));
    expect(said).toContain('<@U0MORGAN> changed the digest');
    expect((await subscriptions(scene))[0]?.schedule).toContain('"at":"10:00"');
  });
});

describe('/digest edit', () => {
  test('is for the owner and admins, and not for the digest of the server settings', async () => {
    await start({ settings: { DIGEST_CHANNEL: '#agent-usage' } });
    const { id } = await setUpDigest(scene, { rhythm: 'daily' });
    const untilShown = async (as: string, text: string, fits: RegExp) =>
      expect(textOfView(await openByCommand(scene.slack, as, '/digest', `edit ${text}`, 'agent-usage', fits))).toMatch(
        fits,
      );
    await untilShown('max', id, /or an admin can change it/);
    await untilShown('ada', id, /"text":"Save"/);
    // The bot sets it up while it starts.
    await whileTimePasses(scene, scene.clock.whenTicked());
    expect((await subscriptions(scene)).map((one) => one.id)).toContain('settings');
    await untilShown('ada', 'settings', /comes from the server settings/);
    const nearId = `${id.slice(0, 3)}${id.endsWith('x') ? 'y' : 'x'}`;
    await untilShown('morgan', nearId, new RegExp(`Did you mean \`/digest edit ${id}\`\\?`));
    expect((await digest('edit')).text).toContain('Which digest?');
    expect((await digest('edt zzzz')).text).toContain('Did you mean /digest edit zzzz?');
  });

  test('is offered by a button in the list', async () => {
    await start();
    const { id } = await setUpDigest(scene, { rhythm: 'daily' });
    const list = await digest('');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', list, 'Edit', 'agent-usage');
    const { view } = await scene.slack.next('view_updated', ({ view }) => textOfView(view).includes('"Save"'), {
      since,
    });
    expect(textOfView(view)).toContain(id);
  });
});

describe('/digest preview', () => {
  test('shows the requester the digest as it would be now, names no additional people, and records nothing', async () => {
    await start();
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['summary'] });
    await delivered(scene, 'digest-introduction');
    const preview = await digest(`preview ${id}`);
    expect(preview.isEphemeral).toBe(true);
    expect(preview.text).toContain('Preview, only you see it.');
    expect(preview.text).toContain('Daily digest, Sun 1 Mar (UTC)');
    expect(everythingIn(preview)).not.toContain('@acme.example');
    expect(await keys()).toEqual([]);
    expect((await messagesIn(scene, 'agent-usage')).posts).toHaveLength(1);
    expect((await digest('preview')).text).toContain('Which digest?');
    const missed = await digest(`preview ${id.slice(0, 3)}${id.endsWith('x') ? 'y' : 'x'}`);
    expect(everythingIn(missed)).toContain(`/digest preview ${id}`);
  });

  test('of a direct-message digest is for its owner alone', async () => {
    await start();
    const { id } = await setUpDigest(scene, { where: 'me', channel: null, rhythm: 'daily' });
    expect((await digest(`preview ${id}`, 'max')).text).toContain(`There is no digest “${id}”.`);
    const list = await digest('');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', list, 'Preview', 'agent-usage');
    expect((await nextAnswer(scene.slack, since)).text).toContain('Preview, only you see it.');
  });
});

test('a second “send now” within a minute shows the outcome of the first, even if a new clock minute began', async () => {
  await start({ at: new Date('2026-03-02T07:00:50Z') });
  // Before the day is read.
  scene.platform.holdDay('2026-03-01');
  const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
  await digest(`now ${id}`);
  await delivered(scene, `${id}:now`, 'waiting');
  await moveClock(scene, new Date('2026-03-02T07:01:20Z'));
  expect((await digest(`now ${id}`)).text).toMatch(/⏳ .* is waiting for Sunday’s figures/);
  expect(await keys()).toHaveLength(1);
});
