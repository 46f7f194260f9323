import { z } from 'zod';
import type { Database } from '../../store/tables.ts';
import { NOTHING_RECENT, recentSchema, type Recent } from '../core/bursts.ts';
import { isBelow } from '../diff/paths.ts';
import { membersOf, type RevisionOutline } from '../core/revisions.ts';
import { tablesIn, type ControlsDatabase, type ControlsTransaction, type Watch } from '../core/tables.ts';

const namesSchema = z.array(z.string());

/** The members that a watch gets; none: all. */
export function namesOf({ members }: Pick<Watch, 'members'>): string[] {
  return namesSchema.parse(JSON.parse(members));
}

/** Whether a watch gets a change of this member. */
export function matchesWatch(names: readonly string[], member: string): boolean {
  return names.length === 0 || names.some((name) => isBelow(member, name));
}

/** A watch of everything gets a revision in which nothing can be seen to change, too. */
export function isRelevant(row: Pick<RevisionOutline, 'members'>, names: readonly string[]): boolean {
  return names.length === 0 || membersOf(row).some((member) => matchesWatch(names, member));
}

/** What it was told of lately; what nobody can read counts as nothing. */
export function recentOf({ recent }: Pick<Watch, 'recent'>): Recent {
  return recentSchema.safeParse(JSON.parse(recent)).data ?? NOTHING_RECENT;
}

export async function listWatches(db: Database): Promise<Watch[]> {
  return tablesIn(db)
    .selectFrom('controls_watches')
    .selectAll()
    .where('state', '!=', 'removed')
    .orderBy('created_at')
    .orderBy('channel')
    .execute();
}

export async function findWatch(db: Database, channel: string): Promise<Watch | undefined> {
  return tablesIn(db).selectFrom('controls_watches').selectAll().where('channel', '=', channel).executeTakeFirst();
}

export interface NewWatch {
  channel: string;
  names: readonly string[];
  owner: string | null;
}

/**
 * Has a channel hear of what comes from now on. One that hears already goes on, of the members that are named now.
 *
 * @param since the last revision that is known now
 * @returns `false` when it was watching already
 */
export async function putWatch(
  trx: ControlsTransaction,
  { channel, names, owner }: NewWatch,
  since: number | null,
  now: Date,
): Promise<boolean> {
  const at = now.toISOString();
  const members = JSON.stringify(names);
  const fresh = {
    members,
    owner,
    state: 'active' as const,
    since_revision: since,
    recent: JSON.stringify(NOTHING_RECENT),
    failures: 0,
    last_error: null,
    updated_at: at,
  };
  const begun = await trx
    .insertInto('controls_watches')
    .values({ channel, created_at: at, ...fresh })
    .onConflict((conflict) =>
      conflict.column('channel').doUpdateSet(fresh).where('controls_watches.state', '!=', 'active'),
    )
    .executeTakeFirst();
  if (begun.numInsertedOrUpdatedRows) return true;
  await trx
    .updateTable('controls_watches')
    .set({ members, owner, updated_at: at })
    .where('channel', '=', channel)
    .execute();
  return false;
}

/** @returns `false` when it was not watching */
export async function removeWatch(trx: ControlsDatabase, channel: string, now: Date): Promise<boolean> {
  const updated = await trx
    .updateTable('controls_watches')
    .set({ state: 'removed', updated_at: now.toISOString() })
    .where('channel', '=', channel)
    .where('state', '!=', 'removed')
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function activeWatches(trx: ControlsTransaction): Promise<Watch[]> {
  return trx.selectFrom('controls_watches').selectAll().where('state', '=', 'active').orderBy('channel').execute();
}

export async function noteRecent(trx: ControlsTransaction, channel: string, recent: Recent): Promise<void> {
  await trx
    .updateTable('controls_watches')
    .set({ recent: JSON.stringify(recent) })
    .where('channel', '=', channel)
    .execute();
}

/** So many notices in a row that could not be posted end a watch for the time being. */
const MAX_FAILURES = 3;

/** Counts a notice that failed for good. */
export async function noteFailure(trx: ControlsTransaction, channel: string, reason: string, now: Date): Promise<void> {
  const updated = await trx
    .updateTable('controls_watches')
    .set((set) => ({ failures: set('failures', '+', 1), last_error: reason, updated_at: now.toISOString() }))
    .where('channel', '=', channel)
    .returning('failures')
    .executeTakeFirst();
  if ((updated?.failures ?? 0) < MAX_FAILURES) return;
  await trx
    .updateTable('controls_watches')
    .set({ state: 'paused' })
    .where('channel', '=', channel)
    .where('state', '=', 'active')
    .execute();
}

export async function forgetFailures(trx: ControlsTransaction, channel: string): Promise<void> {
  await trx
    .updateTable('controls_watches')
    .set({ failures: 0, last_error: null })
    .where('channel', '=', channel)
    .where('failures', '>', 0)
    .execute();
}
