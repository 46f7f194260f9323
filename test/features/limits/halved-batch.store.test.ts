import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Limits, UserLimit } from '../../../src/core/platform/endpoints/limits.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { createApplier } from '../../../src/features/limits/apply/applier.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import { peopleOf } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { limitParts, personAt, PLACE } from '../../support/limits/limit-model.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-02T09:00:00Z');
const emailAt = (index: number) => `p${index}@acme.example`;
const refusal = (status: number, code: 'invalid_request' | 'forbidden') =>
  new PlatformError({ code, status, statement: 'limit: at least 1000000', method: 'PUT', path: '/x', detail: 'log' });

describe.each(availableEngines())('a batch that the platform refuses as a whole, on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  const clock = createMovableClock(START, { frozen: true });
  beforeEach(async () => {
    database = await createDatabase(engine);
    store = await openStore(database.url, undefined, () => clock.now());
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  /** Sends an approved request for these people. @returns their states and errors, in their order */
  async function send(people: number, setUserLimits: Limits['setUserLimits']) {
    const parts = limitParts(withLimits(store.db), clock, { platform: { limits: { setUserLimits } } });
    const wanted = Array.from({ length: people }, (_, index) => ({
      email: emailAt(index),
      slackId: `U${index}`,
      from: undefined,
      to: 700,
      returnTo: undefined,
    }));
    const request = { kind: 'ask' as const, reason: 'x', until: undefined, people: wanted };
    const id = await makeRequest(parts, PLACE, personAt(people + 1), request);
    if (id === undefined) throw new Error('Nothing was asked');
    const nothing = { lowered: new Map(), leftOut: new Set<string>(), returns: new Map(), highestReturn: undefined };
    const approval = { kind: 'approve' as const, comment: '', isConfirmed: true, ...nothing };
    await moveRequest(parts, id, personAt(people + 5), approval);
    await createApplier(parts, () => Promise.resolve(PLACE)).apply({ id, people });
    const stored = new Map((await peopleOf(withLimits(store.db), id)).map((person) => [person.email, person]));
    return Array.from({ length: people }, (_, index) => stored.get(emailAt(index)));
  }

  test('is halved until only those whom it refuses are left, with its reason', async () => {
    const bad = fc
      .integer({ min: 1, max: 13 })
      .chain((people) => fc.record({ people: fc.constant(people), refused: fc.uniqueArray(fc.nat(people - 1)) }));
    await fc.assert(
      fc.asyncProperty(bad, async ({ people, refused }) => {
        const isBad = ({ email }: UserLimit) => refused.some((index) => emailAt(index) === email);
        const set: string[] = [];
        const stored = await send(people, async (users) => {
          if (users.some(isBad)) throw refusal(400, 'invalid_request');
          set.push(...users.map(({ email }) => email));
          return { updated: users.map(({ email, limit }) => ({ email, limit })), errors: [] };
        });
        const states = stored.map((person) => person?.state);
        expect(states).toEqual(Array.from({ length: people }, (_, at) => (refused.includes(at) ? 'failed' : 'set')));
        // Nobody's limit is sent twice with success.
        expect(new Set(set).size).toBe(set.length);
        for (const at of refused)
          expect(stored[at]?.error).toBe('The platform refused it (status 400): “limit: at least 1000000”.');
        await store.db
          .withTables<{ limitRequestPeople: object; limitLedger: object }>()
          .deleteFrom('limitLedger')
          .execute();
      }),
      { numRuns: 15 },
    );
  });

  test('is not halved for a key that may not set limits: all of it fails at once', async () => {
    let puts = 0;
    const stored = await send(6, () => {
      puts += 1;
      return Promise.reject(refusal(403, 'forbidden'));
    });
    expect(puts).toBe(1);
    expect(new Set(stored.map((person) => person?.state))).toEqual(new Set(['failed']));
  });

  test('fails as a whole if the key is refused while its halves are sent', async () => {
    let puts = 0;
    const stored = await send(4, () => {
      puts += 1;
      return Promise.reject(puts === 1 ? refusal(400, 'invalid_request') : refusal(403, 'forbidden'));
    });
    expect(puts).toBe(2);
    expect(new Set(stored.map((person) => person?.state))).toEqual(new Set(['failed']));
  });
});
