import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { beat, type BeatState } from '../../../src/core/store/health/heartbeat.ts';
import { readDataGap, findDataGap } from '../../../src/core/store/data-gap.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const MINUTE_MS = 60_000;
const START = new Date('2026-03-02T09:00:00Z');
const after = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS);

describe('a time whose writes a store may lack', () => {
  test('is empty for a process that finds its own last beat, however long it was stopped', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (sleptMinutes, othersMinutes) => {
        const facts = { ownBeatAt: START, rememberedAt: START, lastBeatAt: after(othersMinutes) };
        expect(findDataGap({ ...facts, now: after(sleptMinutes) })).toBeUndefined();
      }),
    );
  });

  test.each([
    ['none at the first start', undefined, undefined],
    ['none after a restart of minutes', 5, undefined],
    ['the whole time without a beat after more', 6, 'was_away'],
    ['none if a clock was set back', -60, undefined],
  ] as const)('is %s', (_name, minutes, reason) => {
    const lastBeatAt = minutes === undefined ? undefined : START;
    const silence = findDataGap({
      lastBeatAt,
      ownBeatAt: undefined,
      rememberedAt: undefined,
      now: after(minutes ?? 0),
    });
    expect(silence).toEqual(reason && { reason, since: START, until: after(minutes) });
  });
});

describe.each(availableEngines())('a store on %s', (engine) => {
  let database: TestDatabase;
  let clock: MovableClock;
  const stores: Store[] = [];
  const open = async () => {
    const store = await openStore(database.url, undefined, () => clock.now());
    stores.push(store);
    return store;
  };
  const begin = async () => {
    clock = createMovableClock(START, { frozen: true });
    database = await createDatabase(engine);
    return open();
  };
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await database.drop();
  });

  test('that was used a minute ago lacks nothing; one without use for an hour may', async () => {
    const first = await begin();
    await beat(first, { process: 'first' });
    clock.moveTo(after(1));
    expect(await readDataGap((await open()).db)).toBeUndefined();
    clock.moveTo(after(61));
    const late = await open();
    const silence = { reason: 'was_away', since: START, until: after(61) };
    expect(await readDataGap(late.db)).toEqual(silence);
    // The second one finds the beat of the first, and the same silence.
    await beat(late, { process: 'late' });
    expect(await readDataGap((await open()).db)).toEqual(silence);
  });

  test.each([
    ['an older copy of it', (at: Date) => ({ beatAt: at.toISOString() })],
    ['a copy from before its start', undefined],
  ])('that is replaced by %s while it is used is detected by the next beat', async (_name, older) => {
    const store = await begin();
    const me: BeatState = { process: 'me' };
    await beat(store, me);
    clock.moveTo(after(10));
    expect(await beat(store, me)).toMatchObject({ kind: 'well' });
    expect(await readDataGap(store.db)).toBeUndefined();
    if (older) await store.db.updateTable('storeHeartbeats').set(older(START)).execute();
    else await store.db.deleteFrom('storeHeartbeats').execute();
    clock.moveTo(after(11));
    await beat(store, me);
    const since = older ? START : after(10);
    expect(await readDataGap(store.db)).toEqual({ reason: 'went_back', since, until: after(11) });
  });

  test('that another process uses lacks nothing, even if the other forgot a process that slept for two days', async () => {
    const store = await begin();
    const sleeper: BeatState = { process: 'sleeper' };
    await beat(store, sleeper);
    clock.moveTo(after(2 * 24 * 60));
    await beat(store, { process: 'other' });
    await beat(store, sleeper);
    expect(await readDataGap(store.db)).toBeUndefined();
  });
});
