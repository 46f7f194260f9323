import { afterEach, describe, expect, test } from 'vitest';
import type { ChannelSubscriptionKey } from '../../../src/core/watches/channel-subscription-table.ts';
import {
  findChannelSubscription,
  forgetChannelFailures,
  listActiveChannelSubscriptions,
  listChannelSubscriptions,
  reportChannelFailure,
  startChannelSubscription,
  stopChannelSubscription,
} from '../../../src/core/watches/channel-subscriptions.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import { notifyOfFailure } from '../../../src/core/outbox/failure-notices.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import type { Database, DatabaseTransaction } from '../../../src/core/store/tables.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const NOW = new Date('2026-03-02T08:00:00Z');
const LATER = new Date('2026-03-05T08:00:00Z');

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function open(engine: Engine): Promise<Database> {
  const database = await createDatabase(engine);
  cleanUps.push(() => database.drop());
  const store = await openStore(database.url);
  cleanUps.push(() => store.close());
  return store.db;
}

const keyOf = (subject: string): ChannelSubscriptionKey => ({ kind: 'readiness', channel: 'C1', subject });
const inTransaction = <Result>(db: Database, run: (trx: DatabaseTransaction) => Promise<Result>) =>
  db.transaction().execute(run);

function start(db: Database, subject: string, owner: string | null, at = NOW): Promise<boolean> {
  const subscription = { ...keyOf(subject), filter: { label: subject }, owner, since: 7, detail: subject || null };
  return inTransaction(db, (trx) => startChannelSubscription(trx, subscription, at));
}

const HOUR_MS = 3_600_000;

/** By default, one failure is half a day after the other. */
function fail(db: Database, subjects: readonly string[], number: number, hours = number * 12): Promise<void> {
  const failure = { state: 'failed', reason: `Reason ${number}.` } as const;
  const now = new Date(NOW.getTime() + hours * HOUR_MS);
  const delivery = { key: `notice-${number}`, channel: 'C1', dueAt: NOW.toISOString() };
  return inTransaction(db, async (trx) => {
    const watches = { kind: 'readiness', channel: 'C1', subjects };
    await notifyOfFailure(
      trx,
      delivery,
      failure,
      await reportChannelFailure(trx, watches, failure, 'A notice', now),
      now,
    );
  });
}

const succeed = (db: Database, subjects: readonly string[]) =>
  inTransaction(db, (trx) => forgetChannelFailures(trx, { kind: 'readiness', channel: 'C1', subjects }));

const deliveriesTo = (db: Database, channel: string) =>
  db
    .selectFrom('deliveries')
    .select(['key', 'kind', 'payload'])
    .where('channel', '=', channel)
    .orderBy('key')
    .execute();

describe.each(availableEngines())('a channel subscription on %s', (engine) => {
  test('is introduced once for each time it starts, and a new setup changes its filter and owner', async () => {
    const db = await open(engine);
    expect(await start(db, 'acme/web', 'U1')).toBe(true);
    expect(await start(db, 'acme/web', 'U2', LATER)).toBe(false);
    expect(await start(db, '', 'U1')).toBe(true);
    expect(await findChannelSubscription(db, keyOf('acme/web'))).toMatchObject({
      owner: 'U2',
      state: 'active',
      since: 7,
    });
    expect((await deliveriesTo(db, 'C1')).map(({ payload }) => JSON.parse(payload))).toEqual([
      { subject: '' },
      { subject: 'acme/web' },
    ]);
  });

  test('ends once, and is introduced again when it is set up again', async () => {
    const db = await open(engine);
    await start(db, '', 'U1');
    const stop = () => inTransaction(db, (trx) => stopChannelSubscription(trx, keyOf(''), 'U2', NOW));
    expect([await stop(), await stop()]).toEqual([true, false]);
    expect(await findChannelSubscription(db, keyOf(''))).toBeUndefined();
    expect(await listChannelSubscriptions(db, 'readiness')).toEqual([]);
    expect(await start(db, '', 'U1', LATER)).toBe(true);
    expect(await deliveriesTo(db, 'C1')).toHaveLength(2);
    const entries = await listAuditEntries(db, 'readiness-watch:C1');
    expect(entries.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'U1 watched',
      'U2 unwatched',
      'U1 watched',
    ]);
  });

  test('is paused by the third failure in a row, not by three with a success between them', async () => {
    const db = await open(engine);
    await start(db, '', 'U1');
    for (const number of [1, 2]) await fail(db, [''], number);
    await succeed(db, ['']);
    for (const number of [3, 4]) await fail(db, [''], number);
    expect(await findChannelSubscription(db, keyOf(''))).toMatchObject({ state: 'active', failures: 2 });
    expect((await deliveriesTo(db, 'U1')).map(({ kind }) => kind)).toEqual(Array(4).fill('delivery-failed-notice'));
    await fail(db, [''], 5);
    expect(await findChannelSubscription(db, keyOf(''))).toMatchObject({ state: 'paused', lastError: 'Reason 5.' });
    expect(await listActiveChannelSubscriptions(db, 'readiness')).toEqual([]);
  });

  test('outlasts any number of failures within a day, such as a channel that Slack does not show for a while', async () => {
    const db = await open(engine);
    await start(db, '', 'U1');
    for (const number of [1, 2, 3, 4, 5, 6]) await fail(db, [''], number, number / 60);
    await fail(db, [''], 7, 23.9);
    expect(await findChannelSubscription(db, keyOf(''))).toMatchObject({ state: 'active', failures: 7 });
    await fail(db, [''], 8, 24.1);
    expect(await findChannelSubscription(db, keyOf(''))).toMatchObject({ state: 'paused', lastError: 'Reason 8.' });
  });

  test('that is paused sends each owner one direct message, or the admins if there is no owner', async () => {
    const db = await open(engine);
    await start(db, '', null);
    await start(db, 'acme/api', 'U1');
    await start(db, 'acme/web', 'U1');
    await start(db, 'acme/docs', 'U2');
    for (const number of [1, 2, 3, 4]) await fail(db, ['', 'acme/api', 'acme/web'], number);
    const [notice, ...others] = (await deliveriesTo(db, 'U1')).filter(({ kind }) => kind === 'readiness-watch-notice');
    expect(others).toEqual([]);
    expect(JSON.parse(notice?.payload ?? '{}').subjects.toSorted()).toEqual(['acme/api', 'acme/web']);
    expect(new Set((await deliveriesTo(db, 'admins')).map(({ kind }) => kind))).toEqual(
      new Set(['delivery-failed-admin-notice', 'readiness-watch-admin-notice']),
    );
    expect(await deliveriesTo(db, 'U2')).toEqual([]);
    expect((await findChannelSubscription(db, keyOf('acme/docs')))?.state).toBe('active');
  });

  test('that is paused is resumed by a new setup', async () => {
    const db = await open(engine);
    await start(db, '', 'U1');
    for (const number of [1, 2, 3]) await fail(db, [''], number);
    expect(await start(db, '', 'U2', LATER)).toBe(true);
    const resumed = { state: 'active', failures: 0, lastError: null, owner: 'U2' };
    expect(await findChannelSubscription(db, keyOf(''))).toMatchObject(resumed);
  });
});
