import { afterEach, describe, expect, test } from 'vitest';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered } from '../../support/digests.ts';
import {
  ask,
  askValues,
  clickCard,
  openReview,
  peopleIn,
  putsOf,
  requestOf,
  review,
  reviewValues,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

const OWN = 'Admins can’t decide their own request';
const ADA = 'ada.admin@acme.example';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({
    ...options,
    settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA', ...options.settings },
  }));
afterEach(() => scene.close());

/** Sends Ada’s approval of a request in a form that was opened for another one. */
async function forgeApproval(id: string): Promise<string> {
  const bait = await ask(scene, 'max', { amount: '1' });
  await openReview(scene, 'ada', bait);
  const modal = scene.slack.workspace.modalsOf('U0ADA').at(-1);
  if (!modal) throw new Error('No modal is open');
  modal.view = { ...modal.view, private_metadata: JSON.stringify({ id, fields: [{ at: 0, asked: 700, back: null }] }) };
  return textOfView(await submitForm(scene.slack, 'ada', reviewValues({ amounts: { 0: '700' } })));
}

async function importList(as: string, list: string): Promise<string> {
  await openByCommand(scene.slack, as, '/limits', 'import');
  await submitForm(scene.slack, as, { list: { list } });
  const sent = textOfView(await submitForm(scene.slack, as, { reason: { reason: 'New seats' } }));
  const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
  await delivered(scene, `limit-card:${id}:`);
  return id;
}

/** Every way in which a request can concern the admin who would decide it. */
const OWN_REQUESTS: [how: string, make: () => Promise<string>][] = [
  ['that they made', () => ask(scene, 'ada', { people: ['U0MIA'], amount: '700' })],
  ['that another manager made for them', () => ask(scene, 'morgan', { people: ['U0ADA'], amount: '700' })],
  ['that names them by e-mail', () => ask(scene, 'morgan', { emails: 'ADA.Admin@acme.example', amount: '700' })],
  ['of a list with them alone', () => importList('morgan', `${ADA},700`)],
];

/** Every way in which an admin can try to decide it. */
const WAYS: [way: string, tryIt: (id: string) => Promise<unknown>][] = [
  ['the card', async (id) => expect(textOfView(await openReview(scene, 'ada', id))).toContain(OWN)],
  [
    'the button of a list',
    async (id) => {
      const list = await typeCommand(scene.slack, 'ada', '/limits', '', 'agent-usage');
      const since = scene.slack.mark();
      const source = { in: 'message' as const, channel: 'agent-usage', ts: list.ts };
      const forged = { type: 'button', action_id: 'limits_review', value: id };
      await scene.slack.control.click({ as: 'ada', source, actionId: 'limits_review', forged });
      expect(textOfView(await nextView(scene.slack, since))).toContain(OWN);
    },
  ],
  ['a forged form', async (id) => expect(await forgeApproval(id)).toContain(OWN)],
  [
    '*Retry*',
    async (id) => {
      const since = scene.slack.mark();
      await clickCard(scene, 'ada', id, 'limits_retry');
      expect((await nextAnswer(scene.slack, since)).text).toContain('Admins can’t decide their own request');
    },
  ],
  [
    '*Extend*',
    async (id) => {
      const since = scene.slack.mark();
      await clickCard(scene, 'ada', id, 'limits_extend');
      await nextView(scene.slack, since);
    },
  ],
];

test.each(OWN_REQUESTS)('an admin cannot decide a request %s, whichever way they try', async (_how, make) => {
  await start();
  const id = await make();
  for (const [way, tryIt] of WAYS) {
    await tryIt(id);
    expect({ way, state: (await requestOf(scene, id)).state }).toEqual({ way, state: 'pending' });
    expect((await peopleIn(scene, id)).map((person) => person.approvedValue)).toEqual([null]);
    expect(putsOf(scene)).toBe(0);
  }
});

test('the second Slack account of an admin with the same e-mail cannot decide for them either', async () => {
  await start({ settings: { ADMINS: 'U0ADA,U0NORA,twin@acme.example' } });
  const id = await ask(scene, 'mia', { amount: '700' });
  await scene.slack.control.updatePerson({ person: 'nora', email: 'Mia.Member@acme.example' });
  expect(textOfView(await openReview(scene, 'nora', id))).toContain(OWN);
});

describe.each(availableEngines())('a request of several people on %s', (engine) => {
  test('leaves out the admin who decides it, whatever their form contains', async () => {
    await start({ engine });
    const id = await ask(scene, 'morgan', { people: ['U0ADA', 'U0MIA', 'U0MAX'], amount: '700' });
    const form = textOfView(await openReview(scene, 'ada', id));
    expect(form).not.toContain(`New limit for ${ADA}`);
    expect(form).toContain('You are left out');
    expect(form).toContain('If you approve all: *1,400* in total');
    const modal = scene.slack.workspace.modalsOf('U0ADA').at(-1);
    if (modal)
      modal.view = {
        ...modal.view,
        private_metadata: JSON.stringify({ id, fields: [0, 1, 2].map((at) => ({ at, asked: 700, back: null })) }),
      };
    await submitForm(scene.slack, 'ada', reviewValues({ amounts: { 0: '700', 1: '700', 2: '700' } })).catch(() =>
      submitForm(scene.slack, 'ada', reviewValues()),
    );
    await untilState(scene, id, 'applied');
    expect(scene.platform.limits).toEqual(
      new Map([
        ['mia.member@acme.example', 700],
        ['max.member@acme.example', 700],
      ]),
    );
    const own = (await peopleIn(scene, id)).find(({ email }) => email === ADA);
    expect(own).toMatchObject({ state: 'left_out', approvedValue: null });
  });

  test('of a list leaves out the admin who decides it', async () => {
    await start({ engine });
    const id = await importList('morgan', `${ADA},9000\nmia.member@acme.example,700`);
    await review(scene, 'ada', id, 'approve');
    await untilState(scene, id, 'applied');
    expect(scene.platform.limits).toEqual(new Map([['mia.member@acme.example', 700]]));
  });

  test('is refused if it would cover no person', async () => {
    await start({ engine });
    const id = await ask(scene, 'morgan', { people: ['U0ADA', 'U0MIA'], amount: '700' });
    await openReview(scene, 'ada', id);
    const values = reviewValues({ amounts: { 1: null } });
    const { modals } = await scene.slack.control.submit({ as: 'ada', values });
    expect(modals[0]?.errors).toEqual({ amount_1: 'This leaves no one to approve. Press Deny instead.' });
    expect((await requestOf(scene, id)).state).toBe('pending');
  });
});

describe('a request without a possible reviewer', () => {
  test.each([
    ['for the only admin', 'U0ADA', 'morgan', { people: ['U0ADA'], amount: '700' }],
    ['by one admin for the other', 'U0ADA,U0NORA', 'ada', { people: ['U0NORA'], amount: '700' }],
  ])('%s is refused before anything is stored', async (_what, admins, as, choices) => {
    await start({ settings: { ADMINS: admins } });
    await openByCommand(scene.slack, as, '/limits', 'request');
    const answer = textOfView(await submitForm(scene.slack, as, askValues(choices)));
    expect(answer).toContain('add another admin to ADMINS');
    expect((await typeCommand(scene.slack, 'ada', '/limits', '', 'agent-usage')).text).toContain(
      'Nothing is waiting for a decision',
    );
    await untilQuiet(scene);
  });
});
