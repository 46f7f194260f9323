import { afterEach, describe, expect, test } from 'vitest';
import { formValues, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { ask, askValues, cardOf, requestOf } from '../../support/limits/limits.ts';
import {
  actingPolicy,
  activate,
  openPolicy,
  policyIdIn,
  requestByForm,
  storePastRequests,
  writePolicy,
} from '../../support/limits/policies.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { explain } from '../../support/slack/explanations.ts';
import { fillForm, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const MIA = 'mia.member@acme.example';
const FROM_15 = { LIMIT_PERIOD: 'month from 15', ADMINS: 'U0ADA,U0NORA' };

let scene: TestApp;
afterEach(() => scene.close());

const start = async (at: string, settings: Record<string, string> = FROM_15) => {
  scene = await startTestApp({ at: new Date(at), settings });
};
const giveLimit = (value: number) => setLimit(scene, { email: MIA, value, at: '2026-02-03T10:00:00.000Z' });
const textOf = async (as: string, command: string, words = '') =>
  everythingIn(await typeCommand(scene.slack, as, command, words));

/** Chooses a month from another day in the menu below `/quartermaster`. */
async function chooseStart(value: string, as = 'ada'): Promise<string> {
  const status = await typeCommand(scene.slack, as, '/quartermaster');
  const isKnown = !everythingIn(status).includes('Over which period does a credit limit count?');
  const since = scene.slack.mark();
  if (isKnown) await clickButton(scene.slack, as, status, 'Change …');
  const { ts } = isKnown ? await nextAnswer(scene.slack, since) : status;
  const sinceChoice = scene.slack.mark();
  const source = { in: 'message' as const, channel: 'general', ts };
  await scene.slack.control.click({ as, source, actionId: await menuIn(ts, as), value });
  return (await nextAnswer(scene.slack, sinceChoice)).text;
}

/** The menu asks before a choice counts. */
async function menuIn(ts: string, as: string): Promise<string> {
  const { channels } = await scene.slack.control.state({ as });
  const message = channels.flatMap(({ messages }) => messages).find((one) => one.ts === ts);
  const text = JSON.stringify(message?.blocks);
  expect(text).toMatch(/"confirm":\{"title":[^}]*A month from that day, for everybody\?/);
  return /"static_select","action_id":"([^"]+)"/.exec(text)?.[1] ?? '';
}

describe('a limit that counts over a month from the 15th', () => {
  test('is chosen by an admin in a menu that asks first, and shown with the setting that differs', async () => {
    await start('2026-03-24T09:00:00Z', { LIMIT_PERIOD: 'month', ADMINS: 'U0ADA' });
    expect(await chooseStart('month from 15')).toContain(
      'For everybody, a credit limit counts over a month from the 15th from now on.',
    );
    expect(await textOf('ada', '/quartermaster')).toContain(
      '⚠️ <@U0ADA> chose that a credit limit counts over a month from the 15th, and that counts. `LIMIT_PERIOD` is month.',
    );
  });

  test('lasts until its own end; what is used of it is what the days from the 15th used', async () => {
    await start('2026-03-24T09:00:00Z');
    await giveLimit(900_000_000);
    const limits = await typeCommand(scene.slack, 'mia', '/limits', '', 'agent-usage');
    const line = /\*([\d.]+ [KM]) of your 900 M\* 15 Mar – 14 Apr · at this pace it lasts until 14 Apr /;
    expect(limits.text).toMatch(line);
    const used = line.exec(limits.text)?.[1] ?? '';
    expect(await textOf('mia', '/usage', '2026-03-15..2026-03-23 me')).toContain(`${used} credits`);
    const explained = await explain(scene.slack, 'mia', limits);
    expect(explained).toContain('It counts over each month from the 15th.');
    expect(explained).toContain('from 15 Mar through the last published day');
    expect(explained).toMatch(/\*Used of your limit: [\d,.]+\*[^*]*Sun 15 Mar: /);
    expect(explained).not.toContain('Sat 14 Mar: ');
    expect(explained).toContain('*Expected by 14 Apr: ');
    expect(explained).not.toContain('end of the month');
  });

  test('has its dates in the line before the first of its days is published', async () => {
    await start('2026-03-15T09:00:00Z');
    await giveLimit(900_000_000);
    expect((await typeCommand(scene.slack, 'mia', '/limits')).text).toMatch(
      /\*15 Mar – 14 Apr:\* no figures yet\. At your recent pace, your 900 M is enough/,
    );
  });

  test('counts over the turn of the year, and on the last day of its month', async () => {
    await start('2027-01-14T09:00:00Z');
    await setLimit(scene, { email: MIA, value: 900_000_000, at: '2027-01-03T10:00:00.000Z' });
    expect((await typeCommand(scene.slack, 'mia', '/limits')).text).toMatch(
      /of your 900 M\* 15 Dec 2026 – 14 Jan 2027 · at this pace it lasts until 14 Jan/,
    );
  });

  test('ends a raise on its own last day, and the form shows what its months used', async () => {
    await start('2026-03-24T09:00:00Z');
    const form = textOfView(await openByCommand(scene.slack, 'mia', '/limits', 'request'));
    expect(form).toContain('The end of this month of limits: the 14th (UTC)');
    expect(form).toMatch(
      /You used [\d.]+ M from 15 Jan to 14 Feb, [\d.]+ M from 15 Feb to 14 Mar and [\d.]+ [KM] since 15 Mar\./,
    );
    // Another day is chosen while the form is open: it shows the end that counts now.
    await chooseStart('month from 20');
    const chosen = { ...askValues({ amount: '70m' }), ending: { ending: 'month' }, back: { back: '50m' } };
    expect(textOfView(await fillForm(scene.slack, 'mia', chosen))).toContain(
      'The end of this month of limits: the 19th (UTC)',
    );
    const shown = textOfView(await submitForm(scene.slack, 'mia'));
    const sent = shown.includes('Check before you send') ? textOfView(await submitForm(scene.slack, 'mia')) : shown;
    const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
    expect((await requestOf(scene, id)).until?.slice(0, 16)).toBe('2026-04-20T00:00');
  });

  test('is tried out over its months by /limits simulate', async () => {
    await start('2026-03-24T09:00:00Z');
    const simulated = await textOf('ada', '/limits', 'simulate @web-team 5m per month');
    // The platform’s figures begin on 1 January, so that the month before has no whole one.
    expect(simulated).toContain('would have been stopped in the last 2 months');
    for (const period of ['15 Jan – 14 Feb 2026', '15 Feb – 14 Mar 2026']) expect(simulated).toContain(period);
  });

  test('is warned about over its month, and over another one as soon as the day is changed', async () => {
    await start('2026-03-24T12:00:00Z');
    await giveLimit(1_000);
    await openByCommand(scene.slack, 'mia', '/usage', 'notify');
    const saved = textOfView(await submitForm(scene.slack, 'mia', formValues({ of: 'limit', percents: '50' })));
    expect(saved).toContain('50% of 1 K credits each month from the 15th');
    const ruleOf = (startDay: number) =>
      until(scene, async (db) => {
        const { rows } = await db.executeQuery<{ period: string }>(
          db.withTables<{ budgets: { period: string } }>().selectFrom('budgets').select('period').compile(),
        );
        return rows[0]?.period === JSON.stringify({ unit: 'month', startDay }) ? true : undefined;
      });
    expect(await ruleOf(15)).toBe(true);
    await chooseStart('month from 20');
    await moveClock(scene, new Date('2026-03-25T12:00:00Z'));
    expect(await ruleOf(20)).toBe(true);
  });
});

describe('a policy on limits that count over a month from the 15th', () => {
  test('grants until the 15th; after another day is chosen, people decide until two admins agree again', async () => {
    await start('2026-03-02T09:00:00Z', { ...FROM_15, LIMITS_CHANNEL: '#agent-usage' });
    await storePastRequests(scene);
    const id = await actingPolicy(scene);
    const granted = await requestByForm(scene, 'mia', { amount: '1b' });
    expect(granted).toContain('✅ *1 B set*');
    const [raise] = await granting();
    expect(raise?.until).toBe('2026-03-15T00:00:00.000Z');
    await chooseStart('month from 20');
    expect(everythingIn(await openPolicy(scene, 'ada', id))).toContain(
      'Two admins agreed on it for limits over a month from the 15th, and they count over a month from the 20th now: people decide.',
    );
    const asked = await ask(scene, 'mia', { amount: '1.1b' });
    const card = await cardOf(scene, asked);
    expect(everythingIn(card)).toContain('the period of limits has changed since two admins agreed on the policy');
    await chooseStart('month from 15');
    expect(everythingIn(await openPolicy(scene, 'ada', id))).not.toContain('Two admins agreed on it for limits over');
  });

  test('is tried on its months', async () => {
    await start('2026-03-24T09:00:00Z', { ...FROM_15, LIMITS_CHANNEL: '#agent-usage' });
    await giveLimit(900_000_000);
    const tested = await writePolicy(scene);
    expect(tested).toContain('15 Dec 2025 – 14 Mar 2026');
    await activate(scene, policyIdIn(tested));
  });
});

const granting = () =>
  until(scene, async (db) => {
    const { rows } = await db.executeQuery<{ until: string | null }>(
      db
        .withTables<{ limitRequests: { until: string | null; policyId: string | null } }>()
        .selectFrom('limitRequests')
        .select('until')
        .where('policyId', 'is not', null)
        .compile(),
    );
    return rows.length > 0 ? rows : undefined;
  });
