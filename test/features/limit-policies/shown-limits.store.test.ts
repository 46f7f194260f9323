import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCapabilities } from '../../../src/core/platform/capabilities/capabilities.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import type { UserLimit } from '../../../src/core/platform/endpoints/limits.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/durations.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { readAmountRule } from '../../../src/features/limits/core/amount-rule.ts';
import { limitOf } from '../../../src/features/limits/core/ledger.ts';
import { findRequest } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import {
  activeOf,
  ADMINS,
  askFor,
  declare,
  emailOf,
  giveLimit,
  giveTemporaryLimit,
  policyPerson,
  policyReplica,
  RAISES,
  runJobs,
  worldOf,
} from '../../support/limits/policy-scene.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-10T09:00:00Z');
const MIA = emailOf('U1');

type Answer = 'shows' | 404 | 403 | 503;

interface Row {
  state: string;
  /** The answers, an hour apart. The last one is the present one. */
  answers: readonly Answer[];
  /** A wait before the last answer. */
  waitMs?: number;
  /** What is known of a limit of 1,000 that was set here, and that is 3,000 on the platform. */
  limit: { kind: string; value: number; isCurrent?: boolean };
  /** What a policy does about a raise, without and with the declaration that limits are set only here. */
  policy: readonly [string, string];
  /** What is sent of a change that an admin approves against that limit. */
  approved: readonly (number | null)[];
  /** What is sent at the end of a raise of a person who had no limit of their own. */
  end: readonly (number | null)[];
  minimum: number;
}

const SET = { kind: 'set', value: 1_000 };
const AS_TODAY = { limit: SET, policy: ['prepare', 'grant'], approved: [3_500], end: [2_000], minimum: 0 } as const;
const LAST_VALUE = { kind: 'shown', value: 3_000, isCurrent: false };
const WAITS = { limit: LAST_VALUE, policy: ['prepare', 'prepare'], approved: [], end: [], minimum: 1_000_000 } as const;

/** The states of the operation that shows limits, and what each of them means for the features that use it. */
const ROWS: readonly Row[] = [
  {
    state: 'reads',
    answers: ['shows'],
    limit: { kind: 'shown', value: 3_000, isCurrent: true },
    policy: ['grant', 'grant'],
    approved: [3_500],
    end: [null],
    minimum: 1_000_000,
  },
  { state: 'none', answers: [404], ...AS_TODAY },
  { state: 'refused', answers: [403], ...AS_TODAY },
  { state: 'refused', answers: ['shows', 403], ...AS_TODAY },
  { state: 'lost', answers: ['shows', 404], ...WAITS },
  { state: 'none', answers: ['shows', 404, 404], waitMs: DAY_MS, ...AS_TODAY },
  { state: 'failed', answers: ['shows', 503], ...WAITS },
  { state: 'lost', answers: ['shows', 404, 503], ...WAITS },
];

describe.each(availableEngines())('the limits in force, by what the platform answers, on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  const clock = createMovableClock(START, { frozen: true });
  beforeEach(async () => {
    clock.moveTo(START);
    database = await createDatabase(engine);
    store = await openStore(database.url, undefined, () => clock.now());
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });
  const pass = (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms));

  async function start({ answers, waitMs = 0 }: Pick<Row, 'answers' | 'waitMs'>) {
    const db = withPolicies(store.db);
    const own = new Map<string, number | undefined>([[MIA, 3_000]]);
    let answer: Answer = 'shows';
    const read = () => {
      if (answer === 'shows') return Promise.resolve({ everybody: 2_000, own });
      const code = answer === 404 ? 'not_found' : answer === 403 ? 'forbidden' : 'server_error';
      return Promise.reject(new PlatformError({ code, status: answer, method: 'GET', path: '/limits', detail: '' }));
    };
    const capabilities = createCapabilities({
      platform: { shownLimits: { read }, roster: { read: () => Promise.resolve([]) } },
      db: store.db,
      clock,
      log: createLogger('silent', []),
    });
    const puts: UserLimit[] = [];
    const setUserLimits = (limits: readonly UserLimit[]) => {
      puts.push(...limits);
      for (const { email, limit } of limits)
        if (limit === null) own.delete(email);
        else own.set(email, limit);
      return Promise.resolve({ updated: limits.map((one) => ({ ...one })), errors: [] });
    };
    const replica = policyReplica(db, clock, worldOf(), () => Promise.reject(new Error('unused')), undefined, {
      platform: { limits: { setUserLimits } },
      capabilities,
    });
    await giveLimit(db, 'U1', 1_000, new Date('2026-02-01T00:00:00Z'));
    for (const [index, next] of answers.entries()) {
      answer = next;
      pass(HOUR_MS + (index === answers.length - 1 ? waitMs : 0));
      await capabilities.readLimits(0);
      pass(61_000);
    }
    return { db, own, puts, replica, capabilities };
  }

  describe.each(ROWS)('$state after $answers', (row) => {
    test('are known, and decide the smallest limit', async () => {
      const { db, capabilities } = await start(row);
      expect((await capabilities.limits())?.state).toBe(row.state);
      expect(await limitOf(db, MIA)).toMatchObject(row.limit);
      expect((await readAmountRule({ capabilities, config: { limitMinimum: undefined } })).minimum).toBe(row.minimum);
    });

    test.each([false, true])('decide what a policy does, with the declaration: %s', async (isDeclared) => {
      const { db, replica } = await start(row);
      await activeOf(replica.deps, { ...RAISES, percent: 400 });
      if (isDeclared) await declare(replica.deps);
      await askFor(replica, { for: 'U1', amount: 3_500 });
      const { outcome } = await db.selectFrom('limitPolicyDecisions').select('outcome').executeTakeFirstOrThrow();
      expect(outcome).toBe(row.policy[isDeclared ? 1 : 0]);
    });

    test('decide whether an approved change is sent', async () => {
      const { db, puts, replica } = await start(row);
      const id = await askFor(replica, { for: 'U1', amount: 3_500 });
      await moveRequest(replica.deps, id, policyPerson(ADMINS[1]), APPROVAL);
      const request = await findRequest(db, id);
      if (request) await replica.applier.apply(request);
      expect(puts.map(({ limit }) => limit)).toEqual(row.approved);
    });

    test('decide what the end of a raise sends', async () => {
      const { db, own, puts, replica } = await start(row);
      const until = new Date(clock.now().getTime() + HOUR_MS);
      await giveTemporaryLimit(db, 'U2', { value: 4_000, returnTo: 2_000, until }, clock.now());
      await db.updateTable('limitRequestPeople').set({ returnsToNone: 1 }).where('email', '=', emailOf('U2')).execute();
      own.set(emailOf('U2'), 4_000);
      pass(HOUR_MS);
      await runJobs(replica);
      expect(puts.map(({ limit }) => limit)).toEqual(row.end);
    });
  });

  test('count as unclear if the platform names a person twice, and no policy decides then', async () => {
    const { db, own, replica, capabilities } = await start({ answers: ['shows'] });
    own.set(MIA, undefined);
    await capabilities.readLimits(0);
    expect(await limitOf(db, MIA)).toMatchObject({ kind: 'unclear' });
    await activeOf(replica.deps, RAISES);
    await askFor(replica, { for: 'U1', amount: 3_500 });
    const { reason } = await db.selectFrom('limitPolicyDecisions').select('reason').executeTakeFirstOrThrow();
    expect(reason).toBe('limit_unclear');
  });
});

const APPROVAL = {
  kind: 'approve',
  comment: '',
  isConfirmed: true,
  lowered: new Map(),
  leftOut: new Set<string>(),
  returns: new Map(),
  highestReturn: undefined,
} as const;
