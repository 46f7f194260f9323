import { afterEach, expect, test } from 'vitest';
import {
  ask,
  askValues,
  cardOf,
  clickCard,
  directMessagesTo,
  openReview,
  putsOf,
  review,
  reviewValues,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { delivered } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const MIA = 'mia.member@acme.example';
const LIMITS = '/api/v0/organization/usage/limits/users';
const HINT = '“none” for no limit of their own';

let scene: TestApp;
afterEach(() => scene.close());

const start = async (edition: 'today' | 'contract' = 'today') => {
  const settings = { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'ada.admin@acme.example,max.member@acme.example' };
  scene = await startTestApp({ platform: { edition }, settings });
};
const setElsewhere = (own: number | null) => scene.platform.changeLimitsElsewhere({ own: { [MIA]: own } });
const passMinute = () => moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
const sentBodies = () =>
  scene.platform.requests.filter(({ path, method }) => path === LIMITS && method === 'PUT').map(({ body }) => body);

test('an admin requests that a person has no own limit; another sees what counts then, approves, and undoes it', async () => {
  await start();
  setElsewhere(60_000_000);
  await passMinute();
  expect(textOfView(await openByCommand(scene.slack, 'ada', '/limits', 'request'))).toContain(HINT);
  const id = await ask(scene, 'ada', { emails: MIA, amount: 'none' });
  const card = await cardOf(scene, id);
  expect(card.text).toContain('<@U0ADA> requests no own credit limit for <@U0MIA>');
  expect(card.text).toContain('60,000,000 → *no limit of their own*');
  expect(card.text).toContain('the one for everybody counts: 20,000,000.');
  expect(JSON.stringify(card.blocks)).not.toContain('Approve as requested');
  const form = textOfView(await openReview(scene, 'max', id));
  expect(form).toContain('the one for everybody counts: 20,000,000.');
  // While the review is open, what would count then changes.
  scene.platform.changeLimitsElsewhere({ everybody: 10_000_000 });
  const again = textOfView(await submitForm(scene.slack, 'max', reviewValues()));
  expect(again).toContain('The limits in force have changed since you opened this.');
  expect(again).toContain('10,000,000.');
  expect(putsOf(scene)).toBe(0);
  const { modals } = await scene.slack.control.submit({ as: 'max', values: reviewValues({ amounts: { 0: '7m' } }) });
  expect(modals[0]?.errors).toEqual({ amount_0: 'Keep “none”, or clear the field to leave this person out.' });
  const done = await submitForm(scene.slack, 'max', reviewValues({ amounts: { 0: 'none' } }));
  expect(textOfView(done)).toContain('Own limit removed');
  expect(scene.platform.limits.has(MIA)).toBe(false);
  expect(sentBodies()).toEqual([{ users: [{ email: MIA, limit: null }] }]);
  await untilQuiet(scene);
  expect((await directMessagesTo(scene, 'ada')).join('\n')).toContain('The own limit of <@U0MIA> is removed.');
  const shown = everythingIn(await typeCommand(scene.slack, 'ada', '/limits', MIA));
  expect(shown).toContain('10,000,000 (for everybody)');
  expect(shown).toContain('60,000,000 → *no limit of their own*');
  await clickCard(scene, 'ada', id, 'limits_undo');
  await untilState(scene, `${id}-undo`, 'applied');
  expect(scene.platform.limits.get(MIA)).toBe(60_000_000);
});

test('a list removes own limits beside others, and skips who has none', async () => {
  await start();
  scene.platform.changeLimitsElsewhere({ own: { [MIA]: 60_000_000, 'nora.member@acme.example': 30_000_000 } });
  await passMinute();
  expect(textOfView(await openByCommand(scene.slack, 'ada', '/limits', 'import'))).toContain('`email,none`');
  const list = `${MIA},none\nnora.member@acme.example,9m\nmorgan.manager@acme.example,None`;
  const preview = textOfView(await submitForm(scene.slack, 'ada', { list: { list } }));
  expect(preview).toContain('*Ready: 2 limits*');
  expect(preview).toContain('60,000,000 → no limit of their own');
  expect(preview).toContain('*1* the same as the platform shows, skipped: line 3');
  const sent = textOfView(await submitForm(scene.slack, 'ada', { reason: { reason: 'A new plan' } }));
  const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
  await delivered(scene, `limit-card:${id}:`);
  await review(scene, 'max', id, 'approve');
  await untilState(scene, id, 'applied');
  expect([...scene.platform.limits]).toEqual([['nora.member@acme.example', 9_000_000]]);
});

test('typed after the command, “none” fills the form as an amount does, and asks for what an admin may', async () => {
  await start();
  setElsewhere(60_000_000);
  await passMinute();
  const form = textOfView(await openByCommand(scene.slack, 'ada', '/limits', 'request @mia None'));
  expect(form).toContain('"initial_value":"none"');
  expect(form).not.toContain('can’t be set');
  const values = { reason: { reason: 'A new plan' } };
  const shown = textOfView(await submitForm(scene.slack, 'ada', values));
  const sent = shown.includes('Check before you send') ? textOfView(await submitForm(scene.slack, 'ada')) : shown;
  const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
  await delivered(scene, `limit-card:${id}:`);
  expect((await cardOf(scene, id)).text).toContain('<@U0ADA> requests no own credit limit for <@U0MIA>');
  const own = textOfView(await openByCommand(scene.slack, 'ada', '/limits', 'request none'));
  expect(own).toContain('For you: *ada.admin@acme.example*');
  expect(own).toContain('"initial_value":"none"');
});

test('typed after the command, “none” says at once why it cannot be requested', async () => {
  await start();
  await passMinute();
  for (const [as, words] of [
    ['mia', 'request none'],
    ['morgan', 'request @mia none'],
    ['morgan', `request ${MIA} none`],
  ] as const)
    expect(textOfView(await openByCommand(scene.slack, as, '/limits', words))).toContain(
      'Only admins can request “none”. Type an amount.',
    );
  const others = await openByCommand(scene.slack, 'mia', '/limits', 'request @max none');
  expect(textOfView(others)).toContain('Requesting limits for others');
  await scene.close();
  await start('contract');
  expect(textOfView(await openByCommand(scene.slack, 'ada', '/limits', 'request @mia none'))).toContain(
    'The platform doesn’t show limits here, so “none” can’t be set.',
  );
});

test('members and managers get no such choice', async () => {
  await start();
  setElsewhere(60_000_000);
  await passMinute();
  expect(textOfView(await openByCommand(scene.slack, 'mia', '/limits', 'request'))).not.toContain(HINT);
  const refused = await submitForm(scene.slack, 'mia', askValues({ amount: 'none' }));
  expect(textOfView(refused)).toContain('Only admins can request “none”. Type an amount.');
  expect(textOfView(await openByCommand(scene.slack, 'morgan', '/limits', 'import'))).not.toContain('email,none');
  const preview = await submitForm(scene.slack, 'morgan', { list: { list: `${MIA},none` } });
  expect(textOfView(preview)).toContain('line 1: only admins can request “none”. Type an amount');
});

test('a platform that shows no limits gets no such choice, and no null', async () => {
  await start('contract');
  expect(textOfView(await openByCommand(scene.slack, 'ada', '/limits', 'request'))).not.toContain(HINT);
  const refused = await submitForm(scene.slack, 'ada', askValues({ emails: MIA, amount: 'none' }));
  expect(textOfView(refused)).toContain('The platform doesn’t show limits here, so “none” can’t be set.');
  expect(textOfView(await openByCommand(scene.slack, 'ada', '/limits', 'import'))).not.toContain('email,none');
  const preview = await submitForm(scene.slack, 'ada', { list: { list: `${MIA},none` } });
  expect(textOfView(preview)).toContain('line 1: the platform doesn’t show limits here, so “none” can’t be set.');
  expect(putsOf(scene)).toBe(0);
});

test('a removal that was approved is not sent to a platform that shows no limits any more', async () => {
  await start();
  setElsewhere(60_000_000);
  await passMinute();
  const id = await ask(scene, 'ada', { emails: MIA, amount: 'none' });
  scene.platform.faults.add({ match: { path: LIMITS, method: 'GET' }, kind: 'status', status: 403 });
  await passMinute();
  await review(scene, 'max', id, 'approve');
  await untilState(scene, id, 'partly_applied');
  await untilQuiet(scene);
  expect((await cardOf(scene, id)).text).toContain('only where it does can a limit be removed');
  expect(putsOf(scene)).toBe(0);
  expect(scene.platform.limits.get(MIA)).toBe(60_000_000);
});
