import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../src/core/store/tables.ts';
import { readDatabase } from '../stores/databases.ts';

/** The states in which a delivery stays. */
export const SETTLED = ['sent', 'skipped', 'failed'] as const;

interface DeliveryState {
  key: string;
  state: string;
}

/** Waits until all deliveries are settled and a test's condition holds. */
export async function untilSettled(
  databaseUrl: string,
  patienceMs: number,
  isReached: (deliveries: readonly DeliveryState[], db: Database) => boolean | Promise<boolean>,
): Promise<void> {
  const db = readDatabase(databaseUrl);
  const deadlineMs = performance.now() + patienceMs;
  try {
    for (;;) {
      const rows = await db.selectFrom('deliveries').select(['key', 'state']).execute();
      if (rows.every(({ state }) => SETTLED.some((end) => end === state)) && (await isReached(rows, db))) return;
      if (performance.now() > deadlineMs) throw new Error(`Not settled: ${JSON.stringify(rows)}`);
      await delay(20);
    }
  } finally {
    await db.destroy();
  }
}
