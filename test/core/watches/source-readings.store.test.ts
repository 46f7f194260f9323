import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import type { Database } from '../../../src/core/store/tables.ts';
import { readSourceEvidence, writeReading, type Source } from '../../../src/core/watches/source-readings.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-02T08:00:00Z');
const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

async function open(engine: 'sqlite' | 'postgres'): Promise<Database> {
  const database = await createDatabase(engine);
  onTestFinished(() => database.drop());
  const store = await openStore(database.url);
  onTestFinished(() => store.close());
  return store.db;
}

/** A failed reading, or one that succeeded. */
type Reading = readonly [minutes: number, part: string, fault?: string];

describe.each(availableEngines())('the evidence that a source cannot be read, on %s', (engine) => {
  const evidenceAfter = async (readings: readonly Reading[], minutes: number, source: Source = 'figures') => {
    const db = await open(engine);
    for (const [when, part, fault] of readings) await writeReading(db, { source: 'figures', part, fault }, at(when));
    return readSourceEvidence(db, source, at(minutes));
  };

  test('begins with the first failure of a part that failed at each try over an hour, and names the last fault', async () => {
    const readings: Reading[] = [
      [0, 'tokens', 'It answered 503.'],
      [4, 'activity'],
      [30, 'tokens', 'It answered 404.'],
      [60, 'tokens', 'It answered with a page.'],
      [61, 'activity'],
    ];
    expect(await evidenceAfter(readings, 62)).toEqual({
      refusedSince: at(0),
      acceptedAt: undefined,
      detail: 'It answered with a page.',
    });
    expect((await evidenceAfter(readings, 62, 'readiness')).refusedSince).toBeUndefined();
  });

  test('is absent after less than an hour, after one failure that nobody repeated, and after a success', async () => {
    const first: Reading = [0, 'tokens', 'It answered 503.'];
    const all: Reading[][] = [
      [first, [59, 'tokens', 'Again.']],
      [first],
      [first, [30, 'tokens'], [61, 'tokens', 'Again.']],
    ];
    for (const readings of all) expect((await evidenceAfter(readings, 70)).refusedSince).toBeUndefined();
  });

  test('ends with a success, also of other parts if nobody tries that one any more', async () => {
    const failing: Reading[] = [
      [0, 'tokens', 'It answered 503.'],
      [61, 'tokens', 'It answered 503.'],
    ];
    expect(await evidenceAfter([...failing, [70, 'tokens']], 71)).toEqual({
      refusedSince: undefined,
      acceptedAt: at(70),
    });
    expect(await evidenceAfter(failing, 92)).toEqual({ refusedSince: undefined, acceptedAt: undefined });
    expect(await evidenceAfter([...failing, [70, 'activity']], 92)).toEqual({
      refusedSince: undefined,
      acceptedAt: at(70),
    });
  });
});
