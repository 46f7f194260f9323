import { afterEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import type { Database } from '../../../src/core/store/tables.ts';
import type { ChannelSubscription } from '../../../src/core/watches/channel-subscription-table.ts';
import {
  findChannelSubscription,
  listActiveChannelSubscriptions,
  reportChannelFailure,
  startChannelSubscription,
} from '../../../src/core/watches/channel-subscriptions.ts';
import { arePaused, changePause, listResumable } from '../../../src/core/watches/paused-subscriptions.ts';
import type { PauseChange } from '../../../src/core/watches/pausing.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const NOW = new Date('2026-03-02T08:00:00Z');

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function openWith(engine: Engine, ...subjects: readonly string[]): Promise<Database> {
  const database = await createDatabase(engine);
  cleanUps.push(() => database.drop());
  const store = await openStore(database.url);
  cleanUps.push(() => store.close());
  for (const subject of subjects) {
    const subscription = { ...keyOf(subject), filter: {}, owner: 'U1', since: 7, detail: null };
    await store.db.transaction().execute((trx) => startChannelSubscription(trx, subscription, NOW));
  }
  return store.db;
}

const keyOf = (subject: string) => ({ kind: 'readiness', channel: 'C1', subject });

/** The channels to which missed events were announced. */
const announced: string[] = [];

/** @param position of the last event; missing: nothing is announced after a pause */
function set(db: Database, subject: string, change: PauseChange, by: string, position?: number): Promise<boolean> {
  const announce = async (_trx: unknown, { channel, since }: ChannelSubscription) =>
    void announced.push(`${channel} after ${since}`);
  const missed = position === undefined ? undefined : { lockPosition: () => Promise.resolve(position), announce };
  return db.transaction().execute((trx) => changePause(trx, keyOf(subject), { change, by, missed }, NOW));
}

describe.each(availableEngines())('a subscription that a person pauses, on %s', (engine) => {
  test('is paused by one of two people at once, and resumed by one of two', async () => {
    const db = await openWith(engine, '');
    for (const change of ['pause', 'resume'] as const) {
      const results = await Promise.all(['U1', 'U2'].map((by) => set(db, '', change, by)));
      expect(results.filter(Boolean)).toHaveLength(1);
      const winner = results[0] ? 'U1' : 'U2';
      expect(await findChannelSubscription(db, keyOf(''))).toMatchObject({ changedBy: winner });
    }
  });

  test('keeps the position before the pause, and is no longer active', async () => {
    const db = await openWith(engine, '');
    await set(db, '', 'pause', 'U2', 12);
    expect(await listActiveChannelSubscriptions(db, 'readiness')).toEqual([]);
    expect(await listResumable(db, 'readiness')).toMatchObject([{ state: 'paused', since: 12, changedBy: 'U2' }]);
  });

  test('announces what came after that position when it is resumed, once', async () => {
    const db = await openWith(engine, '');
    announced.length = 0;
    await set(db, '', 'pause', 'U1', 12);
    await set(db, '', 'resume', 'U1', 15);
    await set(db, '', 'resume', 'U2', 15);
    expect(announced).toEqual(['C1 after 12']);
  });

  test('holds messages only if nothing else in the channel wants them', async () => {
    const db = await openWith(engine, '', 'acme/web');
    const isHeld = () => arePaused(db, { kind: 'readiness', channel: 'C1', subjects: ['', 'acme/web'] });
    await set(db, '', 'pause', 'U1');
    expect(await isHeld()).toBe(false);
    await set(db, 'acme/web', 'pause', 'U1');
    expect(await isHeld()).toBe(true);
  });

  test('differs from one that Quartermaster paused after failures', async () => {
    const db = await openWith(engine, '');
    for (const [index, reason] of ['one', 'two', 'three'].entries()) {
      const now = new Date(NOW.getTime() + index * 86_400_000);
      await db
        .transaction()
        .execute((trx) => reportChannelFailure(trx, { ...keyOf(''), subjects: [''] }, { reason }, 'A message', now));
    }
    expect(await set(db, '', 'resume', 'U1')).toBe(false);
    expect(await listResumable(db, 'readiness')).toEqual([]);
    expect(await arePaused(db, { ...keyOf(''), subjects: [''] })).toBe(false);
  });
});
