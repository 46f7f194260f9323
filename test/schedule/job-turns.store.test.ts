import { describe, expect, onTestFinished, test } from 'vitest';
import { takeTurn } from '../../src/schedule/job-turns.ts';
import { openStore } from '../../src/store/database.ts';
import { availableEngines, createDatabase } from '../support/stores/databases.ts';

const PERIOD_MS = 10 * 60_000;
const at = (time: string) => new Date(`2026-03-02T${time}Z`);

describe.each(availableEngines())('turns of a job on %s', (engine) => {
  const startReplicas = async () => {
    const database = await createDatabase(engine);
    const stores = await Promise.all([openStore(database.url), openStore(database.url)]);
    onTestFinished(async () => {
      for (const store of stores) await store.close();
      await database.drop();
    });
    const [one, other] = stores.map(
      ({ db }) =>
        (time: string, job: 'correct-digests' | 'export-days' = 'correct-digests') =>
          takeTurn(db, job, at(time), PERIOD_MS),
    );
    if (!one || !other) throw new Error('Two stores were opened');
    return { one, other };
  };

  test('are taken by one replica in each period, also if all ask at once', async () => {
    const { one, other } = await startReplicas();
    for (const time of ['08:00:00', '08:10:00', '08:20:00']) {
      const turns = await Promise.all([one(time), other(time), one(time), other(time)]);
      expect(turns.filter((isTaken) => isTaken)).toHaveLength(1);
    }
  });

  test('end with their period, and not before', async () => {
    const { one, other } = await startReplicas();
    expect(await one('08:00:00')).toBe(true);
    expect(await other('08:09:59')).toBe(false);
    expect(await other('08:10:00')).toBe(true);
    expect(await one('08:10:01')).toBe(false);
  });

  test('of one job leave the others alone', async () => {
    const { one, other } = await startReplicas();
    expect(await one('08:00:00')).toBe(true);
    expect(await other('08:00:00', 'export-days')).toBe(true);
  });

  test('are not withheld by a beginning that a wrong clock wrote', async () => {
    const { one, other } = await startReplicas();
    expect(await one('23:00:00')).toBe(true);
    expect(await other('08:00:00')).toBe(true);
    expect(await one('08:01:00')).toBe(false);
  });
});
