import { afterEach, describe, expect, test } from 'vitest';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';
import {
  ask,
  askValues,
  cardOf,
  ledger,
  openReview,
  peopleIn,
  review,
  reviewValues,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { fillForm, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp | undefined;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ ...options, settings: { LIMITS_CHANNEL: '#agent-usage', ...options.settings } }));
afterEach(async () => {
  await scene?.close();
  scene = undefined;
});
const MIA = 'mia.member@acme.example';
const END = new Date('2026-03-05T12:00:00Z');
const AFTER = new Date('2026-03-05T12:01:00Z');

describe('the limit after a raise', () => {
  test.each([
    [
      'above the new limit',
      { amount: '5000', until: END, back: '900000' },
      'Choose less than the new limit, or clear this.',
    ],
    [
      'the new limit itself',
      { amount: '5000', until: END, back: '5000' },
      'Choose less than the new limit, or clear this.',
    ],
  ])('cannot be %s', async (_what, choices, problem) => {
    const { slack } = await start();
    await openByCommand(slack, 'mia', '/limits', 'request');
    await fillForm(slack, 'mia', askValues(choices));
    const { modals } = await slack.control.submit({ as: 'mia' });
    expect(modals[0]?.errors).toEqual({ back: problem });
  });

  test('is never above the approved limit, even if the reviewer only lowered it', async () => {
    const app = await start();
    const id = await ask(app, 'mia', { amount: '5000', until: END, back: '4000' });
    await review(app, 'ada', id, 'approve', { amounts: { 0: '100' } });
    await untilQuiet(app);
    expect((await cardOf(app, id)).text).toContain('then back to 100');
    app.clock.moveTo(AFTER);
    await untilState(app, `${id}-back`, 'applied');
    expect(app.platform.limits.get(MIA)).toBe(100);
  });

  test('appears in the review as a field that only accepts lower values', async () => {
    const app = await start();
    const id = await ask(app, 'mia', { amount: '5000', until: END, back: '4000' });
    expect(textOfView(await openReview(app, 'ada', id))).toContain(`Limit afterwards for ${MIA}`);
    const typed = (back: string) => ({ ...reviewValues(), back_0: { back_0: back } });
    const { modals } = await app.slack.control.submit({ as: 'ada', values: typed('4001') });
    expect(modals[0]?.errors).toEqual({ back_0: 'At most 4,000, as shown.' });
    await submitForm(app.slack, 'ada', typed('300'));
    expect(await peopleIn(app, id)).toMatchObject([{ approvedValue: 5_000, returnValue: 300 }]);
  });

  test('comes from the ledger, and is then not asked for', async () => {
    const app = await start();
    const first = await ask(app, 'mia', { amount: '800' });
    await review(app, 'ada', first, 'approve');
    await openByCommand(app.slack, 'mia', '/limits', 'request');
    const form = textOfView(await fillForm(app.slack, 'mia', { ending: { ending: '7d' } }));
    expect(form).toContain('the limit returns to *800*');
    expect(form).not.toContain('Limit afterwards');
    await app.slack.control.close({ as: 'mia', all: true });
    const raise = await ask(app, 'mia', { amount: '5000', until: END });
    expect(await peopleIn(app, raise)).toMatchObject([{ returnValue: 800 }]);
  });

  test('is not the temporary value of another raise', async () => {
    const app = await start();
    const first = await ask(app, 'mia', { amount: '5000', until: END, back: '800' });
    await review(app, 'ada', first, 'approve');
    const second = await ask(app, 'mia', { amount: '9000', until: new Date('2026-03-09T12:00:00Z') });
    expect(await peopleIn(app, second)).toMatchObject([{ fromValue: 5_000, returnValue: 800 }]);
  });

  test('follows the ledger down between request and approval', async () => {
    const app = await start();
    const raise = await ask(app, 'mia', { amount: '5000', until: END, back: '4000' });
    const lower = await ask(app, 'mia', { amount: '300' });
    await review(app, 'ada', lower, 'approve');
    await review(app, 'ada', raise, 'approve');
    expect(await peopleIn(app, raise)).toMatchObject([{ approvedValue: 5_000, returnValue: 300 }]);
    expect((await ledger(app)).map(({ value }) => value)).toEqual([300, 5_000]);
  });
});

describe.each(availableEngines())('the table on %s', (engine) => {
  test.each([
    ['a return above the requested limit', { toValue: 100, returnValue: 101 }],
    [
      'a return above the approved limit',
      { toValue: 100, approvedValue: 50, returnValue: 51, state: 'queued' as const },
    ],
    ['an approved limit above the requested one', { toValue: 100, approvedValue: 101, state: 'queued' as const }],
    ['a person who is sent without an approval', { toValue: 100, state: 'queued' as const }],
  ])('rejects %s', async (_what, row) => {
    const database = await createDatabase(engine);
    const store = await openStore(database.url);
    const db = withLimits(store.db);
    const at = '2026-03-02T07:00:00.000Z';
    const request = { kind: 'ask', state: 'pending', requester: 'U0MIA', reason: '', people: 1 } as const;
    await db
      .insertInto('limitRequests')
      .values({ id: 'k7m2x', ...request, createdAt: at, expiresAt: at })
      .execute();
    const person = { requestId: 'k7m2x', email: MIA, position: 0, state: 'asked' as const };
    await expect(
      db
        .insertInto('limitRequestPeople')
        .values({ ...person, ...row })
        .execute(),
    ).rejects.toThrow(/check/i);
    await db
      .insertInto('limitRequestPeople')
      .values({ ...person, toValue: 100, returnValue: 100 })
      .execute();
    await store.close();
    await database.drop();
  });
});
