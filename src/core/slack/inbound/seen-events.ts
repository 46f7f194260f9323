import type { Generated } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/time/clock.ts';
import type { Job } from '../../schedule/job.ts';
import type { PoliciesOf } from '../../store/table-policy.ts';
import type { Database, Tables } from '../../store/tables.ts';
import { withoutWaitingForDisk } from '../../store/unhurried-writes.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    seenEvents: {
      key: string;
      seenAt: string;
      /** Of the stored arrivals of an interaction, the one that is carried out. */
      arrival: Generated<string | null>;
    };
  }
}

export const seenEventPolicies: PoliciesOf<Pick<Tables, 'seenEvents'>> = {
  seenEvents: { what: 'clicks and commands that arrived' },
};

/** How long Slack may repeat a delivery. It stops after an hour (a day with "Delayed Events"). */
const MEMORY_MS = 2 * 24 * 60 * 60 * 1000;

/** Asks for all replicas together. @returns `true` the first time, `false` ever after */
export async function isFirstTime(db: Database, key: string, now: Date): Promise<boolean> {
  const inserted = await db
    .insertInto('seenEvents')
    .values({ key, seenAt: now.toISOString() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst();
  return Boolean(inserted.numInsertedOrUpdatedRows);
}

/**
 * Of all arrivals of an interaction, at all replicas, one is carried out: the first that asks. It may ask again, after a
 * crash.
 */
export async function isCarriedOut(
  db: Database,
  { interaction, arrival }: { interaction: string; arrival: string },
  now: Date,
): Promise<boolean> {
  const inserted = await db
    .insertInto('seenEvents')
    .values({ key: interaction, seenAt: now.toISOString(), arrival })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows) return true;
  const first = await db.selectFrom('seenEvents').select('arrival').where('key', '=', interaction).executeTakeFirst();
  // Version 0.2.0 records no arrival: there, an interaction has one, which has the same name.
  return (first?.arrival ?? interaction) === arrival;
}

/** @param arrival if it was stored first @returns whether to carry it out */
export type TakeTurn = (interaction: string, arrival: string | undefined) => Promise<boolean>;

/** Slack repeats a request within seconds. */
const MAX_REMEMBERED = 10_000;

/** A process knows without the store, which may be slow, which requests it has begun. */
export function createTurnTaking({ db, clock }: { db: Database; clock: Clock }): TakeTurn {
  const begun = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  return async (interaction, arrival) => {
    if (begun.has(interaction)) return false;
    begun.set(interaction, true);
    try {
      // A change that the interaction makes is on the disk later than this row, so a power cut loses both or none.
      return await withoutWaitingForDisk(() =>
        arrival === undefined
          ? isFirstTime(db, interaction, clock.now())
          : isCarriedOut(db, { interaction, arrival }, clock.now()),
      );
    } catch (error) {
      begun.delete(interaction);
      throw error;
    }
  };
}

/**
 * Of all replicas one holds a key, until it is forgotten or `leaseMs` passed.
 *
 * @returns whether this call got it
 */
export async function claimKey(db: Database, key: string, now: Date, leaseMs: number): Promise<boolean> {
  const at = (offsetMs: number) => new Date(now.getTime() + offsetMs).toISOString();
  const claimed = await db
    .insertInto('seenEvents')
    .values({ key, seenAt: at(0) })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ seenAt: at(0) })
        // Only a wrong clock can have written a time far ahead.
        .where((row) =>
          row.or([row('seenEvents.seenAt', '<=', at(-leaseMs)), row('seenEvents.seenAt', '>', at(leaseMs))]),
        ),
    )
    .executeTakeFirst();
  return Boolean(claimed.numInsertedOrUpdatedRows);
}

/** Replaces the time of a key. */
export async function markSeen(db: Database, key: string, at: Date): Promise<void> {
  const seenAt = at.toISOString();
  await db
    .insertInto('seenEvents')
    .values({ key, seenAt })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ seenAt }))
    .execute();
}

export async function readSeenAt(db: Database, key: string): Promise<Date | undefined> {
  const row = await db.selectFrom('seenEvents').select('seenAt').where('key', '=', key).executeTakeFirst();
  return row && new Date(row.seenAt);
}

/** Removes an event whose handling failed, so that it can be handled again. */
export async function forgetEvent(db: Database, key: string): Promise<void> {
  await db.deleteFrom('seenEvents').where('key', '=', key).execute();
}

export const forgetOldEventsJob = ({ db, clock }: { db: Database; clock: Clock }): Job => ({
  name: 'forget-old-events',
  cron: '7 * * * *',
  purpose: 'deletes the ids of events that Slack sent',
  run: () => forgetOldEvents(db, clock.now()),
});

async function forgetOldEvents(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - MEMORY_MS).toISOString();
  await db.deleteFrom('seenEvents').where('seenAt', '<', oldest).execute();
}
