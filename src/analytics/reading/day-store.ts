import { createHash } from 'node:crypto';
import type { Day, Period } from '../../base/time/calendar.ts';
import type { Logger } from '../../base/log.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import type { Resource } from './analytics-day-table.ts';

/** What is kept of one day of one resource, without its facts. */
export interface KeptDay {
  day: Day;
  state: 'fresh' | 'settled' | 'rolled_up';
  readAt: Date;
}

export async function keptDays(db: Database, resource: Resource, period: Period): Promise<Map<Day, KeptDay>> {
  const rows = await db
    .selectFrom('analytics_days')
    .select(['day', 'state', 'read_at'])
    .where('resource', '=', resource)
    .where('part', '=', 0)
    .where('day', '>=', period.first)
    .where('day', '<=', period.last)
    .execute();
  return new Map(rows.map(({ day, state, read_at }) => [day, { day, state, readAt: new Date(read_at) }]));
}

/** The first parts of all days of a resource that are kept. */
export async function firstParts(db: Database, resource: Resource): Promise<string[]> {
  const rows = await db
    .selectFrom('analytics_days')
    .select('facts')
    .where('resource', '=', resource)
    .where('part', '=', 0)
    .execute();
  return rows.map(({ facts }) => facts);
}

/** The kept facts of a day, a text a part. */
export async function loadParts(db: Database, resource: Resource, day: Day, which: 'first' | 'all'): Promise<string[]> {
  const rows = await db
    .selectFrom('analytics_days')
    .select('facts')
    .where('resource', '=', resource)
    .where('day', '=', day)
    .$if(which === 'first', (query) => query.where('part', '=', 0))
    .orderBy('part')
    .execute();
  return rows.map(({ facts }) => facts);
}

/**
 * Keeps what was read of a day. Of two readings the later one stays, whichever is written last; one that differs from what
 * was kept marks the day as changed. A store that cannot keep a day costs the next reading, not this answer.
 *
 * @param parts a JSON text each; of a day that is rolled up only the first is kept
 */
export async function keepDay(
  { db, log }: { db: Database; log: Logger },
  resource: Resource,
  { day, state, readAt }: KeptDay,
  parts: readonly string[],
): Promise<void> {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  const fingerprint = hash.digest('hex');
  const read_at = readAt.toISOString();
  const write = async (trx: DatabaseTransaction) => {
    const kept = await trx
      .selectFrom('analytics_days')
      .select(['fingerprint', 'read_at', 'changed_at'])
      .where('resource', '=', resource)
      .where('day', '=', day)
      .where('part', '=', 0)
      .executeTakeFirst();
    if (kept && kept.read_at > read_at) return;
    const changed_at = kept?.fingerprint === fingerprint ? kept.changed_at : read_at;
    await trx.deleteFrom('analytics_days').where('resource', '=', resource).where('day', '=', day).execute();
    const remaining = state === 'rolled_up' ? parts.slice(0, 1) : parts;
    for (const [part, facts] of remaining.entries()) {
      await trx
        .insertInto('analytics_days')
        .values({ resource, day, part, state, read_at, changed_at, fingerprint, facts })
        // Another replica may have written the same day since the select.
        .onConflict((conflict) => conflict.columns(['resource', 'day', 'part']).doNothing())
        .execute();
    }
  };
  try {
    await db.transaction().execute(write);
  } catch (error) {
    log.error({ err: error, resource, day }, 'A day’s facts could not be kept');
  }
}

/** Whether facts of a period appeared, or turned out to be others, after `since`. Rows of people do not count: totals move with them. */
export async function hasChangedSince(db: Database, period: Period, since: Date): Promise<boolean> {
  const changed = await db
    .selectFrom('analytics_days')
    .select('day')
    .where('part', '=', 0)
    .where('resource', '!=', 'users')
    .where('day', '>=', period.first)
    .where('day', '<=', period.last)
    .where('changed_at', '>', since.toISOString())
    .limit(1)
    .executeTakeFirst();
  return changed !== undefined;
}
