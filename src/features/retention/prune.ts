import { DAY_MS } from '../../core/base/time/durations.ts';
import type { Checkpoint } from '../../core/base/checkpoint.ts';
import { dayOf, type Day } from '../../core/base/time/calendar.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import type { RetentionDays, RetentionKind } from '../../core/base/settings/retention-settings.ts';
import { eachInTurns } from '../../core/base/time/turns.ts';
import { leaseIsOver, readStoreNow, storeNow } from '../../core/store/lease.ts';
import type { Retention } from '../../core/store/row-retention.ts';
import type { Database } from '../../core/store/tables.ts';
import type { RetentionTables } from './table.ts';

/** The jobs of a minute run one after another, so a long run continues in the next minute. */
const TURN_MS = 2_000;
/** Longer than one turn with its last transaction. */
const LEASE_MS = 50_000;

export interface PruningDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  checkpoint: Checkpoint;
  days: RetentionDays;
  retentions: () => readonly Retention[];
  onRemoved: (kind: RetentionKind, rows: number) => void;
}

/**
 * Deletes expired data once per UTC day, on one replica at a time. It may be killed at any point; the next turn deletes
 * the rest.
 *
 * @returns a job that does nothing once the day’s run has ended
 */
export function createPruning(deps: PruningDeps): () => Promise<void> {
  const { db, clock, log, days } = deps;
  const removed = new Map<RetentionKind, number>();
  return async () => {
    // A clock that is years ahead would delete everything, so the earlier of two clocks counts.
    const now = new Date(Math.min(clock.now().getTime(), (await readStoreNow(db)).getTime()));
    const today = dayOf(now);
    if (!(await claimToday(db, today))) return;
    const endsAtMs = clock.now().getTime() + TURN_MS;
    for (const part of deps.retentions()) {
      const { kind } = part;
      for await (const rows of eachInTurns(part.prune(db, new Date(now.getTime() - days[kind] * DAY_MS)))) {
        removed.set(kind, (removed.get(kind) ?? 0) + rows);
        deps.onRemoved(kind, rows);
        await deps.checkpoint('retention:after_batch');
        if (clock.now().getTime() >= endsAtMs) return release(db, null);
      }
    }
    await release(db, today);
    log.info({ rows: Object.fromEntries(removed) }, 'Deleted data past its retention');
    removed.clear();
  };
}

const tablesIn = (db: Database) => db.withTables<RetentionTables>();

/** @returns `false` if today’s run has ended, or another replica has the lease */
async function claimToday(db: Database, today: Day): Promise<boolean> {
  const tables = tablesIn(db);
  const lastRun = await tables.selectFrom('retentionRuns').select('finishedOn').executeTakeFirst();
  if (lastRun?.finishedOn !== undefined && lastRun.finishedOn !== null && lastRun.finishedOn >= today) return false;
  if (!lastRun) {
    const row = { place: 'here' as const, finishedOn: null, leasedUntil: null };
    await tables
      .insertInto('retentionRuns')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const claimed = await tables
    .updateTable('retentionRuns')
    .set({ leasedUntil: storeNow(db, LEASE_MS) })
    .where((where) => where.or([where('finishedOn', 'is', null), where('finishedOn', '<', today)]))
    .where(leaseIsOver(db, LEASE_MS))
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

async function release(db: Database, finishedOn: Day | null): Promise<void> {
  await tablesIn(db)
    .updateTable('retentionRuns')
    .set({ leasedUntil: null, ...(finishedOn === null ? {} : { finishedOn }) })
    .execute();
}
