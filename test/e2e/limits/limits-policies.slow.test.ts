import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import {
  cardOf,
  clickCard,
  directMessagesTo,
  ledger,
  putsOf,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import {
  activate,
  actingPolicy,
  declareOnlyHere,
  MIA_EMAIL,
  openPolicy,
  policyNoticesTo,
  policyIdIn,
  press,
  requestByForm,
  storePastRequests,
  writePolicy,
} from '../../support/limits/policies.ts';
import { formValues, messagesIn } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import {
  fillForm,
  inputLabelsOf,
  nextView,
  openByCommand,
  submitForm,
  textOfView,
} from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (settings: Record<string, string> = {}) =>
  (scene = await startTestApp({
    settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA', LIMIT_PERIOD: 'month', ...settings },
  }));
beforeEach(() => start());
afterEach(() => scene.close());

const list = (as = 'ada') => typeCommand(scene.slack, as, '/limits', 'policies');
const newestRequest = async () => {
  const db = readDatabase(scene.databaseUrl);
  const row = await withPolicies(db)
    .selectFrom('limitRequests')
    .selectAll()
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db.destroy();
  return row;
};

test('a policy is written, tried on the past and activated by another admin; then it grants a raise at once', async () => {
  await setLimit(scene, { email: MIA_EMAIL, value: 900_000_000, at: '2026-02-20T10:00:00.000Z' });
  const tested = await writePolicy(scene);
  expect(tested).toContain(
    'Raises the permanent limit by at most 50% up to 2,000,000,000, at most 2 times a person in 30 days',
  );
  expect(tested).toContain('too few to say what it would have done');
  expect(tested).toContain('Its dry run takes 14 days');
  const id = policyIdIn(tested);
  await untilQuiet(scene);
  expect((await policyNoticesTo(scene, 'nora')).at(-1)).toContain('waits for activation');
  const own = await press(scene, 'ada', await openPolicy(scene, 'ada', id), 'Activate');
  expect(own.text).toContain('<@U0ADA> wrote this version. Another admin has to activate it.');
  expect((await activate(scene, id)).text).toContain('Dry run until');
  await untilQuiet(scene);
  expect((await policyNoticesTo(scene, 'ada')).at(-1)).toContain('<@U0NORA> activated the policy “Small raises”');
  const table = everythingIn(await list());
  expect(table).toContain('Automatic approval');
  expect(table).toContain('Dry run');
  expect(table).toContain('0 of 20 today');
  expect((await declareOnlyHere(scene)).text).toContain('Declared: limits are set only here');
  const dry = await requestByForm(scene, 'mia', { amount: '1b' });
  const dryId = /Your request is `(\w+)`/.exec(dry)?.[1] ?? '';
  const card = await cardOf(scene, dryId);
  expect(card.text).toContain('Dry run of “Small raises” (version 1): it would have granted this.');
  expect(everythingIn(card)).toContain('Limits are set only here, as <@U0ADA> declared.');
  expect(putsOf(scene)).toBe(0);
});

describe('an active policy', () => {
  beforeEach(() => storePastRequests(scene));

  test('sets the raise at once, without a card, and names itself in the message, the list and the audit', async () => {
    await actingPolicy(scene);
    const shown = await requestByForm(scene, 'mia', { amount: '1b' });
    expect(shown).toContain('✅ *1 B set*');
    expect(shown).toContain('approved by the policy “Small raises” (version 1)');
    const { id } = await newestRequest();
    expect(scene.platform.limits.get(MIA_EMAIL)).toBe(1_000_000_000);
    await expect(cardOf(scene, id)).rejects.toThrow('There is no card');
    const dm = (await directMessagesTo(scene, 'mia')).at(-1);
    expect(dm).toContain('✅ *Your limit is now 1 B*');
    expect(dm).toContain('approved by the policy “Small raises” (version 1)');
    expect(dm).toContain('then back to 900,000,000');
    expect(everythingIn(await list())).toContain('1 of 20 today, 100 M of 5 B');
    expect((await typeCommand(scene.slack, 'ada', '/limits', `show ${id}`)).text).toContain('granted by a policy');
    expect((await ledger(scene)).at(-1)).toMatchObject({ value: 1_000_000_000, approvedBy: 'quartermaster' });
    await typeCommand(scene.slack, 'ada', '/limits', 'audit csv');
    const { channels } = await scene.slack.control.state({ as: 'ada' });
    const [file] = channels.flatMap(({ messages }) => messages).flatMap((message) => message.files);
    const csv = await (await fetch(`${scene.slack.address}${file?.downloadPath}`)).text();
    const granted = csv.split('\n').find((line) => line.includes(`${id},granted by a policy,`));
    expect(granted).toMatch(/mia.*,900000000,,1000000000,1000000000,.*Small raises \(\w+\), version 1/);
  });

  test('is in the daily line with Undo, which sets the limit from before', async () => {
    await actingPolicy(scene);
    await requestByForm(scene, 'mia', { amount: '1b' });
    const { id } = await newestRequest();
    await moveClock(scene, new Date('2026-03-02T09:00:30Z'));
    await untilQuiet(scene);
    const line = await whileTimePasses(
      scene,
      scene.slack
        .next('message', ({ message }) => message.text.includes('Policies granted 1 limit'), { since: 0 })
        .then(({ message }) => message),
    );
    expect(line.text).toContain('<@U0MIA>: 900 M → *1 B*');
    expect(line.text).toContain('by “Small raises” (version 1)');
    const since = scene.slack.mark();
    const source = { in: 'message' as const, channel: 'agent-usage', ts: line.ts };
    await scene.slack.control.click({ as: 'nora', source, actionId: 'limits_undo' });
    expect((await nextAnswer(scene.slack, since)).text).toContain('✅ *900 M set*');
    expect(scene.platform.limits.get(MIA_EMAIL)).toBe(900_000_000);
    await untilState(scene, `${id}-undo`, 'applied');
    const lines = (await messagesIn(scene, 'agent-usage')).posts.filter(({ text }) =>
      text.includes('Policies granted'),
    );
    expect(lines).toHaveLength(1);
  });

  test('only prepares the approval without the declaration: one click approves it', async () => {
    await setLimit(scene, { email: MIA_EMAIL, value: 900_000_000, at: '2026-02-20T10:00:00.000Z' });
    await activate(scene, policyIdIn(await writePolicy(scene)));
    const shown = await requestByForm(scene, 'mia', { amount: '1b' });
    const id = /Your request is `(\w+)`/.exec(shown)?.[1] ?? '';
    const card = await cardOf(scene, id);
    expect(card.text).toContain(
      'The policy “Small raises” (version 1) would grant this until the period of limits ends. It only prepares it',
    );
    expect(putsOf(scene)).toBe(0);
    await clickCard(scene, 'nora', id, 'limits_approve');
    await untilState(scene, id, 'applied');
    expect(scene.platform.limits.get(MIA_EMAIL)).toBe(1_000_000_000);
  });

  test('leaves a larger raise to a person, and the card says why', async () => {
    await actingPolicy(scene);
    const shown = await requestByForm(scene, 'mia', { amount: '1.9b' });
    const id = /Your request is `(\w+)`/.exec(shown)?.[1] ?? '';
    expect((await cardOf(scene, id)).text).toContain(
      'The policy “Small raises” (version 1) leaves this to a person: it raises the limit by more than the policy allows.',
    );
    expect(putsOf(scene)).toBe(0);
  });

  test('is stopped with all others by one command, and every admin gets one message', async () => {
    const id = await actingPolicy(scene);
    const stopped = await typeCommand(scene.slack, 'nora', '/limits', 'policies stop');
    expect(stopped.text).toContain('1 policy stopped');
    await untilQuiet(scene);
    for (const as of ['ada', 'nora'])
      expect((await policyNoticesTo(scene, as)).filter((text) => text.includes('paused by <@U0NORA>'))).toHaveLength(1);
    await requestByForm(scene, 'mia', { amount: '1b' });
    expect(putsOf(scene)).toBe(0);
    const resumed = await press(scene, 'ada', await openPolicy(scene, 'ada', id), 'Resume');
    expect(resumed.text).toContain('Resumed');
  });
});

test('policies are for admins only', async () => {
  for (const as of ['mia', 'morgan'])
    for (const words of ['policies', 'policies stop'])
      expect((await typeCommand(scene.slack, as, '/limits', words)).text).toContain(
        onlyFor('admin', 'Limit policies', 'are'),
      );
});

test('the form has the six fields that need an answer; the usual values of the others are stated and kept', async () => {
  const form = await openByCommand(scene.slack, 'ada', '/limits', 'policies new');
  expect(inputLabelsOf(form)).toEqual([
    'Name',
    'What does it do?',
    'For which people?',
    'Raise by at most (%)',
    'Highest limit',
    'All policies together: most credits a period',
  ]);
  expect(textOfView(form)).toContain(
    'Unless you change it: at most 2 grants a person in 30 days, 20 grants of all policies in 24 hours, and a dry run of 7 days.',
  );
  const schedule = await fillForm(scene.slack, 'ada', formValues({ kind: 'schedule' }));
  expect(inputLabelsOf(schedule)).toContain('On which days?');
  expect(inputLabelsOf(schedule)).not.toContain('Most grants a person');
  await fillForm(scene.slack, 'ada', formValues({ kind: 'default' }));
  const values = { kind: 'automatic', name: 'Short', cap: '2b', creditsAPeriod: '5b' };
  const saved = textOfView(await submitForm(scene.slack, 'ada', formValues(values)));
  expect(saved).toContain('by at most 20% up to 2,000,000,000, at most 2 times a person in 30 days');
  const opened = await openPolicy(scene, 'ada', policyIdIn(saved));
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'ada', opened, 'Edit');
  expect(inputLabelsOf(await nextView(scene.slack, since, /Short/))).toContain('Dry run after the activation');
});

test('the form reports each fault at its field', async () => {
  await openByCommand(scene.slack, 'ada', '/limits', 'policies new');
  const choices = { name: 'x', percent: 'x', cap: 'much', days: '32', grantsADay: '0', creditsAPeriod: '1m' };
  await fillForm(scene.slack, 'ada', formValues(choices));
  const { modals } = await scene.slack.control.submit({ as: 'ada' });
  expect(modals[0]?.errors).toEqual({
    percent: 'Type a number above 0, such as 20.',
    cap: 'Type a number from 0 up, without a sign, such as 5,000,000 or 5m, with at most two decimals.',
    days: 'Type a number from 1 to 31.',
    grantsADay: 'Type a number from 1 to 1000.',
  });
});
