import type { DatabaseTransaction } from '../../../../core/store/tables.ts';
import { withHooks, type HookDatabase, type HookSession, type HookTransaction } from './session-tables.ts';

export async function findHookSession(db: HookDatabase, id: string): Promise<HookSession | undefined> {
  return db.selectFrom('hookSessions').selectAll().where('id', '=', id).executeTakeFirst();
}

const newestFirst = (db: HookDatabase) =>
  db.selectFrom('hookSessions').selectAll().orderBy('lastAt', 'desc').orderBy('id');

export async function listHookSessions(db: HookDatabase, owner: string, most: number): Promise<HookSession[]> {
  return newestFirst(db).where('owner', '=', owner).limit(most).execute();
}

export async function countHookSessions(db: HookDatabase, owner: string): Promise<number> {
  const { count } = await db
    .selectFrom('hookSessions')
    .select((select) => select.fn.countAll().as('count'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function listDeferred(db: HookDatabase, key: string): Promise<HookSession[]> {
  return newestFirst(db).where('heldFor', '=', key).execute();
}

/** @returns the changed session; undefined if it already had this state or belongs to another owner */
export async function setMuted(
  trx: HookTransaction,
  { id, owner, isMuted }: { id: string; owner: string; isMuted: boolean },
  now: Date,
): Promise<HookSession | undefined> {
  return trx
    .updateTable('hookSessions')
    .set({ mutedAt: isMuted ? now.toISOString() : null })
    .where((where) => where.and({ id, owner }))
    .where('mutedAt', isMuted ? 'is' : 'is not', null)
    .returningAll()
    .executeTakeFirst();
}

export async function cardsStillReferenced(
  trx: DatabaseTransaction,
  ended: readonly { key: string }[],
): Promise<ReadonlySet<string>> {
  const keys = ended.map(({ key }) => key);
  const sessions = await withHooks(trx)
    .selectFrom('hookSessions')
    .select('cardKey')
    .where('cardKey', 'in', keys)
    .execute();
  return new Set(sessions.flatMap(({ cardKey: key }) => key ?? []));
}
