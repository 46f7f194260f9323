import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import type { RetentionKind } from '../../../src/core/base/settings/retention-settings.ts';
import { createPruning } from '../../../src/features/retention/prune.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { overrideStoreTime } from '../../../src/core/store/lease.ts';
import type { Retention } from '../../../src/core/store/row-retention.ts';
import { type Engine } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const NOW = new Date('2026-05-30T08:00:00Z');
const DAY_MS = 86_400_000;

async function open(engine: Engine, batches: number, times: { store?: Date; batchMs?: number } = {}) {
  const database = await createDatabase(engine);
  const store = await openStore(database.url);
  const clock = createMovableClock(NOW, { frozen: true });
  onTestFinished(async () => {
    clock.dispose();
    await store.close();
    await database.drop();
  });
  overrideStoreTime(store.db, () => times.store ?? clock.now());
  const asked: string[] = [];
  let left = batches;
  const lines: Record<string, unknown>[] = [];
  const counted: [RetentionKind, number][] = [];
  const part = (kind: RetentionKind): Retention => ({
    kind,
    prune: async function* (_db, before) {
      asked.push(`${kind} ${before.toISOString().slice(0, 10)}`);
      while (left > 0) {
        left -= 1;
        await Promise.resolve();
        clock.moveTo(new Date(clock.now().getTime() + (times.batchMs ?? 0)));
        yield 500;
      }
    },
  });
  let onBatch = () => {};
  const make = () =>
    createPruning({
      db: store.db,
      clock,
      log: createLogger('info', [], (line) => void lines.push(JSON.parse(line))),
      checkpoint: () => onBatch(),
      days: { people: 40, looks: 30, sessions: 30, deliveries: 90, audit: 730 },
      retentions: () => [part('people'), part('audit')],
      onRemoved: (kind, rows) => void counted.push([kind, rows]),
    });
  return {
    clock,
    asked,
    lines,
    counted,
    make,
    left: () => left,
    dieAtNextBatch: () => {
      onBatch = () => {
        onBatch = () => {};
        throw new Error('killed');
      };
    },
    nextMinute: () => clock.moveTo(new Date(clock.now().getTime() + 60_000)),
  };
}

describe.each(availableEngines())('data past its retention, on %s', (engine) => {
  test('is deleted once a day, by one of two replicas, with one line in the log', async () => {
    const { make, asked, clock, lines, counted, nextMinute } = await open(engine, 3);
    const replicas = [make(), make()];
    for (let minute = 0; minute < 3; minute += 1) {
      for (const run of replicas) await run();
      nextMinute();
    }
    expect(asked).toEqual(['people 2026-04-20', 'audit 2024-05-30']);
    expect(counted).toEqual([
      ['people', 500],
      ['people', 500],
      ['people', 500],
    ]);
    expect(lines).toMatchObject([{ msg: 'Deleted data past its retention', rows: { people: 1500 } }]);
    clock.moveTo(new Date(NOW.getTime() + DAY_MS));
    for (const run of replicas) await run();
    expect(asked.slice(2)).toEqual(['people 2026-04-21', 'audit 2024-05-31']);
    expect(lines).toHaveLength(2);
  });

  test('is deleted by one of two replicas that check at the same time', async () => {
    const { make, asked } = await open(engine, 3);
    await Promise.all([make()(), make()()]);
    expect(asked).toEqual(['people 2026-04-20', 'audit 2024-05-30']);
  });

  test('is deleted a few seconds at a time, so that the other jobs of a minute get their turn', async () => {
    const { make, left, lines, nextMinute } = await open(engine, 7, { batchMs: 900 });
    const run = make();
    await run();
    expect(left()).toBe(4);
    expect(lines).toEqual([]);
    nextMinute();
    await run();
    nextMinute();
    await run();
    expect(lines).toMatchObject([{ rows: { people: 3500 } }]);
  });

  test('is deleted by another replica if one dies in the middle', async () => {
    const { make, left, dieAtNextBatch, lines, nextMinute } = await open(engine, 5);
    dieAtNextBatch();
    await expect(make()()).rejects.toThrow('killed');
    expect(left()).toBe(4);
    const other = make();
    // Until the lease of the first is over, it does not interfere.
    await other();
    expect(left()).toBe(4);
    nextMinute();
    await other();
    expect(left()).toBe(0);
    expect(lines).toMatchObject([{ rows: { people: 2000 } }]);
  });

  test('is determined by the earlier of two clocks: one that is years ahead deletes nothing too soon', async () => {
    const { make, asked } = await open(engine, 1, { store: new Date('2026-04-01T08:00:00Z') });
    await make()();
    expect(asked[0]).toBe('people 2026-02-20');
  });
});
