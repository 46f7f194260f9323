import { afterEach, expect, test } from 'vitest';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import {
  ask,
  askValues,
  cardOf,
  clickCard,
  openReview,
  putsOf,
  requestOf,
  review,
  reviewValues,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const MIA = 'mia.member@acme.example';
const LIMITS = '/api/v0/organization/usage/limits/users';
const GET_LIMITS = { path: LIMITS, method: 'GET' };

let scene: TestApp;
afterEach(() => scene.close());

const start = async (edition: 'today' | 'contract' = 'today') => {
  scene = await startTestApp({ platform: { edition }, settings: { LIMITS_CHANNEL: '#agent-usage' } });
};
const setElsewhere = (limit: number | null) => scene.platform.changeLimitsElsewhere({ own: { [MIA]: limit } });
const passMinute = () => moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));

test('a limit that was set elsewhere is in the form, the card and the review, and is never lowered unseen', async () => {
  await start();
  setElsewhere(60_000_000);
  await passMinute();
  const form = await openByCommand(scene.slack, 'mia', '/limits', 'request 50m');
  expect(textOfView(form)).toContain('Now: 60,000,000');
  const warned = await submitForm(scene.slack, 'mia', askValues({ amount: '50m' }));
  expect(textOfView(warned)).toContain('This lowers the limit of');
  const sent = await submitForm(scene.slack, 'mia');
  const id = /Your request is `(\w+)`/.exec(textOfView(sent))?.[1] ?? '';
  await untilQuiet(scene);
  expect((await cardOf(scene, id)).text).toContain('60,000,000 → *50,000,000*');
  expect(textOfView(await openReview(scene, 'ada', id))).toContain('60,000,000');
  // While the review is open, it changes again.
  setElsewhere(70_000_000);
  const again = await submitForm(scene.slack, 'ada', reviewValues());
  expect(textOfView(again)).toContain('The limits in force have changed since you opened this.');
  expect(textOfView(again)).toContain('70,000,000');
  expect(putsOf(scene)).toBe(0);
  const done = await submitForm(scene.slack, 'ada', reviewValues());
  expect(textOfView(done)).toContain('50,000,000');
  await untilState(scene, id, 'applied');
  expect(scene.platform.limits.get(MIA)).toBe(50_000_000);
});

test('a limit is set only after the platform shows the one that was approved against, and is read back', async () => {
  await start();
  setElsewhere(5_000_000);
  await passMinute();
  const id = await ask(scene, 'mia', { amount: '8m' });
  scene.platform.faults.add({ match: GET_LIMITS, kind: 'status', status: 503 });
  await passMinute();
  await whileTimePasses(scene, review(scene, 'ada', id, 'approve'));
  // Nobody knows what would be replaced.
  expect(putsOf(scene)).toBe(0);
  expect((await requestOf(scene, id)).state).toBe('applying');
  scene.platform.faults.clear();
  await untilState(scene, id, 'applied');
  expect(scene.platform.limits.get(MIA)).toBe(8_000_000);
  const calls = scene.platform.requests.filter(({ path }) => path === LIMITS).map(({ method }) => method);
  expect(calls.slice(-3)).toEqual(['GET', 'PUT', 'GET']);
});

test('after a lost answer, the limit is sent again only if the platform still shows the one before', async () => {
  await start();
  setElsewhere(5_000_000);
  await passMinute();
  const id = await ask(scene, 'mia', { amount: '8m' });
  scene.platform.faults.add({ match: { path: LIMITS, method: 'PUT' }, kind: 'drop_before' });
  await review(scene, 'ada', id, 'approve');
  expect((await requestOf(scene, id)).state).toBe('outcome_unknown');
  scene.platform.faults.clear();
  const sent = putsOf(scene);
  setElsewhere(60_000_000);
  await untilState(scene, id, 'partly_applied');
  expect(putsOf(scene)).toBe(sent);
  expect(scene.platform.limits.get(MIA)).toBe(60_000_000);
  await untilQuiet(scene);
  expect((await cardOf(scene, id)).text).toContain('The platform now shows 60,000,000, not 5,000,000.');
  // An admin saw that, and sends it.
  await clickCard(scene, 'ada', id, 'limits_retry');
  await untilState(scene, id, 'applied');
  expect(scene.platform.limits.get(MIA)).toBe(8_000_000);
});

test('the end of a raise removes the limit of a person who had none of their own', async () => {
  await start();
  const until = new Date('2026-03-04T12:00:00Z');
  const id = await ask(scene, 'mia', { amount: '30m', until });
  expect((await cardOf(scene, id)).text).toContain('20,000,000 (for everybody) → *30,000,000*');
  await review(scene, 'ada', id, 'approve');
  expect(scene.platform.limits.get(MIA)).toBe(30_000_000);
  await moveClock(scene, new Date(until.getTime() + 60_000));
  await untilState(scene, `${id}-back`, 'applied');
  expect(scene.platform.limits.has(MIA)).toBe(false);
  expect(everythingIn(await typeCommand(scene.slack, 'mia', '/limits', 'me'))).toContain('20,000,000 (for everybody)');
});

test('the end of a raise leaves a limit that was set elsewhere to a person', async () => {
  await start();
  const until = new Date('2026-03-04T12:00:00Z');
  const id = await ask(scene, 'mia', { amount: '30m', until });
  await review(scene, 'ada', id, 'approve');
  setElsewhere(40_000_000);
  await moveClock(scene, new Date(until.getTime() + 60_000));
  await untilState(scene, `${id}-back`, 'partly_applied');
  expect(scene.platform.limits.get(MIA)).toBe(40_000_000);
});

test('a limit that was just set is reviewed like one that was read', async () => {
  await start();
  const first = await ask(scene, 'mia', { amount: '30m' });
  await review(scene, 'ada', first, 'approve');
  const second = await ask(scene, 'mia', { amount: '31m' });
  expect((await cardOf(scene, second)).text).toContain('30,000,000 → *31,000,000*');
  await review(scene, 'ada', second, 'approve');
  expect(scene.platform.limits.get(MIA)).toBe(31_000_000);
});

test('an undo removes a first limit', async () => {
  await start();
  const id = await ask(scene, 'mia', { amount: '30m' });
  await review(scene, 'ada', id, 'approve');
  await untilQuiet(scene);
  await clickCard(scene, 'ada', id, 'limits_undo');
  await untilState(scene, `${id}-undo`, 'applied');
  expect(scene.platform.limits.has(MIA)).toBe(false);
});

test('a limit below the minimum of the platform, or with decimals, reaches no admin', async () => {
  await start();
  await openByCommand(scene.slack, 'mia', '/limits', 'request');
  const low = await submitForm(scene.slack, 'mia', askValues({ amount: '50,000' }));
  expect(textOfView(low)).toContain('The platform takes limits from 1,000,000 up.');
  const decimal = await submitForm(scene.slack, 'mia', askValues({ amount: '5,000,000.5' }));
  expect(textOfView(decimal)).toContain('The platform takes whole numbers only.');
});

test('a platform of the contract is never asked again within a day, and null is never sent', async () => {
  await start('contract');
  const until = new Date('2026-03-02T20:00:00Z');
  const id = await ask(scene, 'mia', { amount: '30', until, back: '10' });
  await review(scene, 'ada', id, 'approve');
  await moveClock(scene, new Date(until.getTime() + 60_000));
  await untilState(scene, `${id}-back`, 'applied');
  expect(scene.platform.limits.get(MIA)).toBe(10);
  expect(scene.platform.requests.filter(({ path, method }) => path === LIMITS && method === 'GET')).toHaveLength(1);
});

test('limits that were changed elsewhere are announced once, without an author, and own changes are not', async () => {
  await start();
  const id = await ask(scene, 'mia', { amount: '30m' });
  await review(scene, 'ada', id, 'approve');
  await untilQuiet(scene);
  const announced = async () => {
    const { channels } = await scene.slack.control.state({ as: 'ada' });
    const messages = channels.find(({ name }) => name === 'agent-usage')?.messages ?? [];
    return messages.map(({ text }) => text).filter((text) => text.includes('outside of Quartermaster'));
  };
  expect(await announced()).toEqual([]);
  scene.platform.changeLimitsElsewhere({ everybody: 25_000_000, own: { [MIA]: 45_000_000 } });
  for (let view = 0; view < 3; view += 1) {
    await passMinute();
    await typeCommand(scene.slack, 'ada', '/limits', MIA);
    await untilQuiet(scene);
  }
  const [text = '', ...others] = await announced();
  expect(others).toEqual([]);
  expect(text).toContain('2 limits were changed outside of Quartermaster');
  expect(text).toContain('Everybody without a limit of their own: 20,000,000 → *25,000,000*');
  expect(text).toContain('<@U0MIA>: 30,000,000 → *45,000,000*');
  expect(text).toContain('The platform doesn’t show who changed them.');
});
