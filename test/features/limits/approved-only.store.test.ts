import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { playLimits } from '../../support/limits/limit-model.ts';
import { limitScripts } from '../../support/limits/limit-scripts.ts';

describe.each(availableEngines())('on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await createDatabase(engine);
    store = await openStore(database.url);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const organization = fc.oneof(
    fc.record({
      fourEyes: fc.constantFrom('required' as const, 'when-possible' as const),
      hasOneAdmin: fc.boolean(),
      secondAbove: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
    }),
    fc.constant({ fourEyes: 'when-possible' as const, hasOneAdmin: true, secondAbove: undefined }),
  );

  test('a limit is set only after another person approved its value, or a limit afterwards of at least that value', async () => {
    const seen = { puts: 0, alone: 0, undos: 0, twice: 0 };
    await fc.assert(
      fc.asyncProperty(limitScripts, organization, async (script, rules) => {
        const { fourEyes, hasOneAdmin, secondAbove } = rules;
        const { puts, approvals, undos, ledger, sent } = await playLimits(store.db, script, rules);
        for (const { total, decidedBy, firstApprovedBy } of sent) {
          expect(firstApprovedBy).not.toBe(decidedBy);
          const needsTwo = secondAbove !== undefined && total > secondAbove;
          expect(!needsTwo || firstApprovedBy !== null).toBe(true);
        }
        seen.twice += sent.filter(({ firstApprovedBy }) => firstApprovedBy !== null).length;
        for (const { email, limit } of puts) {
          const fits = approvals.some(
            (one) =>
              one.email === email &&
              one.by !== email &&
              (one.value === limit || (one.back !== null && limit <= one.back)),
          );
          expect(fits, `${email} was set to ${limit}`).toBe(true);
        }
        const alone = approvals.filter(({ by, requester }) => by === requester);
        expect(alone.length === 0 || (fourEyes === 'when-possible' && hasOneAdmin)).toBe(true);
        expect(new Set(undos.map(({ request }) => request)).size).toBe(undos.length);
        for (const undo of undos) {
          expect(undo.emails).not.toContain(undo.by);
          for (const entry of ledger.filter(({ requestId }) => requestId === `${undo.request}-undo`)) {
            const own = ledger.filter(({ email }) => email === entry.email);
            const index = own.indexOf(entry);
            // The undone value is the newest one, and the one before it is set again.
            expect(own[index - 1]?.requestId).toBe(undo.request);
            expect(own[index - 2]?.value).toBe(entry.value);
          }
        }
        seen.puts += puts.length;
        seen.alone += alone.length;
        seen.undos += ledger.filter(({ requestId }) => requestId.endsWith('-undo')).length;
      }),
      { numRuns: engine === 'sqlite' ? 150 : 15 },
    );
    // Otherwise the property would hold trivially.
    expect(seen.puts).toBeGreaterThan(0);
    expect(engine === 'sqlite' ? Math.min(seen.alone, seen.undos, seen.twice) : 1).toBeGreaterThan(0);
  }, 120_000);
});
