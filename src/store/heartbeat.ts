import { DAY_MS } from '../base/time/durations.ts';
import type { Store } from './store.ts';
import type { Database, DatabaseTransaction } from './tables.ts';
import { readStoreNow, storeNow } from './lease.ts';
import { noteSilence, silenceOf } from './silence.ts';
import { codeOf, explainStoreFault } from './engines/store-error.ts';

export type StoreHealth =
  | { kind: 'well'; /** Another process has used the same store since this one began. */ isShared: boolean }
  /** It may pass: nothing can be noted until then. */
  | { kind: 'unwell'; sentence: string; isFull: boolean }
  /** What was noted so far is gone: going on would only lose more. */
  | { kind: 'gone'; sentence: string };

/**
 * A full disk often takes a small change all the same, where something else was deleted; so a beat writes more than that, and
 * in a row of its own before the old one goes.
 */
const PADDING = 'x'.repeat(16 * 1024);
/** Who has not been heard of for a day is gone. */
const FORGOTTEN_AFTER_MS = DAY_MS;

/** A process that beats, and what it remembers of that; all times by the clock of the store. */
export interface Beating {
  /** Unique to each start. */
  process: string;
  /** When it began to use the store. */
  since?: Date;
  lastBeatAt?: Date;
}

/** Before anything is done with a store: was it away, or is it an older copy? */
export async function noteOpening(db: Database): Promise<void> {
  await db.transaction().execute((trx) => compareBeats(trx, undefined));
}

/** Proves that the store is the one that was opened and that it can be written. */
export async function beat(store: Store, me: Beating): Promise<StoreHealth> {
  const gone: StoreHealth = { kind: 'gone', sentence: goneSentence(store) };
  try {
    if (store.file?.isInPlace() === false) return gone;
    const found = await store.db.selectFrom('store_identity').select('id').executeTakeFirst();
    if (found?.id !== store.identity) return gone;
    return { kind: 'well', isShared: await noteBeat(store, me) };
  } catch (error) {
    return healthOf(error, store, gone);
  }
}

/** @returns the time of the store */
async function compareBeats(trx: DatabaseTransaction, me: Beating | undefined): Promise<Date> {
  const now = await readStoreNow(trx);
  const beats = await trx.selectFrom('store_heartbeats').select(['process', 'beat_at']).execute();
  const last = instantOf(
    beats
      .map(({ beat_at: at }) => at)
      .toSorted()
      .at(-1),
  );
  const own = instantOf(beats.find(({ process }) => process === me?.process)?.beat_at);
  const remembered = me?.lastBeatAt;
  // Others have forgotten a process that slept for a day, and its row says nothing then.
  const isForgotten = remembered !== undefined && now.getTime() - remembered.getTime() >= FORGOTTEN_AFTER_MS;
  if (me && (remembered === undefined || (isForgotten && own === undefined))) return now;
  const silence = silenceOf({ lastBeatAt: last, ownBeatAt: own, rememberedAt: remembered, now });
  if (silence) await noteSilence(trx, silence);
  return now;
}

/** What is no time must not keep the program from starting. */
function instantOf(text: string | undefined): Date | undefined {
  const instant = new Date(text ?? Number.NaN);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** A process notes every quarter of a minute that it uses the store. */
const IN_USE_MS = 45_000;

/** Whether a bot uses the store, or did so a moment ago. */
export async function isStoreInUse(db: Database): Promise<boolean> {
  const beats = await db
    .selectFrom('store_heartbeats')
    .select('process')
    .where('beat_at', '>', storeNow(db, -IN_USE_MS))
    .limit(1)
    .executeTakeFirst();
  return beats !== undefined;
}

async function noteBeat({ db, engine }: Store, me: Beating): Promise<boolean> {
  const table = 'store_heartbeats';
  const now = await db.transaction().execute(async (trx) => {
    const at = await compareBeats(trx, me);
    const row = { beat_at: at.toISOString(), padding: engine === 'sqlite' ? PADDING : '' };
    await trx
      .insertInto(table)
      .values({ process: me.process, ...row })
      .onConflict((conflict) => conflict.column('process').doUpdateSet(row))
      .execute();
    return at;
  });
  me.since ??= now;
  me.lastBeatAt = now;
  // The next beat needs room again.
  if (engine === 'sqlite') await db.updateTable(table).set({ padding: '' }).where('process', '=', me.process).execute();
  await db.deleteFrom(table).where('beat_at', '<', storeNow(db, -FORGOTTEN_AFTER_MS)).execute();
  const other = await db
    .selectFrom(table)
    .select('process')
    .where('process', '!=', me.process)
    .where('beat_at', '>', me.since.toISOString())
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

// Postgres: no such table, no such database. SQLite: damaged, no database, and 1 for whatever a statement names in vain.
const GONE_CODES = new Set(['42P01', '3D000', 'SQLITE_11', 'SQLITE_26']);
const FULL_CODES = new Set(['SQLITE_13', '53100']);

function healthOf(error: unknown, store: Store, gone: StoreHealth): StoreHealth {
  const code = codeOf(error);
  const isTableGone = code === 'SQLITE_1' && error instanceof Error && error.message.startsWith('no such table');
  if (GONE_CODES.has(code) || isTableGone) return gone;
  return { kind: 'unwell', sentence: explainStoreFault(error, store.url), isFull: FULL_CODES.has(code) };
}

function goneSentence({ place, engine }: Store): string {
  const what =
    engine === 'sqlite'
      ? `The file ${place} was deleted, replaced or emptied`
      : `The database ${place} was emptied or replaced`;
  return `${what} while Quartermaster was running. Restore it from a backup, or start Quartermaster again to go on with what is there now.`;
}
