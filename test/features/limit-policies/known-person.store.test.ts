import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { storeDeclaration } from '../../../src/features/limits/declare/declared-limits.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import { runBackTest } from '../../../src/features/limit-policies/back-test/read-past.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import {
  activeOf,
  ADMINS,
  askFor,
  emailOf,
  FIRST_LIMITS,
  giveLimit,
  memberId,
  policyPerson,
  RAISES,
  runJobs,
  type PolicyWorld,
} from '../../support/limits/policy-scene.ts';
import {
  askAndWithdraw,
  passUntil,
  platformLimit,
  startRaises,
  type RaisePlay,
} from '../../support/limits/raise-play.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-10T09:00:00Z');
const MIA = memberId(1);
/** Mia’s second account. */
const SECOND = memberId(9);
const FEBRUARY = new Date('2026-02-01T00:00:00Z');
const STRICT = { ...RAISES, percent: 10 };

describe.each(availableEngines())('a policy knows a person, on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let play: RaisePlay;
  beforeEach(async () => {
    database = await createDatabase(engine);
    store = await openStore(database.url);
  });
  afterEach(async () => {
    play.clock.dispose();
    await store.close();
    await database.drop();
  });
  const start = async (world: Partial<PolicyWorld> = {}) => {
    play = await startRaises(withPolicies(store.db), START, world);
  };
  const asSecond = (amount: number) => askAndWithdraw(play, { for: SECOND, amount });
  const secondAccount = () =>
    start({ seen: new Map([[SECOND, '2026-02-05']]), aliases: new Map([[SECOND, [emailOf(MIA)]]]) });

  test('after their e-mail changed: no first limit replaces one that was set under the earlier e-mail', async () => {
    await start({ seen: new Map([['UNEW', '2026-03-05']]) });
    await giveLimit(play.db, MIA, 10_000, FEBRUARY);
    const findByEmails = () => Promise.resolve(new Map([[emailOf('UNEW'), MIA]]));
    Object.assign(play.own.deps.people, { findByEmails });
    await activeOf(play.own.deps, FIRST_LIMITS);
    await runJobs(play.own);
    expect(play.puts).toEqual([]);
  });

  test('in a group by another account', async () => {
    await secondAccount();
    await giveLimit(play.db, SECOND, 1_000, FEBRUARY);
    await activeOf(play.own.deps, { ...STRICT, subject: { kind: 'group', id: 'S1', handle: 'web-team' } });
    await activeOf(play.own.deps, RAISES);
    expect(await asSecond(1_400)).toBe(false);
    expect(await asSecond(1_100)).toBe(true);
  });

  test('by another account that a policy names', async () => {
    await secondAccount();
    await giveLimit(play.db, SECOND, 1_000, FEBRUARY);
    await activeOf(play.own.deps, { ...STRICT, subject: { kind: 'person', slackId: MIA } });
    await activeOf(play.own.deps, RAISES);
    expect(await asSecond(1_400)).toBe(false);
    expect(await asSecond(1_100)).toBe(true);
  });

  test('by every e-mail in the worst case of a group', async () => {
    await secondAccount();
    for (const account of [MIA, SECOND]) await giveLimit(play.db, account, 1_000, FEBRUARY);
    const policy = await activeOf(play.own.deps, {
      ...STRICT,
      subject: { kind: 'group', id: 'S1', handle: 'web-team' },
    });
    const tested = await runBackTest(play.own.deps, policy);
    // Two limits of 1,000, 10% each, in the three months that any 31 days can touch.
    expect(tested).toMatchObject({ backTest: { worst: { people: 1, credits: 600 } } });
  });

  test('not if Slack doesn’t say whose e-mails they are, so a person decides', async () => {
    await secondAccount();
    await giveLimit(play.db, SECOND, 1_000, FEBRUARY);
    await activeOf(play.own.deps, RAISES);
    Object.assign(play.own.deps.people, { findByEmails: () => Promise.resolve(undefined) });
    expect(await asSecond(1_100)).toBe(false);
  });

  const declare = (people: { email: string; amount: number }[], removed: string[], forEverybody?: number) =>
    play.db
      .transaction()
      .execute((trx) => storeDeclaration(trx, { forEverybody, people, removed }, ADMINS[0], play.clock.now()));

  test.each(['one person', 'everybody'])(
    'whose limit was declared for %s: one admin who withdraws that gets no first limit set',
    async (whose) => {
      const email = emailOf(MIA);
      await start({ seen: new Map([[MIA, '2026-03-05']]) });
      await activeOf(play.own.deps, FIRST_LIMITS);
      const isForOne = whose === 'one person';
      await declare(isForOne ? [{ email, amount: 10_000 }] : [], [], isForOne ? undefined : 10_000);
      await passUntil(play, new Date('2026-03-10T10:00:00Z'));
      await declare([], isForOne ? [email] : []);
      await passUntil(play, new Date('2026-03-10T11:00:00Z'));
      expect(play.puts).toEqual([]);
      // Whoever comes later never had the declared limit.
      play.world.seen.set(memberId(2), '2026-03-11');
      await passUntil(play, new Date('2026-03-12T09:00:00Z'));
      expect(play.puts.map((one) => one.email)).toEqual([emailOf(memberId(2))]);
    },
  );

  test('by the limit that was set last, also if the clocks of replicas differ', async () => {
    await start();
    await activeOf(play.own.deps, { ...RAISES, cap: 100_000 });
    const at = (time: string) => play.clock.moveTo(new Date(`2026-03-10T09:00:${time}Z`));
    play.world.areOn = false;
    const approve = async (amount: number, decidedAt: string, setAt: string) => {
      at(decidedAt);
      const id = await askFor(play.own, { for: MIA, amount });
      await moveRequest(play.own.deps, id, policyPerson(ADMINS[0]), {
        kind: 'approve',
        comment: '',
        isConfirmed: false,
        lowered: new Map(),
        leftOut: new Set(),
        returns: new Map(),
        highestReturn: undefined,
      });
      at(setAt);
      await play.own.applier.apply({ id, people: 1 });
    };
    await approve(10_000, '01', '09');
    await approve(1_000, '02', '03');
    expect(platformLimit(play, MIA)).toBe(1_000);
    play.world.areOn = true;
    at('30');
    expect(await askAndWithdraw(play, { for: MIA, amount: 14_000 })).toBe(false);
    expect(await askAndWithdraw(play, { for: MIA, amount: 1_400 })).toBe(true);
  });
});
