import { z } from 'zod';
import { noteDeed } from '../store/audit.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import { leaseHolds, leaseIsOver, storeNow } from '../store/lease.ts';
import type { ComputerWatchTables, Watch, WatchState } from './computer-watch-table.ts';

/** A transaction is one too. */
type Store = Database;

const tables = (db: Store) => db.withTables<ComputerWatchTables>();

export interface NewWatch {
  id: string;
  person: string;
  channel: string;
  wish: string | null;
  name: string;
  remoteUser: string;
  state: WatchState;
  /** How long nobody else takes it up. */
  leaseMs: number;
  computerId?: string;
}

/** @returns `false` when there is one of that id, or of that computer, already */
export async function addWatch(db: Store, watch: NewWatch, now: Date): Promise<boolean> {
  const added = await tables(db)
    .insertInto('computer_watches')
    .values({
      id: watch.id,
      person: watch.person,
      channel: watch.channel,
      wish: watch.wish,
      name: watch.name,
      remote_user: watch.remoteUser,
      state: watch.state,
      computer_id: watch.computerId ?? null,
      leased_until: storeNow(db, watch.leaseMs),
      round: 0,
      edit_number: 0,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Boolean(added.numInsertedOrUpdatedRows);
}

export async function findWatch(db: Store, id: string): Promise<Watch | undefined> {
  return tables(db).selectFrom('computer_watches').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findWatchOf(db: Store, computerId: string): Promise<Watch | undefined> {
  return tables(db).selectFrom('computer_watches').selectAll().where('computer_id', '=', computerId).executeTakeFirst();
}

/** What somebody wished for last. */
export async function lastWishOf(db: Store, person: string): Promise<string | null> {
  const row = await tables(db)
    .selectFrom('computer_watches')
    .select('wish')
    .where('person', '=', person)
    .where('wish', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.wish ?? null;
}

export interface Move {
  id: string;
  from: readonly WatchState[];
  /** It moves only if it has not been retried since. */
  round?: number;
}

/** `leaseMs`: how long nobody else takes it up; 0: anybody may, at once; null: nobody has to. */
type Changes = Partial<Omit<Watch, 'id' | 'created_at' | 'updated_at' | 'leased_until'>> & { leaseMs?: number | null };

/** Moves a watch on, if nobody else has meanwhile. @returns `false` when somebody was faster */
export async function moveWatch(
  db: Store,
  { id, from, round }: Move,
  { leaseMs, ...to }: Changes,
  now: Date,
): Promise<boolean> {
  const lease = leaseMs === undefined ? {} : { leased_until: leaseMs === null ? null : storeNow(db, leaseMs) };
  let query = tables(db)
    .updateTable('computer_watches')
    .set({ ...to, ...lease, updated_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', 'in', from);
  if (round !== undefined) query = query.where('round', '=', round);
  const moved = await query.executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** A deed for the audit. */
export interface WatchDeed {
  /** A Slack id. */
  actor: string;
  deed: 'requested' | 'created' | 'not_created' | 'retried';
  detail: string;
}

export async function noteWatchDeed(
  trx: DatabaseTransaction,
  watchId: string,
  deed: WatchDeed,
  now: Date,
): Promise<void> {
  await noteDeed(trx, { about: `computers:${watchId}`, ...deed }, now);
}

/** Moves a watch on and notes who had it done, in one transaction. @returns `false` when somebody was faster */
export async function moveByDeed(db: Database, move: Move, to: Changes, deed: WatchDeed, now: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await moveWatch(trx, move, to, now))) return false;
    await noteWatchDeed(trx, move.id, deed, now);
    return true;
  });
}

/** What nobody works on although it is not at an end: its process died, or its outcome is not known. */
export async function listAbandoned(db: Store): Promise<Watch[]> {
  return tables(db)
    .selectFrom('computer_watches')
    .selectAll()
    .where('state', 'in', ['wished', 'creating', 'unknown', 'retrying'])
    .where('leased_until', 'is not', null)
    .where(leaseIsOver(db))
    .orderBy('created_at')
    .execute();
}

/** Of the computers with these ids, those that belong to a wish. */
export async function watchedIds(db: Store, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tables(db)
    .selectFrom('computer_watches')
    .select('computer_id')
    .where('computer_id', 'in', ids)
    .execute();
  return new Set(rows.flatMap(({ computer_id: id }) => (id === null ? [] : [id])));
}

/** Whether a request for a computer of that name may be on its way just now, besides this one. */
export async function isAnotherCreating(db: Store, { id, name }: Watch): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('computer_watches')
    .select('id')
    .where('name', '=', name)
    .where('id', '!=', id)
    .where('state', '=', 'creating')
    .where(leaseHolds(db))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const MOST_COMPARED = 100;

/** How long the latest computers took that got ready at the first try. */
export async function readyTimesMs(db: Store): Promise<number[]> {
  const rows = await tables(db)
    .selectFrom('computer_watches')
    .select('ready_after_ms')
    .where('ready_after_ms', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(MOST_COMPARED)
    .execute();
  return rows.flatMap(({ ready_after_ms: afterMs }) => (afterMs === null ? [] : [afterMs]));
}

const idsSchema = z.array(z.string());

export function knownIdsOf({ known_ids: text }: Watch): string[] {
  return text === null ? [] : (idsSchema.safeParse(JSON.parse(text)).data ?? []);
}
