import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../../src/core/base/checkpoint.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/durations.ts';
import { withPolicies, type PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { storeDeclaration } from '../../../src/features/limits/declare/declared-limits.ts';
import { findRequest, listRequests, peopleOf } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import {
  activatePolicy,
  createPolicy,
  editPolicy,
  pausePolicy,
  releasePolicy,
  removePolicy,
  resumePolicy,
  stopAllPolicies,
} from '../../../src/features/limit-policies/manage/change-policy.ts';
import { readAskFacts } from '../../../src/features/limits/ask/ask-facts.ts';
import { saveApproverRules } from '../../../src/features/limits/approvers/approver-rules.ts';
import { chooseLimitPeriod } from '../../../src/core/figures/limit-period.ts';
import { pauseAll } from '../../../src/features/limit-policies/live/pause.ts';
import { findDecision } from '../../../src/features/limit-policies/store/policy-decisions.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import {
  activeOf,
  ADMINS,
  askFor,
  declare,
  emailOf,
  FIRST_LIMITS,
  giveLimit,
  memberId,
  policyNow,
  policyPerson,
  policyReplica,
  RAISES,
  runJobs,
  storeTest,
  worldOf,
  type PolicyWorld,
} from '../../support/limits/policy-scene.ts';
import type { LimitDeps } from '../../../src/features/limits/core/limits-deps.ts';
import { SHOWS_NO_LIMITS } from '../../support/limits/limit-model.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-10T09:00:00Z');
const MIA = memberId(1);

/** Holds a request right before it is sent. */
function heldBeforePut() {
  const sending = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const checkpoint: Checkpoint = (name) => {
    if (name !== 'limits:before_put') return undefined;
    sending.resolve();
    return released.promise;
  };
  return { checkpoint, isSending: sending.promise, release: () => released.resolve() };
}

describe.each(availableEngines())('a limit policy on %s', (engine) => {
  const clock = createMovableClock(START, { frozen: true });
  let database: TestDatabase;
  let store: Store;
  let db: PolicyDatabase;
  let world: PolicyWorld;
  let puts: { email: string; limit: number }[];
  let answer: 'fine' | 'lost' | 'refused';
  beforeEach(async () => {
    clock.moveTo(START);
    puts = [];
    answer = 'fine';
    world = worldOf({ seen: new Map([[MIA, '2026-01-20']]) });
    database = await createDatabase(engine);
    store = await openStore(database.url, undefined, () => clock.now());
    db = withPolicies(store.db);
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const replica = (checkpoint?: Checkpoint) =>
    policyReplica(
      db,
      clock,
      world,
      (limits) => {
        puts.push(...limits);
        if (answer === 'fine') return Promise.resolve({ updated: [...limits], errors: [] });
        const isLost = answer === 'lost';
        const code = isLost ? 'timeout' : 'forbidden';
        return Promise.reject(
          new PlatformError({ code, method: 'PUT', path: '/limits', detail: '', outcomeUnknown: isLost }),
        );
      },
      checkpoint,
    );
  const pass = (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms));
  const noticesOf = async () => {
    const rows = await db.selectFrom('deliveries').select(['kind', 'payload']).execute();
    return rows.filter(({ kind }) => kind === 'limit-policy-admin-notice').map(({ payload }) => payload);
  };

  test('sets a raise without a person, until the period ends, and then returns it', async () => {
    const own = replica();
    await giveLimit(db, MIA, 1_000, new Date('2026-02-01T00:00:00Z'));
    await declare(own.deps);
    const policy = await activeOf(own.deps, RAISES);
    const id = await askFor(own, { for: MIA, amount: 1_200 });
    expect(puts).toEqual([{ email: emailOf(MIA), limit: 1_200 }]);
    expect(await findRequest(db, id)).toMatchObject({
      state: 'applied',
      policyId: policy.id,
      policyVersion: 1,
      policyName: 'Small raises',
      until: '2026-04-01T00:00:00.000Z',
      undoUntil: '2026-03-12T09:00:00.000Z',
    });
    clock.moveTo(new Date('2026-04-01T00:01:00Z'));
    await runJobs(own);
    expect(puts.map(({ limit }) => limit)).toEqual([1_200, 1_000]);
    expect(await findRequest(db, `${id}-back`)).toMatchObject({ state: 'applied', policyId: policy.id });
  });

  test('only prepares the approval until an admin declares that limits are set only here', async () => {
    const own = replica();
    await giveLimit(db, MIA, 1_000, START);
    await activeOf(own.deps, RAISES);
    const id = await askFor(own, { for: MIA, amount: 1_200 });
    expect(puts).toEqual([]);
    expect(await findDecision(db, id)).toMatchObject({ outcome: 'prepare', policyVersion: 1 });
    expect(await findRequest(db, id)).toMatchObject({ state: 'pending', policyId: null });
  });

  test('needs a back-test of this version, and another admin', async () => {
    const { deps } = replica();
    const { id } = await createPolicy(deps, { name: 'x', rules: RAISES }, ADMINS[0]);
    const [ada, nora] = ADMINS.map((admin) => policyPerson(admin));
    if (!ada || !nora) throw new Error('Two admins');
    expect(await activatePolicy(deps, id, 1, nora, false)).toMatchObject({ reason: 'no_back_test' });
    await storeTest(deps, { id, version: 1 });
    expect(await activatePolicy(deps, id, 1, ada, true)).toMatchObject({ reason: 'own_draft' });
    expect(await activatePolicy(deps, id, 1, nora, false)).toMatchObject({ kind: 'changed' });
    expect(await editPolicy(deps, id, 1, { name: 'x', rules: { ...RAISES, percent: 60 } }, ADMINS[1])).toMatchObject({
      policy: { state: 'draft', version: 2, backTestedAt: undefined, activatedBy: null },
    });
    expect(await activatePolicy(deps, id, 2, ada, false)).toMatchObject({ reason: 'no_back_test' });
    expect(await activatePolicy(deps, id, 1, ada, false)).toMatchObject({ kind: 'raced' });
  });

  test('is activated by the only admin 24 hours after the draft, with a confirmation, and is marked', async () => {
    world.admins = [ADMINS[0]];
    world.fourEyes = 'when-possible';
    const { deps } = replica();
    const { id } = await createPolicy(deps, { name: 'x', rules: RAISES }, ADMINS[0]);
    await storeTest(deps, { id, version: 1 });
    const ada = policyPerson(ADMINS[0]);
    expect(await activatePolicy(deps, id, 1, ada, true)).toMatchObject({ reason: 'too_early' });
    pass(DAY_MS);
    expect(await activatePolicy(deps, id, 1, ada, false)).toMatchObject({ reason: 'not_confirmed' });
    world.fourEyes = 'required';
    expect(await activatePolicy(deps, id, 1, ada, true)).toMatchObject({ reason: 'own_draft' });
    world.fourEyes = 'when-possible';
    expect(await activatePolicy(deps, id, 1, ada, true)).toMatchObject({ policy: { isActivatedAlone: true } });
  });

  test('keeps the version that a request met when it is edited', async () => {
    const { checkpoint, isSending, release } = heldBeforePut();
    const own = replica(checkpoint);
    await giveLimit(db, MIA, 1_000, START);
    await declare(own.deps);
    const policy = await activeOf(own.deps, RAISES);
    const asking = askFor(own, { for: MIA, amount: 1_200 });
    await isSending;
    await editPolicy(own.deps, policy.id, 1, { name: 'x', rules: { ...RAISES, percent: 1 } }, ADMINS[0]);
    release();
    await asking;
    expect(puts.map(({ limit }) => limit)).toEqual([1_200]);
  });

  test.each([
    ['paused', (deps: ReturnType<typeof replica>['deps'], id: string) => pausePolicy(deps, id, 1, ADMINS[0])],
    ['stopped with all policies', (deps: ReturnType<typeof replica>['deps']) => stopAllPolicies(deps, ADMINS[1])],
    [
      'paused and resumed',
      async (deps: ReturnType<typeof replica>['deps'], id: string) => {
        await pausePolicy(deps, id, 1, ADMINS[0]);
        await resumePolicy(deps, id, 1, ADMINS[0]);
      },
    ],
    ['left without the declaration', (deps: ReturnType<typeof replica>['deps']) => declare(deps, false)],
    [
      'turned off by the server operator',
      () => {
        world.areOn = false;
        return Promise.resolve();
      },
    ],
  ])('that is %s between the decision and the sending sends nothing, and a person decides', async (_, stop) => {
    const { checkpoint, isSending, release } = heldBeforePut();
    const own = replica(checkpoint);
    await giveLimit(db, MIA, 1_000, START);
    await declare(own.deps);
    const policy = await activeOf(own.deps, RAISES);
    const asking = askFor(own, { for: MIA, amount: 1_200 });
    await isSending;
    await stop(replica().deps, policy.id);
    release();
    const id = await asking;
    await runJobs(own);
    expect(puts).toEqual([]);
    expect(await findRequest(db, id)).toMatchObject({ state: 'pending', policyId: null, until: null, decidedBy: null });
    expect(await peopleOf(db, id)).toMatchObject([{ state: 'asked', approvedValue: null, returnValue: null }]);
    const cards = await db.selectFrom('deliveries').select('key').where('kind', '=', 'limit-card').execute();
    expect(cards).toHaveLength(1);
    await moveRequest(own.deps, id, policyPerson(ADMINS[0]), {
      kind: 'approve',
      comment: '',
      isConfirmed: false,
      lowered: new Map(),
      leftOut: new Set(),
      returns: new Map(),
      highestReturn: undefined,
    });
    await own.applier.apply({ id, people: 1 });
    expect(puts).toEqual([{ email: emailOf(MIA), limit: 1_200 }]);
  });

  test('whose answer is lost counts as granted, sends the same value again, and grants the person nothing until then', async () => {
    const own = replica();
    await giveLimit(db, MIA, 1_000, START);
    await declare(own.deps);
    await activeOf(own.deps, { ...RAISES, times: 1 });
    answer = 'lost';
    const id = await askFor(own, { for: MIA, amount: 1_200 });
    expect((await findRequest(db, id))?.state).toBe('outcome_unknown');
    const second = await askFor(own, { for: MIA, amount: 1_300 });
    expect(await findDecision(db, second)).toMatchObject({ outcome: 'person', reason: 'unknown_outcome' });
    answer = 'fine';
    pass(2 * MINUTE_MS);
    await runJobs(own);
    expect(puts.map(({ limit }) => limit)).toEqual([1_200, 1_200]);
    await moveRequest(own.deps, second, policyPerson(MIA), { kind: 'withdraw' });
    const third = await askFor(own, { for: MIA, amount: 1_300 });
    expect(await findDecision(db, third)).toMatchObject({ outcome: 'person', reason: 'times' });
  });

  test('that is stopped while an outcome is unknown sends nothing again: an admin chooses', async () => {
    const own = replica();
    await giveLimit(db, MIA, 1_000, START);
    await declare(own.deps);
    await activeOf(own.deps, RAISES);
    answer = 'lost';
    const id = await askFor(own, { for: MIA, amount: 1_200 });
    await stopAllPolicies(own.deps, ADMINS[0]);
    answer = 'fine';
    pass(HOUR_MS);
    await runJobs(own);
    expect(puts).toHaveLength(1);
    expect(await findRequest(db, id)).toMatchObject({ state: 'outcome_unknown', nextAttemptAt: null });
    await moveRequest(own.deps, id, policyPerson(ADMINS[0]), { kind: 'retry' });
    await own.applier.apply({ id, people: 1 });
    expect(puts).toHaveLength(2);
  });

  test('sets the end of a raise only while the raise is the newest limit; otherwise a person decides', async () => {
    const own = replica();
    await giveLimit(db, MIA, 1_000, START);
    await declare(own.deps);
    await activeOf(own.deps, RAISES);
    const id = await askFor(own, { for: MIA, amount: 1_200 });
    pass(HOUR_MS);
    await giveLimit(db, MIA, 5_000, clock.now());
    clock.moveTo(new Date('2026-04-01T00:01:00Z'));
    await runJobs(own);
    expect(puts).toHaveLength(1);
    expect(await findRequest(db, `${id}-back`)).toMatchObject({ state: 'unsure', nextAttemptAt: null });
    await moveRequest(own.deps, `${id}-back`, policyPerson(ADMINS[0]), { kind: 'leave' });
    await runJobs(own);
    expect(puts).toHaveLength(1);
  });

  test('that granted two raises sends one end', async () => {
    const own = replica();
    await giveLimit(db, MIA, 1_000, START);
    await declare(own.deps);
    await activeOf(own.deps, RAISES);
    await askFor(own, { for: MIA, amount: 1_200 });
    pass(HOUR_MS);
    await askFor(own, { for: MIA, amount: 1_500 });
    clock.moveTo(new Date('2026-04-01T00:01:00Z'));
    await runJobs(own);
    pass(HOUR_MS);
    await runJobs(own);
    expect(puts.map(({ limit }) => limit)).toEqual([1_200, 1_500, 1_000]);
  });

  test('grants exactly as many as the caps allow to people who ask at once on two replicas; then all pause, once', async () => {
    const [one, two] = [replica(), replica()];
    const members = Array.from({ length: 12 }, (_, index) => memberId(10 + index));
    for (const id of members) await giveLimit(db, id, 1_000, START);
    await declare(one.deps);
    const policy = await activeOf(one.deps, { ...RAISES, grantsADay: 5 });
    const other = await activeOf(one.deps, { ...RAISES, subject: { kind: 'person', slackId: MIA } }, 'For one');
    const ids = await Promise.all(
      members.map((id, index) => askFor(index % 2 === 0 ? one : two, { for: id, amount: 1_100 })),
    );
    expect(puts).toHaveLength(5);
    const decisions = await Promise.all(ids.map((id) => findDecision(db, id)));
    expect(decisions.filter((decision) => decision?.outcome === 'grant')).toHaveLength(5);
    for (const { id } of [policy, other])
      expect(await policyNow(db, id)).toMatchObject({ state: 'paused', pausedBy: null, pauseReason: 'grants_a_day' });
    expect((await noticesOf()).filter((payload) => payload.includes('grants_a_day'))).toHaveLength(1);
  });

  test('sets the first limit of 200 people who join at once, each once, on two replicas', async () => {
    const members = Array.from({ length: 200 }, (_, index) => memberId(1_000 + index));
    world.seen = new Map(members.map((id) => [id, '2026-03-08']));
    const [one, two] = [replica(), replica()];
    await declare(one.deps);
    await activeOf(one.deps, FIRST_LIMITS, 'First limits');
    await Promise.all([one.runFirstLimits(), two.runFirstLimits()]);
    await Promise.all([one.runFirstLimits(), two.runFirstLimits()]);
    expect(puts).toHaveLength(200);
    expect(new Set(puts.map(({ email }) => email)).size).toBe(200);
  }, 120_000);

  test('sets first limits for new seats before their first use, and none for old seats or without a list of members', async () => {
    const day = (on: string) => ({ createdAt: new Date(`${on}T08:00:00Z`), lastSignInAt: undefined });
    const [fresh, old, ageless] = [21, 22, 23].map((index) => emailOf(memberId(index)));
    const members = [
      { email: fresh ?? '', ...day('2026-03-08') },
      { email: old ?? '', ...day('2026-01-20') },
      { email: ageless ?? '', createdAt: undefined, lastSignInAt: undefined },
    ];
    const withRoster = (readRoster: LimitDeps['capabilities']['readRoster']) =>
      policyReplica(
        db,
        clock,
        world,
        (limits) => {
          puts.push(...limits);
          return Promise.resolve({ updated: [...limits], errors: [] });
        },
        undefined,
        { capabilities: { ...SHOWS_NO_LIMITS, readRoster } },
      );
    const without = withRoster(() => Promise.resolve(undefined));
    await declare(without.deps);
    await activeOf(without.deps, FIRST_LIMITS, 'First limits');
    await without.runFirstLimits();
    expect(puts).toEqual([]);
    await withRoster(() => Promise.resolve(members)).runFirstLimits();
    expect(puts).toEqual([{ email: fresh, limit: 1_000 }]);
  });

  test('never replaces a declared limit: a person decides, for first limits and for raises', async () => {
    world.seen = new Map([5, 6, 7].map((index) => [memberId(index), '2026-03-08']));
    const own = replica();
    await declare(own.deps);
    await activeOf(own.deps, FIRST_LIMITS, 'First limits');
    await activeOf(own.deps, { ...RAISES, cap: 1_000_000_000, percent: 1_000 });
    const declared = {
      forEverybody: undefined,
      people: [{ email: emailOf(memberId(5)), amount: 10_000 }],
      removed: [],
    };
    await db.transaction().execute((trx) => storeDeclaration(trx, declared, ADMINS[0], clock.now()));
    await runJobs(own);
    expect(puts.map(({ email }) => email)).toEqual([6, 7].map((index) => emailOf(memberId(index))));
    const id = await askFor(own, { for: memberId(5), amount: 12_000 });
    expect(await findDecision(db, id)).toMatchObject({ outcome: 'person', reason: 'declared' });
    expect(await peopleOf(db, id)).toMatchObject([{ fromValue: null, fromDeclared: 10_000 }]);
  });

  test('sets no first limit while one is declared for everybody', async () => {
    world.seen = new Map([[memberId(5), '2026-03-08']]);
    const own = replica();
    await declare(own.deps);
    await activeOf(own.deps, FIRST_LIMITS, 'First limits');
    const declared = { forEverybody: 10_000, people: [], removed: [] };
    await db.transaction().execute((trx) => storeDeclaration(trx, declared, ADMINS[0], clock.now()));
    await runJobs(own);
    expect(puts).toEqual([]);
  });

  describe('that one admin stops keeps its people and caps', () => {
    const STRICT = { ...RAISES, percent: 10, subject: { kind: 'group' as const, id: 'S1', handle: 'web-team' } };
    const [ada, nora] = ADMINS.map((admin) => policyPerson(admin));
    const askAgain = async (own: ReturnType<typeof replica>) => {
      const id = await askFor(own, { for: MIA, amount: 1_400 });
      const decision = await findDecision(db, id);
      if (decision?.outcome !== 'grant') await moveRequest(own.deps, id, policyPerson(MIA), { kind: 'withdraw' });
      return decision?.outcome === 'grant' ? 'grant' : decision?.reason;
    };
    const strictBesideLoose = async (own: ReturnType<typeof replica>) => {
      await giveLimit(db, MIA, 1_000, START);
      await declare(own.deps);
      await activeOf(own.deps, RAISES);
      return activeOf(own.deps, STRICT, 'Strict');
    };

    test.each([
      ['paused', pausePolicy],
      ['deleted', removePolicy],
      [
        'edited',
        (deps: ReturnType<typeof replica>['deps'], id: string, version: number, by: string) =>
          editPolicy(deps, id, version, { name: 'x', rules: { ...STRICT, subject: { kind: 'everybody' } } }, by),
      ],
    ])('if it is %s, until a second admin releases them', async (_, stop) => {
      const own = replica();
      const { id } = await strictBesideLoose(own);
      if (!ada || !nora) throw new Error('Two admins');
      expect(await askAgain(own)).toBe('above_percent');
      await stop(own.deps, id, 1, ada.slackId);
      expect(await askAgain(own)).toBe('held');
      const { version } = await policyNow(db, id);
      expect(await releasePolicy(own.deps, id, version, ada, true)).toMatchObject({ reason: 'own_hold' });
      expect(await releasePolicy(own.deps, id, version, nora, false)).toMatchObject({
        kind: 'changed',
        policy: { held: undefined },
      });
      expect(await askAgain(own)).toBe('grant');
      expect(await resumePolicy(own.deps, id, version, ada.slackId)).toMatchObject({ kind: 'refused' });
    });

    test('after an edit, until the dry run of the new version is over', async () => {
      const own = replica();
      const { id } = await strictBesideLoose(own);
      if (!nora) throw new Error('Two admins');
      await editPolicy(own.deps, id, 1, { name: 'x', rules: { ...STRICT, percent: 45, dryRunDays: 7 } }, ADMINS[0]);
      await storeTest(own.deps, { id, version: 2 });
      await activatePolicy(own.deps, id, 2, nora, false);
      expect(await policyNow(db, id)).toMatchObject({ state: 'active', held: { version: 1 } });
      expect(await askAgain(own)).toBe('held');
      pass(7 * DAY_MS);
      expect(await policyNow(db, id)).toMatchObject({ held: undefined });
      expect(await askAgain(own)).toBe('grant');
    });

    test('is not released if Quartermaster paused it, and by the only admin after a day', async () => {
      const own = replica();
      const { id } = await strictBesideLoose(own);
      if (!ada || !nora) throw new Error('Two admins');
      await db.transaction().execute((trx) => pauseAll(trx, [{ id }], { by: null, reason: 'gap' }, clock.now()));
      expect(await releasePolicy(own.deps, id, 1, nora, true)).toMatchObject({ reason: 'held_by_bot' });
      expect(await askAgain(own)).toBe('held');
      await removePolicy(own.deps, id, 1, ADMINS[0]);
      world.admins = [ADMINS[0]];
      world.fourEyes = 'when-possible';
      expect(await releasePolicy(own.deps, id, 1, ada, true)).toMatchObject({ reason: 'release_too_early' });
      pass(DAY_MS);
      expect(await releasePolicy(own.deps, id, 1, ada, false)).toMatchObject({ reason: 'not_confirmed' });
      expect(await releasePolicy(own.deps, id, 1, ada, true)).toMatchObject({ kind: 'changed' });
    });

    test('is released only by an admin who is another person, by any e-mail', async () => {
      const { id } = await strictBesideLoose(replica());
      if (!nora) throw new Error('Two admins');
      world.seen = new Map([[ADMINS[0], '2026-01-20']]);
      world.aliases = new Map([[ADMINS[0], [emailOf(ADMINS[1])]]]);
      const own = replica();
      await pausePolicy(own.deps, id, 1, ADMINS[0]);
      expect(await releasePolicy(own.deps, id, 1, nora, true)).toMatchObject({ reason: 'own_hold' });
    });

    test('if a pause comes between the decision and the sending on another replica', async () => {
      const { checkpoint, isSending, release } = heldBeforePut();
      const own = replica(checkpoint);
      const { id } = await strictBesideLoose(own);
      const asking = askFor(own, { for: MIA, amount: 1_100 });
      await isSending;
      await pausePolicy(replica().deps, id, 1, ADMINS[0]);
      release();
      const asked = await asking;
      expect(puts).toEqual([]);
      expect(await findRequest(db, asked)).toMatchObject({ state: 'pending', policyId: null });
    });

    test('exactly one of two admins releases it at once on two replicas', async () => {
      const [one, two] = [replica(), replica()];
      const { id } = await strictBesideLoose(one);
      if (!ada || !nora) throw new Error('Two admins');
      await pausePolicy(one.deps, id, 1, 'UOTHER');
      const changes = await Promise.all([
        releasePolicy(one.deps, id, 1, ada, false),
        releasePolicy(two.deps, id, 1, nora, false),
      ]);
      expect(changes.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
    });
  });

  test('keeps to the period of limits and the second approval that its admins agreed under', async () => {
    const own = replica();
    await giveLimit(db, MIA, 1_000, START);
    await declare(own.deps);
    const rulesOf = (secondAbove: number | undefined) => ({ approvers: [], hours: 4, secondAbove, skipsAway: false });
    const save = (secondAbove: number | undefined) =>
      db
        .transaction()
        .execute((trx) => saveApproverRules(trx, rulesOf(secondAbove), { by: ADMINS[0], detail: '' }, clock.now()));
    await save(1_150);
    await activeOf(own.deps, RAISES);
    await save(undefined);
    const id = await askFor(own, { for: MIA, amount: 1_200 });
    expect(await findDecision(db, id)).toMatchObject({ outcome: 'person', reason: 'second_approval' });
    await moveRequest(own.deps, id, policyPerson(MIA), { kind: 'withdraw' });
    await db.transaction().execute((trx) => chooseLimitPeriod(trx, 'year', ADMINS[0], clock.now()));
    const second = await askFor(own, { for: MIA, amount: 1_100 });
    expect(await findDecision(db, second)).toMatchObject({ outcome: 'person', reason: 'period_changed' });
    await moveRequest(own.deps, second, policyPerson(MIA), { kind: 'withdraw' });
    await db.transaction().execute((trx) => chooseLimitPeriod(trx, 'month from 15', ADMINS[0], clock.now()));
    const third = await askFor(own, { for: MIA, amount: 1_100 });
    expect(await findDecision(db, third)).toMatchObject({ outcome: 'person', reason: 'period_changed' });
    await moveRequest(own.deps, third, policyPerson(MIA), { kind: 'withdraw' });
    await db.transaction().execute((trx) => chooseLimitPeriod(trx, 'month', ADMINS[0], clock.now()));
    await askFor(own, { for: MIA, amount: 1_100 });
    expect(puts).toEqual([{ email: emailOf(MIA), limit: 1_100 }]);
  });

  test('prepares a first limit once for a person, whatever their e-mails', async () => {
    const [old, later] = [memberId(7), memberId(8)];
    world.seen = new Map([[old, '2026-03-08']]);
    world.aliases = new Map([[old, [emailOf(later)]]]);
    const own = replica();
    await activeOf(own.deps, FIRST_LIMITS, 'First limits');
    const prepared = async () => {
      await runJobs(own);
      return listRequests(db, ['pending']);
    };
    const [request, ...others] = await prepared();
    expect(others).toEqual([]);
    await moveRequest(own.deps, request?.id ?? '', policyPerson(ADMINS[0]), { kind: 'deny', comment: 'No' });
    expect(await prepared()).toEqual([]);
  });

  test('counts one person of two e-mails once in what others requested lately', async () => {
    const members = [11, 12, 13, 14, 15].map((index) => memberId(index));
    const [first = '', later] = [members[0], memberId(16)];
    world.seen = new Map([[first, '2026-01-20']]);
    world.aliases = new Map([[first, [emailOf(later)]]]);
    const own = replica();
    const shown = async () =>
      (await readAskFacts(own.deps, { email: emailOf(MIA), seesPeople: false, role: 'member' })).others;
    for (const member of [...members, later]) await askFor(own, { for: member, amount: 1_000 });
    expect(await shown()).toBeUndefined();
    await askFor(own, { for: memberId(17), amount: 1_000 });
    expect(await shown()).toContain('6 other people');
  });

  test('counts the most grants of a person over all of their e-mails', async () => {
    const [old, later] = [memberId(7), memberId(8)];
    world.seen = new Map([[old, '2026-01-20']]);
    world.aliases = new Map([[old, [emailOf(later)]]]);
    const own = replica();
    for (const each of [old, later]) await giveLimit(db, each, 1_000, START);
    await declare(own.deps);
    await activeOf(own.deps, { ...RAISES, times: 1 });
    await askFor(own, { for: old, amount: 1_200 });
    const second = await askFor(own, { for: later, amount: 1_200 });
    expect(await findDecision(db, second)).toMatchObject({ outcome: 'person', reason: 'times' });
    expect(puts).toEqual([{ email: emailOf(old), limit: 1_200 }]);
  });

  test('grants nothing after a backup was restored, until an admin resumes it', async () => {
    world.seen = new Map([[memberId(5), '2026-03-08']]);
    const own = replica();
    await giveLimit(db, MIA, 1_000, START);
    await declare(own.deps);
    const policy = await activeOf(own.deps, RAISES);
    await activeOf(own.deps, FIRST_LIMITS, 'First limits');
    pass(HOUR_MS);
    world.gap = { since: START, until: clock.now() };
    const id = await askFor(own, { for: MIA, amount: 1_200 });
    await runJobs(own);
    expect(puts).toEqual([]);
    expect((await findRequest(db, id))?.state).toBe('pending');
    expect(await policyNow(db, policy.id)).toMatchObject({ state: 'paused', pauseReason: 'gap' });
    pass(MINUTE_MS);
    await moveRequest(own.deps, id, policyPerson(MIA), { kind: 'withdraw' });
    await resumePolicy(own.deps, policy.id, 1, ADMINS[0]);
    await askFor(own, { for: MIA, amount: 1_200 });
    expect(puts).toEqual([{ email: emailOf(MIA), limit: 1_200 }]);
  });

  test('in its dry run only says what it would have done', async () => {
    const own = replica();
    await giveLimit(db, MIA, 1_000, START);
    await declare(own.deps);
    await activeOf(own.deps, { ...RAISES, dryRunDays: 7 });
    const id = await askFor(own, { for: MIA, amount: 1_200 });
    expect(puts).toEqual([]);
    const decision = await findDecision(db, id);
    expect(decision).toMatchObject({ outcome: 'person', policyId: null });
    expect(JSON.parse(decision?.dryRun ?? '{}')).toMatchObject({ name: 'Small raises', outcome: 'grant' });
    await moveRequest(own.deps, id, policyPerson(MIA), { kind: 'withdraw' });
    pass(7 * DAY_MS);
    await askFor(own, { for: MIA, amount: 1_200 });
    expect(puts).toHaveLength(1);
  });

  test('whose process ends after the decision is sent once by the next one', async () => {
    const dying = replica((name) => {
      if (name === 'limits:after_claim') throw new Error('The process ended');
    });
    await giveLimit(db, MIA, 1_000, START);
    await declare(dying.deps);
    await activeOf(dying.deps, RAISES);
    await expect(askFor(dying, { for: MIA, amount: 1_200 })).rejects.toThrow('The process ended');
    pass(2 * MINUTE_MS);
    await runJobs(replica());
    await runJobs(replica());
    expect(puts).toEqual([{ email: emailOf(MIA), limit: 1_200 }]);
  });
});
