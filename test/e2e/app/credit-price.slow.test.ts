import { afterEach, describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import { predict } from '../../support/prediction.ts';
import { ask as askForLimit, cardOf } from '../../support/limits/limits.ts';
import { formValues, setUpDigest } from '../../support/digests.ts';
import { clickButton, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { setRoles } from '../../support/outbox/kinds-scene.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { startReplica, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

const MONEY = /[$€]|in money/i;
const LAST_WEEK = { first: '2026-02-23', last: '2026-03-01' };

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ ...options, settings: { CREDIT_PRICE: '4.20 USD per million', ...options.settings } }));
afterEach(() => scene.close());

const type = (as: string, command: string, text = '') => typeCommand(scene.slack, as, command, text);
const textOf = async (as: string, command: string, text = '') => (await type(as, command, text)).text;

/** What Ada types into the form behind *Change the price*. */
async function changePrice(fields: { price: string; from: string }) {
  const status = await type('ada', '/quartermaster');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'ada', status, 'Change the price');
  await nextView(scene.slack, since);
  return textOfView(await submitForm(scene.slack, 'ada', formValues(fields)));
}

async function auditOfPrice() {
  const db = readDatabase(scene.databaseUrl);
  try {
    const entries = await listAuditEntries(db, 'credits:price');
    return entries.map(({ actor, action, detail }) => [actor, action, detail]);
  } finally {
    await db.destroy();
  }
}

async function fileOf(text: string): Promise<string[][]> {
  const since = scene.slack.mark();
  await type('morgan', '/usage', text);
  const { file } = await scene.slack.next('file_shared', undefined, { since });
  const response = await fetch(new URL(file.downloadPath, scene.slack.apiUrl), {
    headers: { authorization: `Bearer ${scene.slack.botToken}` },
  });
  return (await response.text())
    .trim()
    .split('\n')
    .map((line) => line.split(','));
}

describe('a price of credits', () => {
  test('is shown beside the credits of /usage, exactly', async () => {
    await start();
    const { credits } = predict(scene.platform.organization, LAST_WEEK);
    const dollars = Math.round((credits * 4.2) / 1_000_000);
    for (const view of ['', 'credits', 'models'])
      expect(await textOf('mia', '/usage', view)).toContain(`(about $${dollars})`);
    for (const view of ['people', 'teams'])
      expect(await textOf('morgan', '/usage', `${view} 7d`)).toContain(`(about $${dollars})`);
    const days = `${LAST_WEEK.first}..${LAST_WEEK.last}`;
    const compared = await textOf('mia', '/usage', `${days} vs 2026-02-16..2026-02-22`);
    expect(compared).toMatch(new RegExp(`\\(about \\$${dollars}\\), .*, about \\$\\d+\\)`));
    expect(await textOf('mia', '/usage', 'me')).toMatch(/credits \((about|less than) \$[\d.]+\)/);
    expect(await textOf('mia', '/usage', 'credits')).toMatch(/By model: .*: [\d.]+ [KM], \$\d+ \(\d+%/);
  });

  test('is shown in digests, budgets, requests and simulations', async () => {
    await start({ at: new Date('2026-03-24T09:00:00Z'), settings: { LIMITS_CHANNEL: '#agent-usage' } });
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['summary'] });
    expect(await textOf('morgan', '/digest', `preview ${id}`)).toMatch(/M credits \(about \$[\d.]+\) on Monday/);
    await openByCommand(scene.slack, 'morgan', '/budget', 'new');
    expect(textOfView(await submitForm(scene.slack, 'morgan', formValues({ credits: '100m' })))).toContain('Done.');
    const list = await textOf('morgan', '/budget');
    expect(list).toMatch(/ · about \$\d+ of \$420/);
    const [, budget = ''] = /`(\w{4})`/.exec(list) ?? [];
    expect(await textOf('morgan', '/budget', `show ${budget}`)).toMatch(/In money: about \$\d+ of \$420\./);
    const card = await cardOf(scene, await askForLimit(scene, 'mia', { amount: '5m' }));
    expect(card.text).toMatch(
      /Requested, in money: \*?about \$21\*?\. Used in the last 28 days: (about|less than) \$[\d.]+\./,
    );
    const simulation = await textOf('morgan', '/limits', 'simulate @web-team 3m per week');
    expect(simulation).toMatch(/With 3 M a week \(about \$13\), .*\.\nThey used about \$\d+ in the last 8 weeks\./);
  });

  test('is at the end of the rows of credits in files', async () => {
    await start();
    const [head, ...rows] = await fileOf('credits 7d csv');
    expect(head).toEqual(['Day', 'Of', 'Name', 'Measure', 'Value', 'price_per_million', 'currency']);
    for (const row of rows) expect(row.slice(5)).toEqual(row[3] === 'Standard Credits' ? ['4.20', 'USD'] : ['', '']);
    const [people = [], ...days] = await fileOf('people 7d csv');
    expect(people.slice(-2)).toEqual(['price_per_million', 'currency']);
    for (const row of days) expect(row).toHaveLength(people.length);
    expect(days.some((row) => row.slice(-2).join(' ') === '4.20 USD')).toBe(true);
  });

  test('that a budget has itself replaces the one of the admins', async () => {
    await start({ at: new Date('2026-03-11T12:00:00Z') });
    await openByCommand(scene.slack, 'morgan', '/budget', 'new');
    await submitForm(scene.slack, 'morgan', formValues({ credits: '100m', price: '1.50 EUR' }));
    const [, id = ''] = /`(\w{4})`/.exec(await textOf('morgan', '/budget')) ?? [];
    expect(await textOf('morgan', '/budget', `show ${id}`)).toContain(
      'of €150, at this budget’s price of €1.50 a million credits.',
    );
  });
});

describe('the price in the store', () => {
  test('comes from the setting once, and counts more than a setting that changed', async () => {
    await start();
    expect(await textOf('ada', '/quartermaster')).toContain(
      '*A million credits cost* $4.20 from 14 Jan 2026 (the first `CREDIT_PRICE`)',
    );
    expect(await textOf('morgan', '/quartermaster')).not.toContain('A million credits cost');
    const replica = await startReplica({ ...scene, environment: { ...scene.environment, CREDIT_PRICE: '5 USD' } });
    try {
      expect(await auditOfPrice()).toEqual([
        ['quartermaster', 'took the price from the settings', '$4.20 per million from 2026-01-14'],
      ]);
    } finally {
      await replica.stop();
    }
  });

  test('is changed by admins from a day on, with an entry in the audit', async () => {
    await start();
    expect(await changePrice({ price: '8.40 USD', from: '2026-02-27' })).toContain('A million credits cost $8.40 from');
    const before = predict(scene.platform.organization, { first: '2026-02-23', last: '2026-02-26' }).credits;
    const after = predict(scene.platform.organization, { first: '2026-02-27', last: '2026-03-01' }).credits;
    const dollars = Math.round((before * 4.2 + after * 8.4) / 1_000_000);
    expect(await textOf('mia', '/usage')).toContain(`(about $${dollars})`);
    for (const view of ['people', 'teams'])
      expect(await textOf('morgan', '/usage', `${view} 7d`)).toContain(`(about $${dollars})`);
    expect(await auditOfPrice()).toContainEqual([
      'U0ADA',
      'set the price of credits',
      '$8.40 per million from 2026-02-27',
    ]);
    const status = await textOf('ada', '/quartermaster');
    expect(status).toContain(
      '*A million credits cost* $8.40 from 27 Feb 2026 (<@U0ADA>)\n⚠️ That counts, although `CREDIT_PRICE` is $4.20 now.',
    );
    expect(status).not.toContain('14 Jan 2026');
    expect(await textOf('ada', '/quartermaster', 'details')).toContain(
      '•  $4.20 from 14 Jan 2026 (the first `CREDIT_PRICE`)\n•  $8.40 from 27 Feb 2026 (<@U0ADA>)',
    );
    await changePrice({ price: '9 USD', from: '2026-04-01' });
    expect(await textOf('ada', '/quartermaster')).toContain('is $4.20 now.\n•  $9.00 from 1 Apr 2026 (<@U0ADA>)');
  });

  test('in a second currency leaves out money for days in both', async () => {
    await start();
    await changePrice({ price: '4 EUR', from: '2026-02-27' });
    expect(await textOf('mia', '/usage')).not.toMatch(MONEY);
    expect(await textOf('mia', '/usage', '2026-02-27')).toMatch(/\(about €[\d.]+\)/);
  });

  test('is not changed by an admin who lost the role while the form was open', async () => {
    const prepare = (slack: TestApp['slack']) => setRoles({ slack }, { admins: ['U0MAX'] });
    await start({ settings: { ADMINS: 'U0ADA,S0OWNERS' }, prepare });
    const status = await type('max', '/quartermaster');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'max', status, 'Change the price');
    await nextView(scene.slack, since);
    setRoles(scene, { admins: [] });
    const view = await submitForm(scene.slack, 'max', formValues({ price: '1 USD', from: '2026-02-27' }));
    expect(textOfView(view)).toMatch(/for admins/);
    expect(await auditOfPrice()).toHaveLength(1);
  });

  test('is refused without a currency or with a wrong day', async () => {
    await start();
    const status = await type('ada', '/quartermaster');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', status, 'Change the price');
    await nextView(scene.slack, since);
    const { errors } = await submitForm(scene.slack, 'ada', formValues({ price: '5', from: '2026-01-13' }));
    expect(errors).toEqual({
      price: 'Type an amount and a currency, such as 4.20 USD.',
      from: 'Type a day from 2026-01-14, such as 2026-12-01.',
    });
  });
});

test('without a price, no answer mentions money', async () => {
  await start({ settings: { CREDIT_PRICE: '' } });
  for (const text of ['', 'credits', 'models', 'me', 'people', 'teams', 'january vs february'])
    expect(await textOf('morgan', '/usage', text)).not.toMatch(MONEY);
  expect(await textOf('ada', '/quartermaster')).not.toMatch(/price|million credits/);
  const [head] = await fileOf('credits 7d csv');
  expect(head).toEqual(['Day', 'Of', 'Name', 'Measure', 'Value']);
});
