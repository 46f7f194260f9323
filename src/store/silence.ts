import type { Database, DatabaseTransaction, Tables } from './tables.ts';

/**
 * `was_away`: nobody used the store for longer than a restart takes, or a backup was restored that is as old. `went_back`:
 * what a process had written is gone.
 */
export type SilenceReason = Tables['store_silences']['reason'];

/** A time of which the store may lack what was written in it. */
export interface Silence {
  reason: SilenceReason;
  since: Date;
  /** When it was noticed. */
  until: Date;
}

/** An upgrade, or a restart of the machine, takes minutes; a restored backup is older. */
const MAX_RESTART_MS = 5 * 60_000;

/** What one look at the heartbeats finds; all times by the clock of the store. */
export interface BeatFacts {
  /** When any process last used the store, as the store has it. */
  lastBeatAt: Date | undefined;
  /** When this process last did, as the store has it. */
  ownBeatAt: Date | undefined;
  /** When this process last did, as it remembers; nothing before its first beat. */
  rememberedAt: Date | undefined;
  now: Date;
}

/**
 * Whether the store may lack what was written, and why. A process that finds its own last beat was there all the time, however
 * long it was stopped in between; its first beat has only those of others to go by. Pure.
 */
export function silenceOf({ lastBeatAt, ownBeatAt, rememberedAt, now }: BeatFacts): Silence | undefined {
  if (rememberedAt !== undefined) {
    if (ownBeatAt !== undefined && ownBeatAt >= rememberedAt) return undefined;
    return { reason: 'went_back', since: lastBeatAt ?? rememberedAt, until: now };
  }
  // A store in which nobody ever was is new, or of a version that noted no beats.
  if (lastBeatAt === undefined || now.getTime() - lastBeatAt.getTime() <= MAX_RESTART_MS) return undefined;
  return { reason: 'was_away', since: lastBeatAt, until: now };
}

/** Keeps it for all processes: the one that comes second finds the beat of the first. */
export async function noteSilence(trx: DatabaseTransaction, { reason, since, until }: Silence): Promise<void> {
  const row = { reason, since: since.toISOString(), until: until.toISOString() };
  await trx
    .insertInto('store_silences')
    .values({ place: 'here', ...row })
    .onConflict((conflict) => conflict.column('place').doUpdateSet(row))
    .execute();
}

/** The last time of which the store may lack what was written; nothing when there was none. */
export async function readSilence(db: Database): Promise<Silence | undefined> {
  const row = await db.selectFrom('store_silences').selectAll().executeTakeFirst();
  return row && { reason: row.reason, since: new Date(row.since), until: new Date(row.until) };
}
