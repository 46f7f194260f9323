import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Day } from '../../base/time/calendar.ts';
import { HOUR_MS } from '../../base/time/durations.ts';
import type { Logger } from '../../base/log.ts';
import { hasRowLocks, leaseHolds, leaseIsOver, storeNow } from '../../store/lease.ts';
import type { Database } from '../../store/tables.ts';
import type { ReadingEnding, Resource } from './analytics-day-table.ts';

/** If a process ends in the middle of a reading, the others wait for it this long. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = LEASE_MS / 3;
/** The pauses between two looks at a reading: long ones for a long reading. */
const LOOK_MS = { first: 100, growth: 1.5, most: 1_000 };
/** Longer than a process waits for a reading. */
const KEPT_MS = HOUR_MS;

/** How the reading of each day ended. */
export type Endings = ReadonlyMap<Day, ReadingEnding>;

export interface SharedReadings {
  /**
   * Reads the days that no other process is reading, and waits for those that one is.
   * @param read reads days and returns how each ended; if it throws, all of them failed
   * @returns days that another process read; those that failed there are read here, too
   */
  read(days: readonly Day[], read: (days: readonly Day[]) => Promise<Endings>): Promise<ReadonlySet<Day>>;
}

/** With SQLite there is one process, which shares the readings that are in progress in its memory. */
export function createSharedReadings(db: Database, log: Logger, resource: Resource): SharedReadings {
  if (!hasRowLocks(db)) {
    return {
      read: async (days, read) => {
        await read(days);
        return new Set();
      },
    };
  }
  return {
    read: async (days, read) => {
      const claim = await claimDays(db, resource, days);
      const others = days.filter((day) => !claim.days.has(day));
      const [endings] = await Promise.all([
        waitForOthers(db, resource, others),
        readClaimed(db, log, resource, claim, read),
      ]);
      const failed = others.filter((day) => endings.get(day) === 'failed');
      if (failed.length > 0) await read(failed);
      return new Set(others.filter((day) => endings.get(day) === 'stored'));
    },
  };
}

interface Claim {
  leasedBy: string;
  days: ReadonlySet<Day>;
}

/** Returns those days that no other process is reading. */
async function claimDays(db: Database, resource: Resource, days: readonly Day[]): Promise<Claim> {
  const leasedBy = randomUUID();
  const lease = { leasedBy, leasedUntil: storeNow(db, LEASE_MS), ending: null };
  const claimed = await db
    .insertInto('analyticsReadings')
    .values(days.map((day) => ({ resource, day, ...lease })))
    .onConflict((conflict) =>
      conflict
        .columns(['resource', 'day'])
        .doUpdateSet(lease)
        .where((where) =>
          where.or([
            where('analyticsReadings.ending', 'is not', null),
            leaseIsOver(db, LEASE_MS, 'analyticsReadings.leasedUntil'),
          ]),
        ),
    )
    .returning('day')
    .execute();
  return { leasedBy, days: new Set(claimed.map(({ day }) => day)) };
}

async function readClaimed(
  db: Database,
  log: Logger,
  resource: Resource,
  { leasedBy, days }: Claim,
  read: (days: readonly Day[]) => Promise<Endings>,
): Promise<void> {
  if (days.size === 0) return;
  const own = db.updateTable('analyticsReadings').where((where) => where.and({ resource, leasedBy }));
  const renewal = setInterval(() => {
    // If the lease is lost, another process reads the days, too: a waste, but nothing is wrong.
    own
      .set({ leasedUntil: storeNow(db, LEASE_MS) })
      .execute()
      .catch((error: unknown) => log.warn({ err: error, resource }, 'Renewing the lease of a reading failed'));
  }, RENEW_EVERY_MS);
  let endings: Endings = new Map();
  try {
    endings = await read([...days]);
  } finally {
    clearInterval(renewal);
    for (const [ending, ended] of Map.groupBy(days, (day) => endings.get(day) ?? 'failed'))
      await own.set({ ending }).where('day', 'in', ended).execute();
    const past = storeNow(db, -KEPT_MS);
    await db.deleteFrom('analyticsReadings').where('leasedUntil', '<', past).execute();
  }
}

async function waitForOthers(db: Database, resource: Resource, days: readonly Day[]): Promise<Endings> {
  const endings = new Map<Day, ReadingEnding>();
  let delayMs = LOOK_MS.first;
  for (let open = days; open.length > 0; open = days.filter((day) => !endings.has(day))) {
    await delay(delayMs);
    delayMs = Math.min(LOOK_MS.most, delayMs * LOOK_MS.growth);
    const rows = await db
      .selectFrom('analyticsReadings')
      .select(['day', 'ending', leaseHolds(db).as('isHeld')])
      .where('resource', '=', resource)
      .where('day', 'in', open)
      .execute();
    for (const day of open) {
      const row = rows.find((each) => each.day === day);
      const ending = row?.ending ?? (row?.isHeld ? undefined : 'failed');
      if (ending) endings.set(day, ending);
    }
  }
  return endings;
}
