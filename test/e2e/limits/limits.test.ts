import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, formValues, messagesIn } from '../../support/digests.ts';
import {
  ask,
  askValues,
  cardOf,
  ledger,
  openReview,
  peopleIn,
  putsOf,
  requestOf,
  review,
  reviewValues,
  directMessagesTo,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { fillForm, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ ...options, settings: { LIMITS_CHANNEL: '#agent-usage', ...options.settings } }));
afterEach(() => scene.close());
const limits = (text = '', as = 'ada') => typeCommand(scene.slack, as, '/limits', text, 'agent-usage');

describe.each(availableEngines())('a request on %s', (engine) => {
  test('is made by a member, approved by an admin and set on the platform, and everyone involved sees the platform’s answer', async () => {
    await start({ engine });
    const id = await ask(scene, 'mia', { amount: '700' });
    const card = await cardOf(scene, id);
    expect(card.text).toContain('<@U0MIA> requests a credit limit of 700');
    expect(card.text).toContain('current limit unknown → *700*');
    expect(card.text).toContain('Why: A migration');
    expect(card.text).toContain('No limit was set for them here before');
    expect(card.text).not.toContain('which period a limit covers');
    expect(putsOf(scene)).toBe(0);
    const done = await review(scene, 'ada', id, 'approve', { comment: 'Go ahead' });
    expect(textOfView(done)).toContain('confirmed by the platform');
    expect(scene.platform.limits.get('mia.member@acme.example')).toBe(700);
    await untilQuiet(scene);
    const after = await cardOf(scene, id);
    expect(after.text).toMatch(/✅ \*700 set\* .*confirmed by the platform/);
    expect(after.text).toContain('approved by <@U0ADA>');
    expect(JSON.stringify(after.blocks)).not.toContain('limits_review');
    expect(await directMessagesTo(scene, 'mia')).toHaveLength(1);
    expect((await directMessagesTo(scene, 'mia'))[0]).toMatch(
      /^✅ \*Your limit is now 700\*\.\nRequest `\w+`: approved by <@U0ADA>/,
    );
    expect(await ledger(scene)).toMatchObject([
      { email: 'mia.member@acme.example', value: 700, valueBefore: null, askedBy: 'U0MIA', approvedBy: 'U0ADA' },
    ]);
  });

  test('is lowered for one person and leaves out another, and the card shows both', async () => {
    await start({ engine });
    const id = await ask(scene, 'morgan', { people: ['U0MIA', 'U0MAX', 'U0NORA'], amount: '900' });
    await openReview(scene, 'ada', id);
    const { modals } = await scene.slack.control.submit({
      as: 'ada',
      values: reviewValues({ amounts: { 0: '901' } }),
    });
    expect(modals[0]?.errors).toEqual({ amount_0: 'At most 900, the requested amount.' });
    const done = await submitForm(scene.slack, 'ada', reviewValues({ amounts: { 0: '500', 1: null } }));
    expect(textOfView(done)).toContain('*500* (requested: 900), set');
    await untilQuiet(scene);
    const card = await cardOf(scene, id);
    expect(card.text).toContain('<@U0MAX>: left out (requested: 900)');
    expect(scene.platform.limits).toEqual(
      new Map([
        ['mia.member@acme.example', 500],
        ['nora.member@acme.example', 900],
      ]),
    );
  });

  test('is denied with a comment: nothing is sent, and the requester reads the reason', async () => {
    await start({ engine });
    const id = await ask(scene, 'mia', { amount: '700' });
    await review(scene, 'ada', id, 'deny', { comment: 'Use <!channel> the *old* budget' });
    await untilQuiet(scene);
    expect(putsOf(scene)).toBe(0);
    expect((await cardOf(scene, id)).text).toContain('*Denied by <@U0ADA>*');
    const [told] = await directMessagesTo(scene, 'mia');
    expect(told).toContain('Comment: Use &lt;!channel&gt; the ∗old∗ budget');
    expect((await requestOf(scene, id)).state).toBe('denied');
    // The requester and managers find it again, and only they.
    for (const person of ['mia', 'morgan'])
      expect((await limits('', person)).text).toContain(': “Use &lt;!channel&gt; the ∗old∗ budget”');
    expect((await limits('', 'max')).text).not.toContain('budget');
  });

  test.each(['withdraw', 'cancel'])(
    'is found by its requester alone with the word “%s”, which changes nothing',
    async (word) => {
      await start({ engine });
      const id = await ask(scene, 'mia', { amount: '700' });
      expect((await limits(word, 'ada')).text).toContain('You have no open request.');
      expect((await limits(`${word} ${id}`, 'max')).text).toContain(`You have no open request “${id}”.`);
      const own = await limits(`${word} ${id}`, 'mia');
      expect(everythingIn(own)).toContain('limits_withdraw');
      expect((await requestOf(scene, id)).state).toBe('pending');
      await clickButton(scene.slack, 'mia', own, 'Withdraw', 'agent-usage');
      await untilState(scene, id, 'withdrawn');
      expect((await limits(word, 'mia')).text).toContain('You have no open request.');
    },
  );

  test('is decided beside the budgets that hold its person: in the channel, those of the organization alone', async () => {
    await start({ engine, at: new Date('2026-03-12T08:00:00Z'), settings: { MIN_GROUP: '1' } });
    const budget = async (values: Parameters<typeof formValues>[0]) => {
      await openByCommand(scene.slack, 'ada', '/budget', 'new');
      await submitForm(scene.slack, 'ada', formValues(values));
    };
    await budget({ credits: '90m' });
    await budget({ credits: '30m', whose: 'S0WEB' });
    await budget({ credits: '40m', whose: 'S0LEADS' });
    const list = (await typeCommand(scene.slack, 'ada', '/budget')).text;
    const leftOf = (credits: string) => list.split(` of ${credits} left`)[0]?.split(' ').slice(-2).join(' ') ?? '';
    const [left, leftOfTeam] = [leftOf('90 M'), leftOf('30 M')];
    expect(list).toContain(`${leftOfTeam} of 30 M left`);
    const id = await ask(scene, 'mia', { amount: '5000000' });
    const card = (await cardOf(scene, id)).text;
    expect(card).toMatch(/[\d.]+ M of 90 M credits used/);
    expect(card).toContain(` ${left} left; `);
    expect(card).toMatch(/ if all of this request \(5 M more\) is used/);
    expect(card).not.toContain('30 M');
    const form = textOfView(await openReview(scene, 'ada', id));
    expect(form).toContain(` ${left} left; `);
    expect(form).toContain(` ${leftOfTeam} left; `);
    expect(form).not.toContain('40 M');
  });

  test('is withdrawn by its requester, and an admin who comes later is notified', async () => {
    await start({ engine });
    const id = await ask(scene, 'mia', { amount: '700' });
    await openReview(scene, 'ada', id);
    const list = await limits('', 'mia');
    const since = scene.slack.mark();
    await scene.slack.control.click({
      as: 'mia',
      source: { in: 'message', channel: 'agent-usage', ts: list.ts },
      actionId: 'limits_withdraw',
    });
    await untilState(scene, id, 'withdrawn');
    const replaced = await nextAnswer(scene.slack, since);
    expect(replaced.text).toContain('is withdrawn');
    expect(replaced.ts).toBe(list.ts);
    expect(everythingIn(replaced)).not.toContain('limits_withdraw');
    expect(replaced.text).toContain('*Withdrawn');
    const late = await submitForm(scene.slack, 'ada', reviewValues());
    expect(textOfView(late)).toContain(`<@U0MIA> already withdrew the request \`${id}\``);
    expect(putsOf(scene)).toBe(0);
    await untilQuiet(scene);
    expect((await cardOf(scene, id)).text).toContain('*Withdrawn by <@U0MIA>*');
  });

  test('goes to each admin by direct message if there is no channel, and every copy is updated together', async () => {
    await start({ engine, settings: { LIMITS_CHANNEL: '', ADMINS: 'U0ADA,U0MORGAN,U0MAX' } });
    const id = await ask(scene, 'max', { people: ['U0MIA'], amount: '700' });
    await untilQuiet(scene);
    // Max made the request, so there is nothing for Max to decide.
    await expect(cardOf(scene, id, 'dm', 'max')).rejects.toThrow('There is no card');
    await openReview(scene, 'ada', id, 'dm');
    await submitForm(scene.slack, 'ada', reviewValues());
    await untilQuiet(scene);
    for (const admin of ['ada', 'morgan'])
      expect((await cardOf(scene, id, 'dm', admin)).text).toContain('approved by <@U0ADA>');
    expect((await peopleIn(scene, id))[0]).toMatchObject({ state: 'set', setValue: 700 });
  });
});

describe('the form', () => {
  test('reports each fault at its field', async () => {
    await start();
    await openByCommand(scene.slack, 'morgan', '/limits', 'request');
    const values = askValues({
      emails: 'mia@acme.example, nobody',
      amount: '5.1234',
      until: new Date('2026-03-02T07:10:00Z'),
    });
    await fillForm(scene.slack, 'morgan', values);
    const { modals } = await scene.slack.control.submit({ as: 'morgan' });
    expect(modals[0]?.errors).toEqual({
      emails: '“nobody” is not an e-mail. Separate them by commas, spaces or new lines.',
      amount: 'Type a number from 0 up, without a sign, such as 5,000,000 or 5m, with at most two decimals.',
      until: 'Choose an end at least an hour from now.',
    });
  });

  test('requires a limit afterwards if the ledger has none, and keeps the typed values', async () => {
    await start();
    await openByCommand(scene.slack, 'mia', '/limits', 'request');
    const again = await submitForm(
      scene.slack,
      'mia',
      askValues({ amount: '700', until: new Date('2026-03-04T07:00:00Z') }),
    );
    expect(textOfView(again)).toContain('Enter the limit to return to.');
    expect(textOfView(again)).toContain('"initial_value":"A migration"');
    await submitForm(scene.slack, 'mia', { back: { back: '500' } });
    const sent = await submitForm(scene.slack, 'mia');
    expect(textOfView(sent)).toContain('*Sent.*');
  });

  test.each([
    ['month', '2026-04-01T00:00'],
    ['7d', '2026-03-09T07:00'],
    ['30d', '2026-04-01T07:00'],
  ])('offers the end “%s”, without a field for the date', async (ending, until) => {
    await start();
    const first = textOfView(await openByCommand(scene.slack, 'mia', '/limits', 'request'));
    expect(first).not.toContain('Limit afterwards');
    const chosen = { ...askValues({ amount: '700' }), ending: { ending }, back: { back: '500' } };
    const form = textOfView(await fillForm(scene.slack, 'mia', chosen));
    expect(form).toContain('Limit afterwards');
    expect(form).not.toContain('"End date"');
    await submitForm(scene.slack, 'mia');
    const sent = textOfView(await submitForm(scene.slack, 'mia'));
    const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
    expect((await requestOf(scene, id)).until?.slice(0, 16)).toBe(until);
  });

  test('shows what the requester used, and what others requested once enough of them did, without names', async () => {
    await start({ settings: { MIN_GROUP: '2' } });
    const form = async () => textOfView(await openByCommand(scene.slack, 'mia', '/limits', 'request'));
    // 1 March is a Sunday.
    expect(await form()).toMatch(/You used [\d.]+ M in January, [\d.]+ M in February and 0 in March so far\./);
    await scene.slack.control.close({ as: 'mia', all: true });
    await ask(scene, 'max', { amount: '7123456' });
    await ask(scene, 'nora', { amount: '9234567' });
    // Even rounded, a range of so few people would reveal too much.
    expect(await form()).not.toContain('requested');
    await scene.slack.control.close({ as: 'mia', all: true });
    const emails = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@acme.example`).join(' ');
    await ask(scene, 'morgan', { emails, amount: '8m' });
    const all = await form();
    expect(all).toContain('In the last 90 days, 7 other people requested a limit; most of them 5–10 M.');
    for (const exact of ['7.1', '9.2', '7,123', '9,234', 'U0MAX', 'a@acme.example']) expect(all).not.toContain(exact);
  });

  test('for others shows what each named person used, only to a requester who may see people', async () => {
    await start();
    const words = 'request @mia max.member@acme.example 5000';
    const form = textOfView(await openByCommand(scene.slack, 'morgan', '/limits', words));
    const used = (name: string) => new RegExp(`${name} used [\\d.]+ [KM] in January, [\\d.]+ [KM] in February and`);
    expect(form).toMatch(used('Mia Chen'));
    expect(form).toMatch(used('max.member@acme.example'));
    expect(form).not.toContain('You used');
    await scene.slack.control.close({ as: 'morgan', all: true });
    await openByCommand(scene.slack, 'morgan', '/limits', 'request @mia 5000');
    const chosen = textOfView(await fillForm(scene.slack, 'morgan', askValues({ people: ['U0NORA'] })));
    expect(chosen).toMatch(used('Nora Lindqvist'));
    expect(chosen).not.toContain('Mia Chen used');
    await scene.close();
    await start({ settings: { PEOPLE_ROLE: 'admin' } });
    const hidden = textOfView(await openByCommand(scene.slack, 'morgan', '/limits', words));
    expect(hidden).not.toContain('used');
  });

  test('shows unusual amounts before the request is sent', async () => {
    await start();
    const first = await ask(scene, 'mia', { amount: '700' });
    await openByCommand(scene.slack, 'morgan', '/limits', 'request');
    const look = await submitForm(
      scene.slack,
      'morgan',
      askValues({ people: ['U0MIA'], emails: 'mia.member@acme.example new.one@acme.example', amount: '800' }),
    );
    const text = textOfView(look);
    expect(text).toContain('Named twice, requested once: mia.member@acme.example');
    expect(text).toContain('Not in Slack, so they won’t be notified: new.one@acme.example');
    expect(text).toContain(`is in another open request: \`${first}\` by <@U0MIA>, for 700`);
    expect(text).toContain('mia.member@acme.example: current limit unknown → 800');
    const sent = textOfView(await submitForm(scene.slack, 'morgan'));
    expect(sent).toContain('*Sent.*');
    const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
    await delivered(scene, `limit-card:${id}:`);
    expect((await cardOf(scene, id)).text).toContain(`Also open for mia.member@acme.example: \`${first}\`, for 700`);
  });

  test('reports that nothing would change, by the ledger', async () => {
    await start();
    const id = await ask(scene, 'mia', { amount: '700' });
    await review(scene, 'ada', id, 'approve');
    await openByCommand(scene.slack, 'mia', '/limits', 'request 700');
    const again = await submitForm(scene.slack, 'mia', askValues({ amount: '700' }));
    expect(textOfView(again)).toContain('700 is the last limit set here, so nothing would change.');
  });

  test('is filled in by the words after the command, and refuses members the limits of others', async () => {
    await start();
    const form = textOfView(await openByCommand(scene.slack, 'morgan', '/limits', 'request @mia 5,000'));
    expect(form).toContain('"initial_users":["U0MIA"]');
    expect(form).toContain('"initial_value":"5000"');
    const refused = await openByCommand(scene.slack, 'mia', '/limits', 'request @max 5000');
    expect(textOfView(refused)).toContain(onlyFor('manager', 'Requesting limits for others'));
  });
});

describe('other users’ view of requests', () => {
  test('the list shows waiting requests, then the last ones with the amount that was set; members see their own', async () => {
    await start();
    const first = await ask(scene, 'mia', { amount: '700' });
    const second = await ask(scene, 'morgan', { people: ['U0MAX'], amount: '10' });
    const admins = await limits();
    expect(admins.text.indexOf(first)).toBeLessThan(admins.text.indexOf(second));
    expect(everythingIn(admins)).toContain('limits_review');
    const own = await limits('', 'mia');
    expect(own.text).toContain(first);
    expect(own.text).not.toContain(second);
    await review(scene, 'ada', first, 'approve', { amounts: { 0: '600' } });
    await untilQuiet(scene);
    expect((await limits()).text).toContain(`\`${first}\`  <@U0MIA>: ✅ *600 set* (requested 700)`);
    const [message] = await directMessagesTo(scene, 'mia');
    expect(message).toMatch(/^✅ \*Your limit is now 600\* \(you requested 700\)\./);
  });

  test('the requests of a period are listed, newest first, and members see their own', async () => {
    await start();
    const first = await ask(scene, 'mia', { amount: '700' });
    const second = await ask(scene, 'morgan', { people: ['U0MAX'], amount: '10' });
    const today = (await limits('since mar 1')).text;
    expect(today).toContain('*Requests made on 1–2 Mar 2026 (UTC)*, newest first');
    expect(today.indexOf(second)).toBeLessThan(today.indexOf(first));
    const own = (await limits('since mar 1', 'mia')).text;
    expect(own).toContain(first);
    expect(own).not.toContain(second);
    expect((await limits('list yesterday')).text).toContain('No requests were made on Sun 1 Mar 2026 (UTC).');
  });

  test('one request is shown with its whole history to the people that it concerns', async () => {
    await start();
    const id = await ask(scene, 'mia', { amount: '700' });
    await review(scene, 'ada', id, 'approve', { comment: 'Fine' });
    const shown = await limits(`show ${id}`, 'mia');
    expect(shown.text).toMatch(/<@U0MIA>: asked[\s\S]*<@U0ADA>: approved[\s\S]*sending[\s\S]*answered[\s\S]*applied/);
    expect((await limits(`show ${id}`, 'max')).text).toContain(`There is no request “${id}” that you can see.`);
    const unknown = await limits('show zzzzz');
    expect(unknown.text).toContain('There is no request “zzzzz” that you can see.');
  });

  test('the ledger of a person is for managers, and marks unknown values', async () => {
    await start();
    expect((await limits('@max', 'morgan')).text).toContain('current limit unknown');
    const id = await ask(scene, 'mia', { amount: '700' });
    await review(scene, 'ada', id, 'approve');
    const entry = (await limits('@mia', 'morgan')).text;
    expect(entry).toContain('<@U0MIA>: 700* credits, confirmed by the platform');
    expect(entry).toContain('current limit unknown → *700*, requested by <@U0MIA>, approved by <@U0ADA>');
    expect((await limits('@mia', 'max')).text).toContain(onlyFor('manager', 'What was set for others'));
    expect((await limits('@mia', 'mia')).text).toContain('*700*');
  });

  test('the audit is a file for admins', async () => {
    await start();
    const id = await ask(scene, 'mia', { amount: '700', reason: '=cmd()' });
    expect((await limits('audit csv', 'morgan')).text).toContain(onlyFor('admin', 'The audit'));
    expect((await limits('audit csv')).text).toContain('is in your direct messages');
    expect((await limits('audit csv yesterday')).text).toContain('is in your direct messages');
    const { channels } = await scene.slack.control.state({ as: 'ada' });
    const messages = channels.flatMap((channel) => channel.messages);
    expect(JSON.stringify(messages)).toContain('Every step of every request for credit limits on ');
    const files = messages.flatMap((message) => message.files);
    const [all, yesterday] = await Promise.all(
      files.map(async ({ downloadPath }) => (await fetch(`${scene.slack.address}${downloadPath}`)).text()),
    );
    expect(all).toContain(`,${id},asked,`);
    expect(all).toContain(',1 person: =cmd()');
    expect(yesterday?.trim()).toMatch(/^Time \(UTC\),Request,What,Person,E-mail,.*,Detail$/);
  });

  test('a card that the channel refuses goes to the admins', async () => {
    await start({ settings: { LIMITS_CHANNEL: 'C0LEADS' } });
    await ask(scene, 'mia', { amount: '700' }).catch(() => undefined);
    await delivered(scene, 'limit-card:');
    const { channels } = await scene.slack.control.state({ as: 'ada' });
    const dm = channels.find(({ kind }) => kind === 'dm');
    expect(dm?.messages.at(-1)?.text).toMatch(
      /You get this as a direct message because the channel in LIMITS_CHANNEL can’t be used\. [A-Z].*\./,
    );
  });
});

test('the first limit that is set asks the admins once over which period limits count', async () => {
  await start({ settings: { ADMINS: 'U0ADA' } });
  for (const [as, amount] of [
    ['mia', '700'],
    ['max', '800'],
  ] as const)
    await review(scene, 'ada', await ask(scene, as, { amount }), 'approve', { comment: 'Go ahead' });
  await delivered(scene, 'limit-period:admins:');
  await untilQuiet(scene);
  const { posts } = await messagesIn(scene, 'dm', 'ada');
  const questions = posts.filter(({ text }) => text.includes('Over which period'));
  expect(questions).toHaveLength(1);
});
