import type { Selectable } from 'kysely';
import type { AuditTable } from './audit-table.ts';
import type { Database, DatabaseTransaction } from './tables.ts';

export type AuditEntry = Selectable<AuditTable>;

/** The bot itself, where nobody asked for what it did. */
export const BOT_ACTOR = 'quartermaster';

/**
 * Notes an action, in its transaction.
 *
 * @example await audit(trx, { about: `limits:${id}`, actor: person.slackId, action: 'approved', detail: null }, now);
 */
export async function audit(
  trx: DatabaseTransaction,
  entry: Pick<AuditEntry, 'about' | 'actor' | 'action' | 'detail'>,
  now: Date,
): Promise<void> {
  // Not how many there are: old ones are deleted.
  const { newest } = await trx
    .selectFrom('audit')
    .select((select) => select.fn.max('position').as('newest'))
    .where('about', '=', entry.about)
    .executeTakeFirstOrThrow();
  const position = newest === null ? 0 : newest + 1;
  await trx
    .insertInto('audit')
    .values({ ...entry, position, at: now.toISOString() })
    .execute();
}

/** The entries about one thing, oldest first. */
export async function listAuditEntries(db: Database, about: string): Promise<AuditEntry[]> {
  return db.selectFrom('audit').selectAll().where('about', '=', about).orderBy('position').execute();
}

/** All entries about things of one kind, oldest first; the newest `most` of them. */
export async function listNewestAuditEntries(db: Database, kind: string, most: number): Promise<AuditEntry[]> {
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
