import { afterEach, describe, expect, test } from 'vitest';
import { askedCards, setApprovers } from '../../support/limits/approvers.ts';
import {
  ask,
  cardOf,
  clickCard,
  denyReview,
  directMessagesTo,
  ledger,
  openReview,
  peopleIn,
  putsOf,
  requestOf,
  review,
  reviewValues,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, submitForm, textOfView } from '../../support/slack/modals.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: TestApp;
const start = async ({ settings, ...options }: TestAppOptions = {}) => {
  scene = await startTestApp({
    ...options,
    settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA,U0MAX', ...settings },
  });
  await setApprovers(scene, 'ada', { secondAbove: '1000' });
};
afterEach(() => scene.close());

const MIA = 'mia.member@acme.example';
const SAME = 'You gave the first approval';

/** A request that Ada approved at the given amount. */
async function approvedOnce(amount = '5000', most?: string): Promise<string> {
  const id = await ask(scene, 'mia', { amount });
  await review(scene, 'ada', id, 'approve', most === undefined ? {} : { amounts: { 0: most } });
  await untilState(scene, id, 'second_approval');
  await untilQuiet(scene);
  return id;
}

describe.each(availableEngines())('above the amount for two approvals, on %s', (engine) => {
  test('nothing is sent until a different admin approves, never above the first approval', async () => {
    await start({ engine });
    const id = await ask(scene, 'mia', { amount: '5000' });
    expect(textOfView(await openReview(scene, 'ada', id))).toContain(
      'Above 1,000 credits in total, a second admin has to approve too, before anything is set.',
    );
    const first = textOfView(
      await submitForm(scene.slack, 'ada', reviewValues({ amounts: { 0: '4000' }, comment: 'For May' })),
    );
    expect(first).toContain('⏳ *Approved by <@U0ADA>*, waiting for a second approval until ');
    await untilQuiet(scene);
    expect(putsOf(scene)).toBe(0);
    expect((await cardOf(scene, id)).text).toContain('Can decide at any time: Nora Lindqvist, Max Weber');
    for (const [as, count] of [
      ['ada', 0],
      ['nora', 1],
      ['max', 1],
    ] as const)
      expect(await askedCards(scene, id, as)).toHaveLength(count);

    expect(textOfView(await openReview(scene, 'ada', id))).toContain(SAME);
    await openReview(scene, 'nora', id);
    const { modals } = await scene.slack.control.submit({
      as: 'nora',
      values: reviewValues({ amounts: { 0: '4001' } }),
    });
    expect(modals[0]?.errors).toEqual({ amount_0: 'At most 4,000, the amount of the first approval.' });
    await submitForm(scene.slack, 'nora', reviewValues({ amounts: { 0: '3000' } }));
    await untilState(scene, id, 'applied');
    await untilQuiet(scene);
    expect(scene.platform.limits.get(MIA)).toBe(3_000);
    expect(putsOf(scene)).toBe(1);
    expect((await cardOf(scene, id)).text).toContain('approved by <@U0ADA> and <@U0NORA>');
    const told = await directMessagesTo(scene, 'mia');
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('approved by <@U0ADA> and <@U0NORA>');
    expect(told[0]).toContain('Comment: For May');
    expect(await ledger(scene)).toMatchObject([{ value: 3_000, approvedBy: 'U0NORA' }]);
    const history = JSON.stringify(await typeCommand(scene.slack, 'ada', '/limits', `show ${id}`));
    expect(history).toContain('<@U0ADA>: first approval. For May');
    expect(history).toContain('<@U0NORA>: approved. Second approval');
  });
});

describe('a request that was approved once', () => {
  test('is not approved by a second click of the same admin', async () => {
    await start();
    const id = await approvedOnce();
    const since = scene.slack.mark();
    await clickCard(scene, 'ada', id, 'limits_approve');
    expect((await nextAnswer(scene.slack, since)).text).toContain(SAME);
    expect(putsOf(scene)).toBe(0);
  });

  test('is not approved by an admin who saw it before the first approval', async () => {
    await start();
    const id = await ask(scene, 'mia', { amount: '5000' });
    await openReview(scene, 'nora', id);
    await review(scene, 'ada', id, 'approve', { amounts: { 0: '4000' } });
    await untilState(scene, id, 'second_approval');
    expect(textOfView(await submitForm(scene.slack, 'nora', reviewValues()))).toContain(
      '<@U0ADA> approved `' + id + '` in the meantime. It needs a second approval',
    );
    expect((await requestOf(scene, id)).state).toBe('second_approval');
    expect(textOfView(await openReview(scene, 'nora', id))).toContain('First approval: 4,000.');
    expect(textOfView(await submitForm(scene.slack, 'nora', reviewValues()))).toContain('*4 K set* (requested 5 K)');
  });

  test('ends by the denial of the second admin, who gives the reason', async () => {
    await start();
    const id = await approvedOnce('5000', '4000');
    await openReview(scene, 'nora', id);
    await denyReview(scene, 'nora', 'Too much');
    await untilState(scene, id, 'denied');
    await untilQuiet(scene);
    expect(putsOf(scene)).toBe(0);
    expect((await cardOf(scene, id)).text).toMatch(/❌ \*Denied by <@U0NORA>\* .*, after <@U0ADA> had approved it/);
    expect((await peopleIn(scene, id))[0]).toMatchObject({ state: 'asked', approvedValue: null });
    expect((await directMessagesTo(scene, 'mia')).at(-1)).toContain('Comment: Too much');
    expect(textOfView(await openReview(scene, 'max', id))).toContain('<@U0NORA> already denied the request');
  });

  test('can be denied by the first admin too', async () => {
    await start();
    const id = await approvedOnce();
    const since = scene.slack.mark();
    await clickCard(scene, 'ada', id, 'limits_deny');
    await nextView(scene.slack, since);
    await submitForm(scene.slack, 'ada', { comment: { comment: 'I was wrong' } });
    await untilState(scene, id, 'denied');
    expect(putsOf(scene)).toBe(0);
  });

  test('can be withdrawn, and expires', async () => {
    await start();
    const withdrawn = await approvedOnce();
    await clickCard(scene, 'mia', withdrawn, 'limits_withdraw');
    await untilState(scene, withdrawn, 'withdrawn');
    const expired = await approvedOnce();
    await moveClock(scene, new Date('2026-03-05T07:30:00Z'));
    await untilState(scene, expired, 'expired');
    await untilQuiet(scene);
    expect((await cardOf(scene, expired)).text).toMatch(
      /⌛ \*Expired\* .*: no second approval in time, after <@U0ADA>/,
    );
    expect(putsOf(scene)).toBe(0);
  });

  test('needs the second approval also if the rule is removed', async () => {
    await start();
    const id = await approvedOnce();
    await setApprovers(scene, 'max', {});
    expect(putsOf(scene)).toBe(0);
    await review(scene, 'nora', id, 'approve');
    await untilState(scene, id, 'applied');
  });

  test('goes through the list of approvers, without the first one', async () => {
    await start();
    await setApprovers(scene, 'max', { approvers: ['U0ADA', 'U0NORA'], secondAbove: '1000' });
    const id = await approvedOnce();
    expect(await askedCards(scene, id, 'ada')).toHaveLength(1);
    expect(await askedCards(scene, id, 'nora')).toHaveLength(1);
    expect(await askedCards(scene, id, 'max')).toHaveLength(0);
    const history = JSON.stringify(await typeCommand(scene.slack, 'ada', '/limits', `show ${id}`));
    expect(history).toContain('Ada Okafor was skipped: they gave the first approval. To Nora Lindqvist');
  });

  test('shows in the list, in App Home and as attention to the admins who can approve it', async () => {
    await start();
    const id = await approvedOnce();
    const list = async (as: string) => JSON.stringify(await typeCommand(scene.slack, as, '/limits'));
    expect(await list('nora')).toContain('waiting for a second approval until');
    expect(await list('nora')).toContain('limits_review');
    expect(await list('ada')).toContain(id);
    expect(await list('ada')).not.toContain('limits_review');
    const home = async (as: string) => {
      const since = scene.slack.mark();
      await scene.slack.control.openHome({ as });
      const isReady = ({ view }: { view: Parameters<typeof textOfView>[0] }) =>
        !textOfView(view).includes('One moment');
      return textOfView((await scene.slack.next('home_published', isReady, { since })).view);
    };
    expect(await home('nora')).toContain('*1 request for a credit limit waits for your decision.*');
    expect(await home('ada')).not.toContain('waits for your decision');
  });
});

test('at or below the amount, one approval sets the limit, also if only the approved amount is below', async () => {
  await start();
  const id = await ask(scene, 'mia', { amount: '1000' });
  await review(scene, 'ada', id, 'approve');
  await untilState(scene, id, 'applied');
  const lowered = await ask(scene, 'morgan', { people: ['U0MIA'], amount: '5000' });
  await review(scene, 'ada', lowered, 'approve', { amounts: { 0: '900' } });
  await untilState(scene, lowered, 'applied');
  expect(putsOf(scene)).toBe(2);
});

test('the amount counts for all people of a request together, and people who are left out stay left out', async () => {
  await start();
  const id = await ask(scene, 'morgan', { people: ['U0MIA', 'U0MAX'], amount: '600' });
  await review(scene, 'ada', id, 'approve', { amounts: { 1: null } });
  await untilState(scene, id, 'applied');
  expect(scene.platform.limits.size).toBe(1);
  const both = await ask(scene, 'morgan', { people: ['U0MIA', 'U0MAX'], amount: '1500' });
  await review(scene, 'ada', both, 'approve', { amounts: { 1: null } });
  await untilState(scene, both, 'second_approval');
  await untilQuiet(scene);
  expect(textOfView(await openReview(scene, 'nora', both))).not.toContain('amount_1');
  await submitForm(scene.slack, 'nora', reviewValues());
  await untilState(scene, both, 'applied');
  expect((await peopleIn(scene, both)).map(({ state }) => state)).toEqual(['set', 'left_out']);
});

test('two approvals cannot be required while there is one admin', async () => {
  scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA' } });
  expect(textOfView(await setApprovers(scene, 'ada', { secondAbove: '1000' }))).toContain(
    'Two approvals need two admins.',
  );
});
