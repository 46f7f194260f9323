import { afterEach, describe, expect, test } from 'vitest';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import { findRequest } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import type { Decision } from '../../../src/features/limits/decide/decision.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { limitParts, personAt, PLACE } from '../../support/limits/limit-model.ts';

const START = new Date('2026-03-02T09:00:00Z');
const NOTHING_CHANGED = {
  lowered: new Map(),
  leftOut: new Set<string>(),
  returns: new Map(),
  highestReturn: undefined,
};
const APPROVE: Decision = { kind: 'approve', comment: '', isConfirmed: false, ...NOTHING_CHANGED };
const DENY: Decision = { kind: 'deny', comment: 'no' };

describe.each(availableEngines())(
  'several admins who decide on %s about a request that all saw as pending',
  (engine) => {
    let database: TestDatabase;
    let store: Store;
    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    test('produce one decision, and the others see it', async () => {
      database = await createDatabase(engine);
      const clock = createMovableClock(START, { frozen: true });
      store = await openStore(database.url, undefined, () => clock.now());
      const db = withLimits(store.db);
      const people = [{ email: 'p1@acme.example', slackId: 'U1', from: undefined, to: 700, returnTo: undefined }];
      const wanted = { kind: 'ask', reason: 'x', until: undefined, people } as const;
      const id = (await makeRequest(limitParts(db, clock, unsent), PLACE, personAt(1), wanted)) ?? '';

      const decisions = [APPROVE, DENY, APPROVE, DENY];
      let toCome = decisions.length;
      const haveAllRead = Promise.withResolvers<void>();
      const parts = limitParts(db, clock, {
        ...unsent,
        checkpoint: (name) => {
          if (name !== 'limits:before_decision') return undefined;
          toCome -= 1;
          if (toCome === 0) haveAllRead.resolve();
          return haveAllRead.promise;
        },
      });
      const results = await Promise.all(
        decisions.map((decision, index) => moveRequest(parts, id, personAt(5 + index), decision)),
      );

      expect(results.map(({ kind }) => kind).toSorted()).toEqual(['moved', 'refused', 'refused', 'refused']);
      const decided = await findRequest(db, id);
      for (const result of results) expect(result).toMatchObject({ request: { decidedBy: decided?.decidedBy } });
      const decisionsNoted = (await listAuditEntries(store.db, `limits:${id}`)).filter(({ action }) =>
        ['approved', 'denied'].includes(action),
      );
      expect(decisionsNoted).toHaveLength(1);
    });
  },
);

const unsent = {
  platform: { limits: { setUserLimits: () => Promise.reject(new Error('sending is not expected here')) } },
};
