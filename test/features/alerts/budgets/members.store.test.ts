import { expect, onTestFinished, test } from 'vitest';
import { mrkdwnOf } from '../../../../src/core/base/text/markup.ts';
import { noCheckpoint } from '../../../../src/core/base/checkpoint.ts';
import { createLogger } from '../../../../src/core/base/log.ts';
import { daysOf, type Day } from '../../../../src/core/base/time/calendar.ts';
import { systemClock } from '../../../../src/core/base/time/clock.ts';
import { openStore } from '../../../../src/core/store/database.ts';
import { messageSchema } from '../../../../src/features/alerts/budgets/core/budget-payload.ts';
import { findBudget, insertBudget } from '../../../../src/features/alerts/budgets/core/budget-store.ts';
import type { EvaluationDeps } from '../../../../src/features/alerts/budgets/core/evaluation-deps.ts';
import { noticeMessage } from '../../../../src/features/alerts/budgets/deliver/budget-messages.ts';
import { readBudgetStatuses } from '../../../../src/features/alerts/budgets/evaluate/budget-status.ts';
import { evaluateBudgets } from '../../../../src/features/alerts/budgets/evaluate/evaluate.ts';
import { rowLines } from '../../../../src/features/alerts/budgets/manage/budget-list.ts';
import { createDatabase, usualEngine } from '../../../support/stores/databases.ts';
import { creditsColumns } from '../../../support/credits-columns.ts';

const WEB = 'S0WEB';
/** What each uses a day. */
const USE: Readonly<Record<string, number>> = { ada: 100, mia: 100, max: 150, eve: 0 };
const emailOf = (name: string) => `${name}@acme.example`;

/** A monthly budget of 4,000 for a user group, set up on 5 March with Ada and Mia. */
async function start() {
  const database = await createDatabase(usualEngine());
  const store = await openStore(database.url, () => {});
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  let now = new Date('2026-03-05T12:00:00Z');
  let members = ['ada', 'mia'];
  const unused = () => Promise.reject(new Error('Nothing else is read'));
  const deps: EvaluationDeps = {
    db: store.db,
    clock: { ...systemClock, now: () => now },
    log: createLogger('fatal', []),
    checkpoint: noCheckpoint,
    plannedSums: () => Promise.resolve([]),
    days: {
      dailyCredits: (period) => {
        const all = Object.values(USE).reduce((sum, one) => sum + one, 0);
        const rows = daysOf(period).map((date) => ({ date, billable_tokens: all }));
        return Promise.resolve({ kind: 'read', rows, readAt: now });
      },
      credits: unused,
      changedAfter: () => Promise.resolve(true),
      peopleCredits: ({ first, last }, take) => {
        const rows = daysOf({ first, last });
        for (const date of rows)
          take(
            creditsColumns(
              date,
              Object.entries(USE).map(([name, billable_tokens]) => ({
                user_id: name,
                user_email: emailOf(name),
                billable_tokens,
              })),
            ),
          );
        return Promise.resolve({ kind: 'read', rows, readAt: now });
      },
    },
    people: {
      teams: () => Promise.resolve([{ id: WEB, handle: 'web', members, emails: members.map(emailOf) }]),
      describe: unused,
      names: () => Promise.resolve(new Map()),
      identify: unused,
    },
    config: {
      peopleRole: 'manager',
      minGroup: 1,
      retentionDays: { people: 375, looks: 30, sessions: 30, deliveries: 90, audit: 730 },
    },
  };
  const budget = {
    id: 'b1',
    kind: 'budget' as const,
    name: undefined,
    credits: 4_000,
    period: { unit: 'month' as const },
    subject: { kind: 'team' as const, id: WEB, handle: 'web' },
    thresholds: { actual: [50, 80], forecast: [] },
    price: undefined,
    namesPeople: false,
    channel: 'C1',
    owner: 'U1',
  };
  await store.db.transaction().execute((trx) => insertBudget(trx, budget, now));
  const stored = async () => {
    const found = await findBudget(store.db, 'b1');
    if (!found) throw new Error('The budget exists');
    return found;
  };
  const evaluateOn = async (today: Day, people: string[]) => {
    now = new Date(`${today}T12:00:00Z`);
    members = people;
    const before = await told();
    await evaluateBudgets(deps, [await stored()], { today, published: undefined });
    return (await told()).slice(before.length);
  };
  const told = async () => {
    const rows = await store.db.selectFrom('deliveries').select('payload').orderBy('createdAt').execute();
    return rows.flatMap(({ payload }) => {
      const message = messageSchema.parse(JSON.parse(payload));
      return message.kind === 'crossed' ? [message] : [];
    });
  };
  const statusLines = async () => {
    const [status] = await readBudgetStatuses(deps, [await stored()], { seesPeople: true });
    return status ? rowLines(status).map((line) => mrkdwnOf(line)) : [];
  };
  return { evaluateOn, statusLines };
}

const percents = (notices: readonly { thresholds: readonly { percent: number }[] }[]) =>
  notices.map(({ thresholds }) => thresholds.map(({ percent }) => percent));

test('people who join and have passed a threshold cause one warning, which says that the members changed', async () => {
  const { evaluateOn } = await start();
  expect(await evaluateOn('2026-03-05', ['ada', 'mia'])).toEqual([]);
  const crossed = await evaluateOn('2026-03-12', ['ada', 'mia']);
  expect([percents(crossed), crossed[0]?.haveMembersChanged]).toEqual([[[50]], undefined]);
  const [joined, ...more] = await evaluateOn('2026-03-12', ['ada', 'mia', 'max']);
  expect(more).toEqual([]);
  expect(joined?.thresholds.map(({ percent }) => percent)).toEqual([80]);
  if (!joined) throw new Error('There is a warning');
  expect(mrkdwnOf(noticeMessage(joined, []).text)).toContain('Its members changed');
  expect(joined.said.spent).toBe(11 * 350);
  expect(await evaluateOn('2026-03-12', ['ada', 'mia', 'max'])).toEqual([]);
  expect(await evaluateOn('2026-03-12', ['max', 'ada'])).toEqual([]);
});

test('a threshold that is passed by use and by people who join is announced once', async () => {
  const { evaluateOn } = await start();
  await evaluateOn('2026-03-05', ['ada', 'mia']);
  expect(percents(await evaluateOn('2026-03-12', ['ada', 'mia', 'eve']))).toEqual([[50]]);
  expect(percents(await evaluateOn('2026-03-13', ['ada', 'mia', 'max']))).toEqual([[80]]);
});

test('a budget whose members changed says so beside its new share', async () => {
  const { evaluateOn, statusLines } = await start();
  await evaluateOn('2026-03-05', ['ada', 'mia']);
  await evaluateOn('2026-03-20', ['ada', 'mia']);
  expect((await statusLines()).join('\n')).not.toContain('members changed');
  await evaluateOn('2026-03-20', ['ada']);
  const lines = (await statusLines()).join('\n');
  expect(lines).toContain('*47%* · within budget');
  expect(lines).toContain('Its members changed on Fri 20 Mar');
});

test('on the first day of a month, a budget names the month that its figures are of', async () => {
  const { evaluateOn, statusLines } = await start();
  await evaluateOn('2026-03-05', ['ada', 'mia', 'max']);
  await evaluateOn('2026-04-01', ['ada', 'mia', 'max']);
  expect((await statusLines()).join('\n')).toContain('1–31 Mar, which is over');
});
