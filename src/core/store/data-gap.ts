import type { Database, DatabaseTransaction, Tables } from './tables.ts';

/** `was_away`: unused for long, or an old backup was restored. `went_back`: data that was written is gone. */
export type DataGapReason = Tables['storeSilences']['reason'];

export interface DataGap {
  reason: DataGapReason;
  since: Date;
  until: Date;
}

/** An upgrade, or a restart of the machine, takes minutes; a restored backup is older. */
const MAX_RESTART_MS = 5 * 60_000;

/** All times are by the clock of the store. */
export interface BeatFacts {
  /** The last beat of any process, according to the store. */
  lastBeatAt: Date | undefined;
  /** The last beat of this process, according to the store. */
  ownBeatAt: Date | undefined;
  /** The last beat of this process, according to its memory; undefined before its first beat. */
  rememberedAt: Date | undefined;
  now: Date;
}

/** A process with its own last beat was always there. Its first beat has only the beats of others. Pure. */
export function findDataGap({ lastBeatAt, ownBeatAt, rememberedAt, now }: BeatFacts): DataGap | undefined {
  if (rememberedAt !== undefined) {
    if (ownBeatAt !== undefined && ownBeatAt >= rememberedAt) return undefined;
    return { reason: 'went_back', since: lastBeatAt ?? rememberedAt, until: now };
  }
  // A store without beats is new, or comes from a version that recorded none.
  if (lastBeatAt === undefined || now.getTime() - lastBeatAt.getTime() <= MAX_RESTART_MS) return undefined;
  return { reason: 'was_away', since: lastBeatAt, until: now };
}

/** A second process finds the beat of the first, and no gap. */
export async function recordDataGap(trx: DatabaseTransaction, { reason, since, until }: DataGap): Promise<void> {
  const row = { reason, since: since.toISOString(), until: until.toISOString() };
  await trx
    .insertInto('storeSilences')
    .values({ place: 'here', ...row })
    .onConflict((conflict) => conflict.column('place').doUpdateSet(row))
    .execute();
}

export async function readDataGap(db: Database): Promise<DataGap | undefined> {
  const row = await db.selectFrom('storeSilences').selectAll().executeTakeFirst();
  return row && { reason: row.reason, since: new Date(row.since), until: new Date(row.until) };
}
