import type { Selectable } from 'kysely';
import type { AuditTable } from './audit-table.ts';
import type { Database, DatabaseTransaction } from './tables.ts';

export type AuditEntry = Selectable<AuditTable>;

/** The bot itself, where nobody asked for what it did. */
export const BOT_ACTOR = 'quartermaster';

/**
 * Notes a deed, in its transaction.
 *
 * @example await noteDeed(trx, { about: `limits:${id}`, actor: person.slackId, deed: 'approved', detail: null }, now);
 */
export async function noteDeed(
  trx: DatabaseTransaction,
  entry: Pick<AuditEntry, 'about' | 'actor' | 'deed' | 'detail'>,
  now: Date,
): Promise<void> {
  const { deeds } = await trx
    .selectFrom('audit')
    .select((select) => select.fn.countAll().as('deeds'))
    .where('about', '=', entry.about)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('audit')
    .values({ ...entry, position: Number(deeds), at: now.toISOString() })
    .execute();
}

/** The deeds about one thing, oldest first. */
export async function listDeeds(db: Database, about: string): Promise<AuditEntry[]> {
  return db.selectFrom('audit').selectAll().where('about', '=', about).orderBy('position').execute();
}

/** All deeds about things of one kind, oldest first; the newest `most` of them. */
export async function listNewestDeeds(db: Database, kind: string, most: number): Promise<AuditEntry[]> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('about', 'like', `${kind}:%`)
    .orderBy('at', 'desc')
    .orderBy('about', 'desc')
    .orderBy('position', 'desc')
    .limit(most)
    .execute();
  return rows.toReversed();
}
