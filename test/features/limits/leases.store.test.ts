import { noCheckpoint, type Checkpoint } from '../../../src/core/base/checkpoint.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createApplier } from '../../../src/features/limits/apply/applier.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import type { LimitDeps } from '../../../src/features/limits/core/limits-deps.ts';
import { findRequest, peopleOf } from '../../../src/features/limits/core/requests.ts';
import type { LimitsResult } from '../../../src/core/platform/endpoints/limits.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { limitParts, personAt, PLACE, SHOWS_NO_LIMITS } from '../../support/limits/limit-model.ts';
import { stoppable } from '../../support/time-jump.ts';

const START = new Date('2026-03-02T09:00:00Z');
const EMAIL = 'p1@acme.example';
/** Past three quarters of a lease, and past all of it. */
const TOO_LATE_MS = 70_000;
/** With two waits for the platform, longer than a lease. */
const SLOW_PUT_MS = 60_000;
const AFTER_THE_LEASE_MS = 91_000;
const SET: LimitsResult = { updated: [{ email: EMAIL, limit: 700 }], errors: [] };
const REFUSED: LimitsResult = { updated: [], errors: [{ email: EMAIL, error: 'User not found' }] };

describe.each(availableEngines())('a lease on a request on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let clock: MovableClock;
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  /** A replica, and a limit that is approved but not sent. */
  const replica = (
    setUserLimits: LimitDeps['platform']['limits']['setUserLimits'],
    checkpoint: Checkpoint = noCheckpoint,
    rest: Partial<LimitDeps> = {},
  ) => {
    const platform = { limits: { setUserLimits } };
    const parts = limitParts(withLimits(store.db), clock, { platform, checkpoint, ...rest });
    return { parts, applier: createApplier(parts, () => Promise.resolve(PLACE)) };
  };
  const approve = async () => {
    database = await createDatabase(engine);
    clock = createMovableClock(START, { frozen: true });
    store = await openStore(database.url, undefined, () => clock.now());
    const { parts } = replica(() => Promise.reject(new Error('sending is not expected yet')));
    const people = [{ email: EMAIL, slackId: 'U1', from: undefined, to: 700, returnTo: undefined }];
    const id = await makeRequest(parts, PLACE, personAt(1), { kind: 'ask', reason: 'x', until: undefined, people });
    if (id === undefined) throw new Error('Nothing was asked');
    const nothing = { lowered: new Map(), leftOut: new Set<string>(), returns: new Map(), highestReturn: undefined };
    await moveRequest(parts, id, personAt(5), { kind: 'approve', comment: '', isConfirmed: false, ...nothing });
    return { id, people: 1 };
  };
  const stateOf = async (id: string) => {
    const db = withLimits(store.db);
    const [person] = await peopleOf(db, id);
    return {
      state: (await findRequest(db, id))?.state,
      person: person?.state,
      entries: (await db.selectFrom('limitLedger').select('value').execute()).map(({ value }) => value),
      answered: (await listAuditEntries(store.db, `limits:${id}`)).filter(({ action }) => action === 'answered').length,
    };
  };
  const isSetOnce = { state: 'applied', person: 'set', entries: [700], answered: 1 };

  test('that is nearly over when its process wakes prevents the PUT; another replica sends it', async () => {
    const request = await approve();
    const process = stoppable();
    const puts: string[] = [];
    const sent = (by: string) => () => {
      puts.push(by);
      return Promise.resolve(SET);
    };
    const late = replica(sent('late'), (name) => {
      if (name === 'limits:before_put') process.sleep(TOO_LATE_MS);
    });
    await late.applier.apply(request);
    expect(puts).toEqual([]);
    clock.moveTo(new Date(START.getTime() + AFTER_THE_LEASE_MS));
    await replica(sent('other')).applier.apply(request);
    expect(puts).toEqual(['other']);
    expect(await stateOf(request.id)).toEqual(isSetOnce);
  });

  test('may end before the answer arrives: the late process changes nothing', async () => {
    const request = await approve();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<LimitsResult>();
    const late = replica(() => {
      asked.resolve();
      return answer.promise;
    }).applier.apply(request);
    await asked.promise;
    clock.moveTo(new Date(START.getTime() + AFTER_THE_LEASE_MS));
    await replica(() => Promise.resolve(SET)).applier.apply(request);
    answer.resolve(REFUSED);
    await late;
    expect(await stateOf(request.id)).toEqual(isSetOnce);
  });

  test('is kept while a slow platform is read back: no other replica sends the same limit', async () => {
    const request = await approve();
    const puts: string[] = [];
    const later = (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms));
    const capabilities: LimitDeps['capabilities'] = {
      ...SHOWS_NO_LIMITS,
      readLimits: () => {
        const limits = { everybody: null, own: new Map([[EMAIL, 600]]) };
        return Promise.resolve({ kind: 'read', at: clock.now(), limits });
      },
    };
    const sent = (by: string, takesMs: number) => () => {
      puts.push(by);
      later(takesMs);
      return Promise.resolve(SET);
    };
    const slow = replica(sent('slow', SLOW_PUT_MS), undefined, { capabilities }).applier.apply(request);
    const other = replica(sent('other', 0), undefined, { capabilities }).applier;
    await vi.waitFor(() => expect(puts).toHaveLength(1));
    for (const waitMs of [10_000, 40_000]) {
      await vi.waitFor(() => expect(clock.untilNextMs()).toBe(waitMs));
      later(waitMs - 1);
      await other.apply(request);
      later(1);
    }
    await slow;
    expect(puts).toEqual(['slow']);
    expect(await stateOf(request.id)).toMatchObject({ state: 'outcome_unknown', person: 'unknown' });
  });
});
