import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { listDue } from '../../../src/features/limits/apply/leases.ts';
import { limitsOf } from '../../../src/features/limits/core/ledger.ts';
import { withLimits, type LimitDatabase } from '../../../src/features/limits/core/limit-tables.ts';
import { beginReturns } from '../../../src/features/limits/decide/returns.ts';
import { readCurrentLimits } from '../../../src/features/limits/views/ending-facts.ts';
import { requestRetention } from '../../../src/features/limits/limit-retention.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { limitParts, personAt, PLACE, playLimits } from '../../support/limits/limit-model.ts';
import { limitScripts } from '../../support/limits/limit-scripts.ts';

/** All scripted events have happened by then. */
const LATER = new Date('2030-03-02T09:00:00Z');
const OVER = new Set(['applied', 'partly_applied', 'left', 'denied', 'withdrawn', 'expired']);
const EMAILS = Array.from({ length: 6 }, (_, index) => `p${index}@acme.example`);

/** The known present limits of all people. */
async function knowledgeOf(db: LimitDatabase) {
  const known = await limitsOf(db, EMAILS);
  return {
    known: EMAILS.map((email) => known(email)),
    limits: (await readCurrentLimits(db)).toSorted((a, b) => (a.email < b.email ? -1 : 1)),
  };
}

async function everything(db: LimitDatabase) {
  return {
    requests: await db.selectFrom('limitRequests').selectAll().orderBy('id').execute(),
    people: await db.selectFrom('limitRequestPeople').selectAll().orderBy('requestId').orderBy('email').execute(),
    ledger: await db.selectFrom('limitLedger').selectAll().orderBy('requestId').orderBy('email').execute(),
  };
}

const prune = async (db: LimitDatabase, batches = Infinity) => {
  let left = batches;
  for await (const _ of requestRetention.prune(db, LATER)) if ((left -= 1) <= 0) return;
};

describe.each(availableEngines())('requests past their retention, on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let db: LimitDatabase;
  beforeAll(async () => {
    database = await createDatabase(engine);
    store = await openStore(database.url);
    db = withLimits(store.db);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  test('are deleted without losing any present limit, and no limit is set again', async () => {
    let gone = 0;
    let stayed = 0;
    await fc.assert(
      fc.asyncProperty(limitScripts, fc.nat(3), async (script, batches) => {
        await playLimits(store.db, script);
        const before = await knowledgeOf(db);
        const whole = await everything(db);
        // It dies in the middle, and another process resumes.
        await prune(db, batches);
        expect(await knowledgeOf(db)).toEqual(before);
        await prune(db);
        await prune(db);
        expect(await knowledgeOf(db)).toEqual(before);
        const left = await everything(db);
        gone += whole.requests.length - left.requests.length;
        stayed += left.requests.length;
        expect(left.ledger.map(({ email }) => email)).toHaveLength(
          before.known.filter(({ kind }) => kind === 'set').length,
        );
        const needless = left.requests.filter(({ id, parentId: parent, state, until }) => {
          const isReturnOfKept = left.requests.some((request) => request.id === parent);
          const isKnown = left.ledger.some(({ requestId: request }) => request === id);
          return OVER.has(state) && until === null && !isKnown && !isReturnOfKept;
        });
        expect(needless).toEqual([]);
        const clock = createMovableClock(LATER, { frozen: true });
        const platform = { limits: { setUserLimits: () => Promise.reject(new Error('Nothing is set here')) } };
        await beginReturns(limitParts(db, clock, { platform }), () => Promise.resolve(PLACE));
        expect((await everything(db)).requests).toEqual(left.requests);
        const due = new Set(await listDue(db));
        expect(left.requests.filter(({ id, state }) => due.has(id) && OVER.has(state))).toEqual([]);
        clock.dispose();
      }),
      { numRuns: engine === 'sqlite' ? 40 : 10 },
    );
    expect(gone).toBeGreaterThan(0);
    expect(stayed).toBeGreaterThan(0);
  }, 120_000);

  test('never pass their id to another request, whose card would not be posted', async () => {
    await playLimits(store.db, []);
    const clock = createMovableClock(LATER);
    const platform = { limits: { setUserLimits: () => Promise.reject(new Error('Nothing is set here')) } };
    const contents = { kind: 'ask', reason: 'x', people: [{ email: 'p1@acme.example', to: 5 }] } as const;
    const ask = (random: () => number) =>
      makeRequest(limitParts(db, clock, { platform, random }), PLACE, personAt(0), contents);
    const first = await ask(() => 0);
    await db.deleteFrom('limitRequests').execute();
    const { deliveryRetention } = await import('../../../src/core/outbox/forget.ts');
    await db.updateTable('deliveries').set({ state: 'sent' }).execute();
    for await (const _ of deliveryRetention({}).prune(store.db, new Date('2031-01-01T00:00:00Z')));
    let asked = 0;
    const second = await ask(() => ((asked += 1) <= 5 ? 0 : 0.5));
    expect(second).not.toBe(first);
    const cards = await db.selectFrom('deliveries').select('key').execute();
    expect(cards).toEqual([{ key: `limit-card:${second}:channel` }]);
    clock.dispose();
  });
});
