import { afterEach, expect, test } from 'vitest';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { asStoreFault } from '../../../src/core/store/engines/store-fault.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { readCardFacts } from '../../../src/features/limits/card/request-facts.ts';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import type { LimitDeps } from '../../../src/features/limits/core/limits-deps.ts';
import { limitParts, personAt, PLACE } from '../../support/limits/limit-model.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

let database: TestDatabase;
let store: Store;
let clock: MovableClock;
afterEach(async () => {
  clock.dispose();
  await store.close();
  await database.drop();
});

async function factsWith(readHoldingBudgets: LimitDeps['readHoldingBudgets']) {
  database = await createDatabase('sqlite');
  clock = createMovableClock(new Date('2026-03-02T09:00:00Z'), { frozen: true });
  store = await openStore(database.url, undefined, () => clock.now());
  const unsent = {
    platform: { limits: { setUserLimits: () => Promise.reject(new Error('sending is not expected here')) } },
  };
  const deps = { ...limitParts(withLimits(store.db), clock, unsent), readHoldingBudgets };
  const people = [{ email: 'p1@acme.example', slackId: 'U1', from: undefined, to: 700, returnTo: undefined }];
  const id = await makeRequest(deps, PLACE, personAt(1), { kind: 'ask', reason: 'x', until: undefined, people });
  return readCardFacts(deps, id ?? '', personAt(4), false, 'channel');
}

test('a request whose budgets cannot be read is shown without them', async () => {
  const facts = await factsWith(() => Promise.reject(new Error('Slack says missing_scope')));
  expect(facts).toMatchObject({ budgets: [], request: { state: 'pending' } });
});

test('a fault of the store is one of the card, which is written again in a moment', async () => {
  const fault = asStoreFault(new Error('the disk is full'));
  await expect(factsWith(() => Promise.reject(fault))).rejects.toThrow('the disk is full');
});
