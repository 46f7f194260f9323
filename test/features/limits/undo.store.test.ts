import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../../src/core/base/checkpoint.ts';
import { createApplier } from '../../../src/features/limits/apply/applier.ts';
import { listDue } from '../../../src/features/limits/apply/leases.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { undoIdOf } from '../../../src/features/limits/core/ids.ts';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import { findRequest, peopleOf } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import type { Decision } from '../../../src/features/limits/decide/decision.ts';
import { createTimeline } from '../../../src/features/limits/views/limits-digest-section.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { limitParts, numbersIn, personAt, PLACE } from '../../support/limits/limit-model.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-02T09:00:00Z');
const EMAIL = 'p1@acme.example';
const APPROVE: Decision = {
  kind: 'approve',
  comment: '',
  isConfirmed: false,
  lowered: new Map(),
  leftOut: new Set<string>(),
  returns: new Map(),
  highestReturn: undefined,
};
const UNDO: Decision = { kind: 'undo' };

describe.each(availableEngines())('an undo on %s', (engine) => {
  const clock = createMovableClock(START, { frozen: true });
  let database: TestDatabase;
  let store: Store;
  let puts: number[];
  beforeEach(async () => {
    clock.moveTo(START);
    puts = [];
    database = await createDatabase(engine);
    store = await openStore(database.url, undefined, () => clock.now());
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const replica = (checkpoint?: Checkpoint) => {
    const parts = limitParts(withLimits(store.db), clock, {
      platform: {
        limits: {
          setUserLimits: (limits) => {
            puts.push(...numbersIn(limits).map(({ limit }) => limit));
            return Promise.resolve({ updated: [...limits], errors: [] });
          },
        },
      },
      ...(checkpoint ? { checkpoint } : {}),
    });
    return { parts, applier: createApplier(parts, () => Promise.resolve(PLACE)) };
  };
  const pass = (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms));

  /** Lets a user request a limit, and an admin approve it. */
  const approve = async (to: number, { isSent = true } = {}) => {
    const { parts, applier } = replica();
    const people = [{ email: EMAIL, slackId: 'U1', from: undefined, to, returnTo: undefined }];
    const id = await makeRequest(parts, PLACE, personAt(1), { kind: 'ask', reason: 'x', until: undefined, people });
    if (id === undefined) throw new Error('Nothing was asked');
    await moveRequest(parts, id, personAt(5), APPROVE);
    if (isSent) await applier.apply({ id, people: 1 });
    pass(1_000);
    return id;
  };
  const sendDue = async () => {
    const { parts, applier } = replica();
    for (const id of await listDue(parts.db)) await applier.apply({ id, people: 1 });
  };

  test('is told in one sentence with the limit that it undoes, on the same day; on a later day by itself', async () => {
    await approve(500);
    pass(86_400_000);
    const id = await approve(700);
    await moveRequest(replica().parts, id, personAt(4), UNDO);
    await sendDue();
    const { parts } = replica();
    const told = await createTimeline(parts)({ first: '2026-03-01', last: '2026-03-31' });
    expect(told.map(({ day, sentence }) => `${day} ${sentence}`)).toEqual([
      '2026-03-02 one credit limit was set',
      '2026-03-03 one credit limit was set, then undone',
    ]);
    const later = await createTimeline(parts)({ first: '2026-03-03', last: '2026-03-03' });
    expect(later).toHaveLength(1);
    await parts.db
      .updateTable('limitLedger')
      .set({ setAt: '2026-03-04T00:00:01.000Z' })
      .where('requestId', '!=', id)
      .where('setAt', '>', '2026-03-03')
      .execute();
    expect(
      (await createTimeline(parts)({ first: '2026-03-03', last: '2026-03-04' })).map(({ sentence }) => sentence),
    ).toEqual(['one credit limit was set', 'one credit limit was set by an undo']);
  });

  test('by several admins at once, on two replicas, is done once; the others see who was faster', async () => {
    await approve(500);
    const id = await approve(700);
    let toCome = 4;
    const haveAllRead = Promise.withResolvers<void>();
    const wait: Checkpoint = (name) => {
      if (name !== 'limits:before_decision') return undefined;
      toCome -= 1;
      if (toCome === 0) haveAllRead.resolve();
      return haveAllRead.promise;
    };
    const replicas = [replica(wait), replica(wait)];
    const results = await Promise.all(
      [4, 5, 4, 5].map((index, turn) =>
        moveRequest((replicas[turn % 2] ?? replica()).parts, id, personAt(index), UNDO),
      ),
    );
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['moved', 'refused', 'refused', 'refused']);
    const undoneBy = (await findRequest(withLimits(store.db), id))?.undoneBy;
    for (const result of results.filter(({ kind }) => kind === 'refused'))
      expect(result).toMatchObject({ reason: 'undone', request: { undoneBy } });
    await Promise.all([sendDue(), sendDue()]);
    expect(puts).toEqual([500, 700, 500]);
    const entries = await listAuditEntries(store.db, `limits:${id}`);
    expect(entries.filter(({ action }) => action === 'undo')).toHaveLength(1);
  });

  test('whose process ends after the click is sent once by the next one', async () => {
    await approve(500);
    const id = await approve(700);
    const dying = replica((name) => {
      if (name === 'limits:after_decision') throw new Error('The process ended');
    });
    await expect(moveRequest(dying.parts, id, personAt(4), UNDO)).rejects.toThrow('The process ended');
    expect(puts).toEqual([500, 700]);
    expect(await moveRequest(replica().parts, id, personAt(4), UNDO)).toMatchObject({ reason: 'undone' });
    await sendDue();
    await sendDue();
    expect(puts).toEqual([500, 700, 500]);
    expect(await findRequest(withLimits(store.db), undoIdOf(id))).toMatchObject({ state: 'applied', decidedBy: 'U4' });
  });

  test('is refused while another approved request is on its way', async () => {
    await approve(500);
    const id = await approve(700);
    await approve(900, { isSent: false });
    expect(await moveRequest(replica().parts, id, personAt(4), UNDO)).toMatchObject({ reason: 'changed_since' });
    await sendDue();
    expect(puts).toEqual([500, 700, 900]);
  });

  test('is not sent after a later request has set the limit', async () => {
    await approve(500);
    const id = await approve(700);
    expect(await moveRequest(replica().parts, id, personAt(4), UNDO)).toMatchObject({ kind: 'moved' });
    pass(1_000);
    const later = await approve(900);
    await sendDue();
    expect(puts).toEqual([500, 700, 900]);
    const [person] = await peopleOf(withLimits(store.db), undoIdOf(id));
    expect(person).toMatchObject({ state: 'superseded', error: `Not sent: request ${later} has set 900 since.` });
  });
});
