import { describe, expect, onTestFinished, test } from 'vitest';
import { claimKey } from '../../../src/core/slack/inbound/seen-events.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const PERIOD_MS = 10 * 60_000;
const at = (time: string) => new Date(`2026-03-02T${time}Z`);

describe.each(availableEngines())('a claimed key on %s', (engine) => {
  const startReplicas = async () => {
    const database = await createDatabase(engine);
    const stores = await Promise.all([openStore(database.url), openStore(database.url)]);
    onTestFinished(async () => {
      for (const store of stores) await store.close();
      await database.drop();
    });
    const [one, other] = stores.map(
      ({ db }) =>
        (time: string, key = 'job:one') =>
          claimKey(db, key, at(time), PERIOD_MS),
    );
    if (!one || !other) throw new Error('Two stores were opened');
    return { one, other };
  };

  test('is given to one replica in each period, also if all ask at once', async () => {
    const { one, other } = await startReplicas();
    for (const time of ['08:00:00', '08:10:00', '08:20:00']) {
      const turns = await Promise.all([one(time), other(time), one(time), other(time)]);
      expect(turns.filter((isTaken) => isTaken)).toHaveLength(1);
    }
  });

  test('is free again at the end of its period, and not before', async () => {
    const { one, other } = await startReplicas();
    expect(await one('08:00:00')).toBe(true);
    expect(await other('08:09:59')).toBe(false);
    expect(await other('08:10:00')).toBe(true);
    expect(await one('08:10:01')).toBe(false);
  });

  test('leaves other keys alone', async () => {
    const { one, other } = await startReplicas();
    expect(await one('08:00:00')).toBe(true);
    expect(await other('08:00:00', 'job:other')).toBe(true);
  });

  test('is not withheld by a time that a wrong clock wrote', async () => {
    const { one, other } = await startReplicas();
    expect(await one('23:00:00')).toBe(true);
    expect(await other('08:00:00')).toBe(true);
    expect(await one('08:01:00')).toBe(false);
  });
});
