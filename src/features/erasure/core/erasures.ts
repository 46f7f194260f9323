import type { Selectable } from 'kysely';
import { pseudonymsByHash, type Identifiers } from '../../../core/base/privacy/pseudonyms.ts';
import { makeShortId } from '../../../core/base/text/short-id.ts';
import { audit, BOT_ACTOR } from '../../../core/store/audit.ts';
import { identifiersColumn, pseudonymsColumn, type ErasureTable } from '../../../core/store/erased-people.ts';
import type { Database, DatabaseTransaction } from '../../../core/store/tables.ts';
import { ADMIN, OPERATOR, readList, removeNames, type ListedErasure } from './list-file.ts';
import { notifyOfErasure } from './notice.ts';

export type Erasure = Selectable<ErasureTable>;

const ID_LENGTH = 8;

export const makeErasureId = (random: () => number) => makeShortId(random, ID_LENGTH);

export const auditErasure = (trx: DatabaseTransaction, id: string, actor: string, action: string, now: Date) =>
  audit(trx, { about: `erasure:${id}`, actor, action }, now);

interface NewErasure {
  id: string;
  identifiers: Identifiers;
  /** Slack id, or the operator. */
  askedBy: string;
  /** The second admin, if one had to agree. */
  agreedBy?: string | undefined;
}

/** Begins an erasure: from then on no further data of the person is stored. */
export async function insertErasure(
  trx: DatabaseTransaction,
  { id, identifiers, askedBy, agreedBy }: NewErasure,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const row: Erasure = {
    id,
    state: 'asked',
    pseudonyms: pseudonymsColumn.write(pseudonymsByHash(id, identifiers)),
    identifiers: identifiersColumn.write(identifiers),
    askedBy,
    askedAt: at,
    nextAt: at,
    finishedAt: null,
  };
  await trx.insertInto('erasures').values(row).execute();
  await auditErasure(trx, id, askedBy, 'asked to erase', now);
  if (agreedBy !== undefined) await auditErasure(trx, id, agreedBy, 'agreed to erase', now);
  await notifyOfErasure(trx, { id, event: 'begun', by: askedBy, agreedBy }, now);
}

/** Copies listed erasures into the store, which may be older. @throws ErasureListError if the list is unreadable */
export async function importErasureList(db: Database, erasuresFile: string, now: Date): Promise<void> {
  await removeNames(erasuresFile);
  for (const { id, pseudonyms, asked_by: askedBy, asked_at: askedAt } of readList(erasuresFile)) {
    await db
      .insertInto('erasures')
      .values({
        id,
        state: 'asked',
        pseudonyms: pseudonymsColumn.write(pseudonyms),
        identifiers: null,
        askedBy,
        askedAt,
        nextAt: now.toISOString(),
        finishedAt: null,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

/** The list contains no name: the audit says which admin asked. */
export const toListed = ({ id, pseudonyms, askedBy, askedAt }: Erasure): ListedErasure => ({
  id,
  pseudonyms: pseudonymsColumn.read(pseudonyms),
  asked_by: askedBy === OPERATOR ? OPERATOR : ADMIN,
  asked_at: askedAt,
});

export const identifiersOf = ({ identifiers }: Erasure): Identifiers | undefined =>
  identifiers === null ? undefined : identifiersColumn.read(identifiers);

export async function findErasure(db: Database, id: string): Promise<Erasure | undefined> {
  return db.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function dueErasures(db: Database, now: Date): Promise<Erasure[]> {
  return db
    .selectFrom('erasures')
    .selectAll()
    .where('state', '!=', 'done')
    .where('nextAt', '<=', now.toISOString())
    .orderBy('askedAt')
    .execute();
}

export async function claimErasure(db: Database, { id, nextAt }: Erasure, until: Date): Promise<boolean> {
  const claimed = await db
    .updateTable('erasures')
    .set({ nextAt: until.toISOString() })
    .where((where) => where.and({ id, nextAt }))
    .where('state', '!=', 'done')
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

/** Stores the identifiers that were found through hashes until the erasure is done, like those of a request. */
export async function storeIdentifiers(db: Database, id: string, identifiers: Identifiers): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ identifiers: identifiersColumn.write(identifiers) })
    .where('id', '=', id)
    .where('state', '!=', 'done')
    .execute();
}

export async function checkAgain(db: Database, id: string, at: Date): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ state: 'checking', nextAt: at.toISOString() })
    .where((where) => where.and({ id, state: 'asked' }))
    .execute();
}

/** Deletes the identifiers: from then on nothing in the store names the person. */
export async function finishErasure(db: Database, id: string, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const finished = await trx
      .updateTable('erasures')
      .set({ state: 'done', identifiers: null, finishedAt: now.toISOString() })
      .where('id', '=', id)
      .where('state', '!=', 'done')
      .returning('askedBy')
      .executeTakeFirst();
    if (!finished) return;
    await auditErasure(trx, id, BOT_ACTOR, 'erased', now);
    await notifyOfErasure(trx, { id, event: 'done', by: finished.askedBy }, now);
  });
}
