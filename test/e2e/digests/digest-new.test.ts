import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, formValues, messagesIn, setUpDigest, subscriptions, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import {
  fillForm,
  showMore,
  finishSettingUp,
  inputLabelsOf,
  nextView,
  openByCommand,
  submitForm,
  textOfView,
} from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import type { ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

/** The value that each field of a form shows. */
function chosenIn({ view }: ViewView): Record<string, unknown> {
  const blocks: { block_id: string; element?: Record<string, unknown> }[] = JSON.parse(JSON.stringify(view['blocks']));
  const valueOf = (one: unknown) => (typeof one === 'object' && one !== null && 'value' in one ? one.value : one);
  return Object.fromEntries(
    blocks.flatMap(({ block_id: id, element }) => {
      const initial = Object.entries(element ?? {}).find(([key]) => key.startsWith('initial_'))?.[1];
      return initial === undefined ? [] : [[id, Array.isArray(initial) ? initial.map(valueOf) : valueOf(initial)]];
    }),
  );
}

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

describe.each(availableEngines())('/digest new on %s', (engine) => {
  test('sets up a digest in this channel, introduces it there, and announces the first one', async () => {
    const { slack } = await start({ engine });
    const form = await openByCommand(slack, 'morgan', '/digest', 'new');
    expect(form.view['title']).toMatchObject({ text: 'New digest' });
    expect(inputLabelsOf(form)).toEqual(['Channel', 'Whose figures?', 'How often?', 'At what time?']);
    const done = await submitForm(slack, 'morgan', formValues({ at: '10:30' }));
    // Monday 08:00 in Berlin: the first one comes the same day at 10:30.
    expect(textOfView(done)).toContain(`<!date^${Date.parse('2026-03-02T09:30:00Z') / 1000}^`);
    expect(textOfView(done)).toContain('<#C0USAGE>');
    const [digest] = await subscriptions(scene);
    expect(digest).toMatchObject({ owner: 'U0MORGAN', channel: 'C0USAGE', state: 'active' });
    expect(digest?.id).toMatch(/^[a-z2-9]{4}$/);
    await delivered(scene, 'digest-introduction');
    const { posts } = await messagesIn(scene, 'agent-usage');
    expect(posts.map(({ text }) => text)).toEqual([
      [
        '<@U0MORGAN> set up a daily digest here.',
        'It comes Monday to Friday at 10:30 (Europe/Berlin) and covers the organization: Usage.',
        'Monday’s digest covers Fri to Sun (UTC days).',
        'The first one comes 2026-03-02 09:30 UTC.',
        `Id \`${digest?.id}\`. The person who set it up, or an admin, can edit, pause or delete it with \`/digest\`.`,
      ].join('\n'),
    ]);
  });

  test('sets up one digest if its form is submitted twice', async () => {
    const { slack } = await start({ engine });
    await openByCommand(slack, 'morgan', '/digest', 'new');
    const since = slack.mark();
    const submit = () => slack.control.submit({ as: 'morgan', values: {} });
    await Promise.allSettled([submit(), submit()]);
    await nextView(slack, since, /Done/);
    await slack.control.redeliver({});
    await delivered(scene, 'digest-introduction');
    expect(await subscriptions(scene)).toHaveLength(1);
    expect((await messagesIn(scene, 'agent-usage')).posts).toHaveLength(1);
  });
});

describe('the form of a new digest', () => {
  test('opens at once, with the person’s own time zone first and the sections that name people marked', async () => {
    const { slack } = await start();
    const since = slack.mark();
    await slack.control.command({ as: 'morgan', channel: 'agent-usage', command: '/digest', text: 'new' });
    const { view } = await slack.next('view_opened', undefined, { since });
    expect(textOfView(view)).toContain('One moment …');
    const short = textOfView(await nextView(slack, since));
    expect(short).toContain('@web-team');
    expect(short).not.toContain('Time zone');
    const form = textOfView(await showMore(slack, 'morgan'));
    expect(form).toContain('"initial_option":{"text":{"type":"plain_text","text":"Europe/Berlin"');
    expect(form).toMatch(/“People”[^.]* shows? single people’s figures/);
    expect(form).toContain('@web-team');
  });

  test('is filled with the words after “new”, and sets up exactly that', async () => {
    const { slack } = await start();
    const form = await openByCommand(slack, 'morgan', '/digest', 'new friday 8:30 @web-team #leads usage');
    expect(chosenIn(form)).toEqual({
      where: 'channel',
      channel: 'C0LEADS',
      audience: 'S0WEB',
      sections: ['summary'],
      rhythm: 'weekly',
      weekday: '5',
      at: '08:30',
      zone: 'Europe/Berlin',
    });
  });

  test.each([
    ['wekly usge', 'Unknown word “wekly”. Did you mean /digest new weekly usage?'],
    ['weekly monthly', 'A digest has only one rhythm.'],
    ['daily friday', 'Only a weekly digest has a weekday.'],
    ['weekly @nobody', 'Unknown word “@nobody”.'],
  ])('does not open for words that it cannot hold: %s', async (words, sentence) => {
    const { slack } = await start();
    expect((await typeCommand(slack, 'morgan', '/digest', `new ${words}`)).text).toContain(sentence);
  });

  test('says what a manager without the right to see people may not choose, and keeps the rest', async () => {
    const { slack } = await start({ settings: { PEOPLE_ROLE: 'admin' } });
    const form = await openByCommand(slack, 'morgan', '/digest', 'new monthly @max people');
    expect(textOfView(form)).toContain('Figures of single people are for admins');
    expect(chosenIn(form)).toMatchObject({ rhythm: 'monthly', audience: 'organization' });
  });

  test.each([
    ['/usage', '28d @web-team', { audience: 'S0WEB', sections: ['summary'], rhythm: 'monthly' }],
    ['/usage', 'tools', { audience: 'organization', sections: ['tools'], rhythm: 'weekly' }],
    ['/usage', 'yesterday me', { where: 'me', audience: 'people', people: ['U0MORGAN'], rhythm: 'weekdays' }],
    ['/readiness', '', { audience: 'organization', sections: ['readiness'], rhythm: 'weekly' }],
    ['/controls', '', { audience: 'organization', sections: ['controls'], rhythm: 'weekdays' }],
  ])('is filled by the button below %s %s', async (command, text, expected) => {
    const { slack } = await start();
    await until(scene, (db) => sql`select 1 from revisions`.execute(db).then(({ rows: [row] }) => row));
    const answer = await typeCommand(slack, 'morgan', command, text);
    const since = slack.mark();
    await clickButton(slack, 'morgan', answer, 'Send regularly');
    expect(chosenIn(await nextView(slack, since))).toMatchObject(expected);
  });

  test('is not offered to members, who may not set one up', async () => {
    const { slack } = await start();
    expect(everythingIn(await typeCommand(slack, 'max', '/usage', 'models'))).not.toContain('Send regularly');
  });

  test('reports each fault at its field', async () => {
    const { slack } = await start();
    await openByCommand(slack, 'morgan', '/digest', 'new');
    const errors = () => slack.control.state({ as: 'morgan' }).then(({ modals }) => modals[0]?.errors);
    await fillForm(slack, 'morgan', formValues({ audience: 'people' }));
    await slack.control.submit({ as: 'morgan' });
    expect(await errors()).toEqual({
      people: 'Choose at least one person.',
    });
    expect(await subscriptions(scene)).toEqual([]);
  });

  test('for a private channel without the bot is kept, and completed after the /invite', async () => {
    const { slack } = await start();
    await openByCommand(slack, 'morgan', '/digest', 'new', 'leads');
    const again = await submitForm(
      slack,
      'morgan',
      formValues({
        rhythm: 'weekly',
        weekday: '3',
        at: '07:15',
        zone: 'Asia/Tokyo',
        audience: 'people',
        people: ['U0MIA'],
      }),
    );
    expect(textOfView(again)).toContain('Close this form and type /invite @Quartermaster in the channel.');
    expect(textOfView(again)).toContain('"initial_time":"07:15"');
    const kept = textOfView(await finishSettingUp(slack, 'morgan', 'leads'));
    expect(kept).toContain('"initial_users":["U0MIA"]');
    expect(kept).not.toContain('Nothing is set up yet');
    const done = await submitForm(slack, 'morgan');
    expect(textOfView(done)).toContain('every Wednesday at 07:15 (Asia/Tokyo)');
    expect(textOfView(done)).toContain('Wednesday’s digest covers Tue to Mon (UTC days)');
    await delivered(scene, 'digest-introduction');
    expect((await messagesIn(scene, 'leads')).posts).toHaveLength(1);
  });

  test('for a private channel asks for the /invite even if no direct message can be sent', async () => {
    const { slack } = await start();
    await openByCommand(slack, 'morgan', '/digest', 'new', 'leads');
    await slack.control.addFault({ method: 'chat.postMessage', kind: 'error', error: 'internal_error' });
    const again = textOfView(await submitForm(slack, 'morgan', formValues({ at: '07:15' })));
    expect(again).toContain('Quartermaster is not in this channel. Choose another channel');
    expect(again).toContain('"initial_time":"07:15"');
  });

  test('for oneself sends a monthly digest of a team to the direct messages', async () => {
    await start();
    const digest = await setUpDigest(scene, {
      where: 'me',
      audience: 'S0WEB',
      rhythm: 'monthly',
      monthDay: '1',
      sections: ['summary'],
    });
    expect(digest.channel).toBe('U0MORGAN');
    await delivered(scene, 'digest-introduction');
    const { posts } = await messagesIn(scene, 'dm', 'morgan');
    expect(posts[0]?.text).toContain('You set up a monthly digest for yourself.');
    expect(posts[0]?.text).toContain('covers @web-team');
  });

  test('joins a public channel that the bot is not in', async () => {
    await start();
    await setUpDigest(scene, { channel: 'C0PLATFORM' });
    await delivered(scene, 'digest-introduction');
    expect((await messagesIn(scene, 'platform')).posts).toHaveLength(1);
  });

  test('is refused to members in the window that opened', async () => {
    const { slack } = await start();
    const view = await openByCommand(slack, 'mia', '/digest', 'new');
    expect(textOfView(view)).toContain(onlyFor('manager', '/digest'));
  });

  test('that cannot be completed shows a reference that is in the log', async () => {
    const { slack, log } = await start();
    await openByCommand(slack, 'morgan', '/digest', 'new');
    await slack.control.addFault({ method: 'users.info', kind: 'error', error: 'fatal_error' });
    await moveClock(scene, new Date('2026-03-02T07:05:00Z'));
    const view = await submitForm(slack, 'morgan', formValues({ at: '10:30' }));
    const reference = /`([0-9a-f]{8})`/.exec(textOfView(view))?.[1];
    expect(log.some((line) => line['reference'] === reference)).toBe(true);
    expect(await subscriptions(scene)).toEqual([]);
  });

  test('is shown again after a fault with the typed values, and can be submitted again', async () => {
    const { slack } = await start();
    await openByCommand(slack, 'morgan', '/digest', 'new');
    await fillForm(slack, 'morgan', formValues({ where: 'me' }));
    await slack.control.addFault({ method: 'users.info', kind: 'error', error: 'fatal_error' });
    await moveClock(scene, new Date('2026-03-02T07:05:00Z'));
    // The choice of the audience fails too, and the form stays.
    await submitForm(slack, 'morgan', formValues({ at: '10:30', audience: 'S0WEB' }));
    const view = await submitForm(slack, 'morgan');
    expect(textOfView(view).match(/Slack didn’t do this/g)).toHaveLength(1);
    expect(textOfView(view)).toContain('"initial_time":"10:30"');
    await slack.control.clearFaults({});
    expect(textOfView(await submitForm(slack, 'morgan'))).toContain('Done.');
    expect(await subscriptions(scene)).toMatchObject([{ owner: 'U0MORGAN', state: 'active' }]);
    expect((await subscriptions(scene))[0]?.settings).toContain('web-team');
  });
});

test('a first digest is offered if there is none', async () => {
  const { slack } = await start();
  const answer = await typeCommand(slack, 'morgan', '/digest');
  expect(answer.text).toContain('There are no digests yet');
});
