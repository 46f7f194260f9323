import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import { delivered, formValues } from '../../support/digests.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { ask, cardOf, ledger, putsOf, untilQuiet } from '../../support/limits/limits.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { availableEngines, readDatabase } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

const MIA = 'mia.member@acme.example';

let scene: TestApp;
const start = async (settings: Record<string, string> = { LIMIT_PERIOD: 'month' }, options: TestAppOptions = {}) =>
  (scene = await startTestApp({
    ...options,
    at: new Date('2026-03-24T09:00:00Z'),
    settings: { LIMITS_CHANNEL: '#agent-usage', ...settings },
  }));
beforeEach(() => start());
afterEach(() => scene.close());

const declare = async (values: Record<string, string>, as = 'ada') => {
  await openByCommand(scene.slack, as, '/limits', 'declare');
  return textOfView(await submitForm(scene.slack, as, formValues(values)));
};
const lineOf = async (as: string) => (await typeCommand(scene.slack, as, '/limits')).text.split('\n')[0];

test('admins declare one limit for everybody and others by a list; each member sees their own, as declared', async () => {
  expect(await lineOf('mia')).toContain('Your limit isn’t known here. <@U0ADA> can declare it.');
  expect(await lineOf('ada')).toContain('Declare it with `/limits declare`.');
  const done = await declare({ forEverybody: '900m', list: `${MIA},1k` });
  expect(done).toContain(
    'Declared for everybody: 900 M. For single people: 1 person. Nothing was sent to the platform.',
  );
  expect(await lineOf('mia')).toMatch(/Over your limit: \*[\d.]+ [KM] of 1 K\* this month \(declared, not set here\)/);
  expect(await lineOf('max')).toMatch(/of your 900 M\* this month \(declared, not set here\)/);
  expect((await typeCommand(scene.slack, 'max', '/limits')).text).not.toContain('1 K');
  expect((await typeCommand(scene.slack, 'mia', '/usage', 'me')).text).toContain('Limit declared 24 Mar.');
  expect(putsOf(scene)).toBe(0);
  expect(await ledger(scene)).toEqual([]);
});

test.each(availableEngines())(
  'the form shows what is declared, and a list changes or removes single people alone, on %s',
  async (engine) => {
    await scene.close();
    await start(undefined, { engine });
    await declare({ forEverybody: '5m', list: `${MIA},1k\nmax.member@acme.example,2k` });
    const form = await openByCommand(scene.slack, 'ada', '/limits', 'declare');
    expect(textOfView(form)).toContain('Declared for 2 people.');
    expect(JSON.stringify(form)).toContain('"initial_value":"5,000,000"');
    const done = textOfView(
      await submitForm(
        scene.slack,
        'ada',
        formValues({ forEverybody: '', list: `${MIA},none\nmax.member@acme.example,3k` }),
      ),
    );
    expect(done).toContain('Declared for everybody: none. For single people: 1 person.');
    expect(await lineOf('max')).toContain('of 3 K* this month (declared, not set here)');
    expect(await lineOf('mia')).toContain('Your limit isn’t known here.');
  },
);

test('nothing is saved of a list with a fault, and the form keeps what was typed', async () => {
  await declare({ forEverybody: '5m', list: `${MIA},1k\nnot a line` });
  const problem = await declare({ forEverybody: '6m', list: `${MIA},2k\nnot a line` });
  expect(problem).toContain('Nothing was saved: line 2: no limit.');
  expect(await lineOf('mia')).toContain('Your limit isn’t known here.');
});

test('a limit that is set here counts more, and the review of a request shows the declared one as not set here', async () => {
  await declare({ forEverybody: '5m' });
  const id = await ask(scene, 'mia', { amount: '6000000' });
  expect((await cardOf(scene, id)).text).toContain('5,000,000 was declared by <@U0ADA>, not set here.');
  expect((await typeCommand(scene.slack, 'ada', '/limits', MIA)).text).toMatch(
    /5,000,000\* credits, declared by <@U0ADA> .* for everybody, not set here/,
  );
  await setLimit(scene, { email: MIA, value: 900_000_000, at: '2026-03-03T10:00:00.000Z' });
  expect(await lineOf('mia')).toMatch(/of your 900 M\* this month ·/);
});

test('personal warnings follow a declared limit, and say that it was not set here', async () => {
  await declare({ forEverybody: '1k' });
  const form = JSON.stringify(await openByCommand(scene.slack, 'mia', '/usage', 'notify'));
  expect(form).toContain('My credit limit: 1 K each month (declared, not set here)');
  await submitForm(scene.slack, 'mia', formValues({ of: 'limit', percents: '80' }));
  const db = readDatabase(scene.databaseUrl);
  const budgets = await db.withTables<{ budgets: { name: string } }>().selectFrom('budgets').select('name').execute();
  expect(budgets).toEqual([{ name: 'Your credit limit (declared, not set here)' }]);
  await db.destroy();
});

test('only admins declare limits, and the audit log has who did without any name', async () => {
  for (const as of ['mia', 'morgan']) {
    const text = textOfView(await openByCommand(scene.slack, as, '/limits', 'declare'));
    expect(text).toContain(onlyFor('admin', '/limits declare'));
  }
  await declare({ forEverybody: '5m', list: `${MIA},1k` });
  const db = readDatabase(scene.databaseUrl);
  const entries = await withLimits(db).selectFrom('audit').selectAll().where('about', '=', 'limits:declared').execute();
  await db.destroy();
  expect(entries).toMatchObject([
    {
      actor: 'U0ADA',
      action: 'declared limits',
      detail: 'For everybody: none → 5000000; 1 declared by e-mail; 0 removed',
    },
  ]);
});

test('the first declaration asks the admins over which period limits count', async () => {
  await scene.close();
  await start({});
  await declare({ forEverybody: '5m' });
  await delivered(scene, 'limit-period:admins:');
  await untilQuiet(scene);
  const { text } = await typeCommand(scene.slack, 'mia', '/limits');
  expect(text).toContain('Your limit is 5 M (declared, not set here). Per week or per month? <@U0ADA> can choose.');
  expect(everythingIn(await typeCommand(scene.slack, 'mia', '/usage'))).not.toContain('Per week or per month');
});
