import type { Selectable } from 'kysely';
import { z } from 'zod';
import { hashIdentifier, IDENTIFIER_KINDS, pseudonymOf, type Identifiers } from '../../base/privacy/pseudonyms.ts';
import { makeShortId } from '../../base/text/short-id.ts';
import { audit } from '../../store/audit.ts';
import { pseudonymsSchema, type ErasureTable } from '../../store/erased-people.ts';
import type { Database } from '../../store/tables.ts';
import { readList, type ListedErasure } from './list-file.ts';

export type Erasure = Selectable<ErasureTable>;

const ID_LENGTH = 8;
/** Who asks by a command of the machine. */
export const OPERATOR = 'operator';

const identifiersSchema = z.object({
  email: z.array(z.string()),
  slackId: z.array(z.string()),
  userId: z.array(z.string()),
  name: z.array(z.string()),
});

/** Pseudonyms by the hashes of what they replace. */
function pseudonymsOf(id: string, identifiers: Identifiers): Record<string, string> {
  return Object.fromEntries(
    IDENTIFIER_KINDS.flatMap((kind) =>
      identifiers[kind].map((value, position) => [hashIdentifier({ kind, value }), pseudonymOf(id, kind, position)]),
    ),
  );
}

/** Begins an erasure: from then on nothing more of the person is taken in. */
export async function insertErasure(
  { db, random }: { db: Database; random: () => number },
  identifiers: Identifiers,
  askedBy: string,
  now: Date,
): Promise<string> {
  const id = makeShortId(random, ID_LENGTH);
  const at = now.toISOString();
  const row: Erasure = {
    id,
    state: 'asked',
    pseudonyms: JSON.stringify(pseudonymsOf(id, identifiers)),
    identifiers: JSON.stringify(identifiers),
    asked_by: askedBy,
    asked_at: at,
    next_at: at,
    finished_at: null,
  };
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('erasures').values(row).execute();
    await audit(trx, { about: `erasure:${id}`, actor: askedBy, action: 'asked to erase', detail: null }, now);
  });
  return id;
}

/**
 * Takes over what the list knows and the store, which may come from an older backup, does not.
 *
 * @throws ErasureListError: with a list that nobody can read, people would come back
 */
export async function takeOverListed(db: Database, erasuresFile: string, now: Date): Promise<void> {
  for (const { id, pseudonyms, asked_by, asked_at } of readList(erasuresFile)) {
    await db
      .insertInto('erasures')
      .values({
        id,
        state: 'asked',
        pseudonyms: JSON.stringify(pseudonyms),
        identifiers: null,
        asked_by,
        asked_at,
        next_at: now.toISOString(),
        finished_at: null,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

export const toListed = ({ id, pseudonyms, asked_by, asked_at }: Erasure): ListedErasure => ({
  id,
  pseudonyms: pseudonymsSchema.parse(JSON.parse(pseudonyms)),
  asked_by,
  asked_at,
});

export const identifiersOf = ({ identifiers }: Erasure): Identifiers | undefined =>
  identifiers === null ? undefined : identifiersSchema.parse(JSON.parse(identifiers));

export async function findErasure(db: Database, id: string): Promise<Erasure | undefined> {
  return db.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function dueErasures(db: Database, now: Date): Promise<Erasure[]> {
  return db
    .selectFrom('erasures')
    .selectAll()
    .where('state', '!=', 'done')
    .where('next_at', '<=', now.toISOString())
    .orderBy('asked_at')
    .execute();
}

export async function claimErasure(db: Database, { id, next_at }: Erasure, until: Date): Promise<boolean> {
  const claimed = await db
    .updateTable('erasures')
    .set({ next_at: until.toISOString() })
    .where('id', '=', id)
    .where('next_at', '=', next_at)
    .where('state', '!=', 'done')
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

/** What was found by hashes only is kept until it is done, like what was asked for. */
export async function noteIdentifiers(db: Database, id: string, identifiers: Identifiers): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ identifiers: JSON.stringify(identifiers) })
    .where('id', '=', id)
    .where('state', '!=', 'done')
    .execute();
}

export async function checkAgain(db: Database, id: string, at: Date): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ state: 'checking', next_at: at.toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .execute();
}

/** From then on nothing in the store names them. */
export async function finishErasure(db: Database, id: string, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const finished = await trx
      .updateTable('erasures')
      .set({ state: 'done', identifiers: null, finished_at: now.toISOString() })
      .where('id', '=', id)
      .where('state', '!=', 'done')
      .executeTakeFirst();
    if (finished.numUpdatedRows === 0n) return;
    await audit(trx, { about: `erasure:${id}`, actor: 'quartermaster', action: 'erased', detail: null }, now);
  });
}
