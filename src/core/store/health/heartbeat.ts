import { DAY_MS } from '../../base/time/durations.ts';
import { zoneRulesVersion } from '../../base/time/zone-rules.ts';
import type { Engine, Store } from '../store.ts';
import type { Database, DatabaseTransaction } from '../tables.ts';
import { readStoreNow, storeNow } from '../lease.ts';
import { correctFutureTimes } from './moved-clock.ts';
import { recordDataGap, findDataGap } from '../data-gap.ts';
import { codeOf, explainStoreFault } from '../engines/store-error.ts';

export type StoreHealth =
  | { kind: 'well'; /** Another process has used the same store since this one began. */ isShared: boolean }
  /** It may pass; until then nothing can be recorded. */
  | { kind: 'unwell'; sentence: string; isFull: boolean }
  /** The recorded data is gone, and any further write would be lost too. */
  | { kind: 'gone'; sentence: string };

/** A full disk may accept a small change, so a beat writes a row of this size before it deletes the old one. */
const PADDING = 'x'.repeat(16 * 1024);
/** A process without a beat for a day is gone. */
const FORGOTTEN_AFTER_MS = DAY_MS;

/** All times are by the clock of the store. */
export interface BeatState {
  /** Unique to each start. */
  process: string;
  since?: Date;
  lastBeatAt?: Date;
}

/** Returns a sentence for the operator if the store was unused for a while, is an older copy, or a clock was ahead. */
export async function checkBeforeUse(db: Database, engine: Engine): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    const sentence = await correctFutureTimes(trx, { isAlone: engine === 'sqlite' });
    await checkForDataGap(trx, undefined);
    return sentence;
  });
}

/** Proves that the store is still the one that was opened, and writable. `readErasures` returns their number. */
export async function beat(
  store: Store,
  ownState: BeatState,
  readErasures: () => Promise<number> = () => Promise.resolve(0),
): Promise<StoreHealth> {
  const gone: StoreHealth = { kind: 'gone', sentence: goneSentence(store) };
  try {
    if (store.file?.isStillAtPath() === false) return gone;
    const identity = await store.db.selectFrom('storeIdentity').select('id').executeTakeFirst();
    if (identity?.id !== store.identity) return gone;
    return { kind: 'well', isShared: await writeBeat(store, ownState, await readErasures()) };
  } catch (error) {
    return healthOf(error, store, gone);
  }
}

/** @returns the time of the store */
async function checkForDataGap(trx: DatabaseTransaction, ownState: BeatState | undefined): Promise<Date> {
  const now = await readStoreNow(trx);
  const beats = await trx.selectFrom('storeHeartbeats').select(['process', 'beatAt']).execute();
  const last = instantOf(
    beats
      .map(({ beatAt: at }) => at)
      .toSorted()
      .at(-1),
  );
  const own = instantOf(beats.find(({ process }) => process === ownState?.process)?.beatAt);
  const remembered = ownState?.lastBeatAt;
  // After a day of sleep, other processes have deleted the row of this one, so its absence means nothing.
  const isForgotten = remembered !== undefined && now.getTime() - remembered.getTime() >= FORGOTTEN_AFTER_MS;
  if (ownState && (remembered === undefined || (isForgotten && own === undefined))) return now;
  const gap = findDataGap({ lastBeatAt: last, ownBeatAt: own, rememberedAt: remembered, now });
  if (gap) await recordDataGap(trx, gap);
  return now;
}

/** A malformed time must not keep the program from starting. */
function instantOf(text: string | undefined): Date | undefined {
  const instant = new Date(text ?? Number.NaN);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** A running process beats every 15 seconds. */
const IN_USE_MS = 45_000;

export const runningProcesses = (db: Database) =>
  db.selectFrom('storeHeartbeats').where('beatAt', '>', storeNow(db, -IN_USE_MS)).where('stoppedAt', 'is', null);

/** A bot that stopped properly does not count. */
export async function isStoreInUse(db: Database): Promise<boolean> {
  return (await runningProcesses(db).select('process').limit(1).executeTakeFirst()) !== undefined;
}

/** Records the number of erasures that a process knows, between two of its beats. */
export async function recordErasuresRead(db: Database, process: string, count: number): Promise<void> {
  await db.updateTable('storeHeartbeats').set({ erasuresRead: count }).where('process', '=', process).execute();
}

/** Whether no process shows an erased person. Earlier versions record no number; they read erasures each minute. */
export async function areErasuresKnown(db: Database): Promise<boolean> {
  const { count } = await db
    .selectFrom('erasures')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const late = await runningProcesses(db)
    .select('process')
    .where('erasuresRead', '<', Number(count))
    .limit(1)
    .executeTakeFirst();
  return late === undefined;
}

/** Other processes no longer wait for this one. Its last beat stays, because it reveals a gap. */
export async function recordStop(db: Database, process: string): Promise<void> {
  const stopped = { stoppedAt: storeNow(db) };
  await db.updateTable('storeHeartbeats').set(stopped).where('process', '=', process).execute();
}

async function writeBeat({ db, engine }: Store, ownState: BeatState, erasuresRead: number): Promise<boolean> {
  const table = 'storeHeartbeats';
  const now = await db.transaction().execute(async (trx) => {
    const at = await checkForDataGap(trx, ownState);
    const padding = engine === 'sqlite' ? PADDING : '';
    const row = { beatAt: at.toISOString(), padding, erasuresRead, stoppedAt: null, zoneRules: zoneRulesVersion() };
    await trx
      .insertInto(table)
      .values({ process: ownState.process, ...row })
      .onConflict((conflict) => conflict.column('process').doUpdateSet(row))
      .execute();
    return at;
  });
  ownState.since ??= now;
  ownState.lastBeatAt = now;
  // The next beat needs the room again.
  if (engine === 'sqlite')
    await db.updateTable(table).set({ padding: '' }).where('process', '=', ownState.process).execute();
  await db.deleteFrom(table).where('beatAt', '<', storeNow(db, -FORGOTTEN_AFTER_MS)).execute();
  const other = await db
    .selectFrom(table)
    .select('process')
    .where('process', '!=', ownState.process)
    .where('beatAt', '>', ownState.since.toISOString())
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

// Postgres: no such table or database. SQLite: damaged, no database, and 1 for any unknown name in a statement.
const GONE_CODES = new Set(['42P01', '3D000', 'SQLITE_11', 'SQLITE_26']);
const FULL_CODES = new Set(['SQLITE_13', 'ENOSPC', '53100']);

function healthOf(error: unknown, store: Store, gone: StoreHealth): StoreHealth {
  const code = codeOf(error);
  const isTableGone = code === 'SQLITE_1' && error instanceof Error && error.message.startsWith('no such table');
  if (GONE_CODES.has(code) || isTableGone) return gone;
  return { kind: 'unwell', sentence: explainStoreFault(error, store.url), isFull: FULL_CODES.has(code) };
}

function goneSentence({ location, engine }: Store): string {
  const what =
    engine === 'sqlite'
      ? `The file ${location} was deleted, replaced or emptied`
      : `The database ${location} was emptied or replaced`;
  return `${what} while Quartermaster was running. Restore it from a backup, or restart Quartermaster to continue with the current content.`;
}
