import { expect, test } from 'vitest';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import {
  activeOf,
  askFor,
  declare,
  giveLimit,
  memberId,
  policyReplica,
  RAISES,
  worldOf,
} from '../../support/limits/policy-scene.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const MEMBERS = Array.from({ length: 8 }, (_, index) => memberId(index + 1));

test.each(availableEngines())('two replicas keep to the caps together in one second, on %s', async (engine) => {
  const database = await createDatabase(engine);
  const clock = createMovableClock(new Date('2026-03-10T09:00:00Z'), { frozen: true });
  const puts: number[] = [];
  const open = () => openStore(database.url, undefined, () => clock.now());
  const stores = await Promise.all([open(), open()]);
  const [one, other] = stores.map((store) =>
    policyReplica(withPolicies(store.db), clock, worldOf(), (limits) => {
      puts.push(...limits.map(({ limit }) => limit));
      return Promise.resolve({ updated: [...limits], errors: [] });
    }),
  );
  if (!one || !other) throw new Error('There are two replicas');
  await declare(one.deps);
  for (const member of MEMBERS) await giveLimit(one.deps.db, member, 1_000, new Date('2026-02-01T00:00:00Z'));
  // Three grants fit into the first cap, and two of these raises into the second.
  await activeOf(one.deps, { ...RAISES, grantsADay: 3, creditsAPeriod: 900 });
  await Promise.all([
    ...MEMBERS.map((member) => askFor(one, { for: member, amount: 1_400 })),
    ...MEMBERS.map((member) => askFor(other, { for: member, amount: 1_400 })),
  ]);
  expect(puts).toEqual([1_400, 1_400]);
  for (const store of stores) await store.close();
  await database.drop();
});
