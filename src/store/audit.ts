import type { Selectable } from 'kysely';
import type { AuditTable } from './audit-table.ts';
import { ROWS_A_TRANSACTION, untilNothingIsLeft, type Retention } from './retention.ts';
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

/** Deletes entries that were kept long enough. */
export const auditRetention = (db: Database): Retention => ({
  kind: 'audit',
  prune: (before) => untilNothingIsLeft(() => forgetSome(db, before)),
});

/**
 * Deletes entries about things of one kind that are older than an instant.
 *
 * @param kind missing: about anything
 * @returns how many; more may be left
 */
export async function forgetSome(db: Database, before: Date, kind?: string): Promise<number> {
  const deleted = await db
    .deleteFrom('audit')
    .where((where) =>
      where(
        where.refTuple('about', 'position'),
        'in',
        where
          .selectFrom('audit as old')
          .select(['old.about', 'old.position'])
          .where('old.at', '<', before.toISOString())
          .$if(kind !== undefined, (query) => query.where('old.about', 'like', `${kind}:%`))
          .orderBy('old.at')
          .limit(ROWS_A_TRANSACTION)
          .$asTuple('about', 'position'),
      ),
    )
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
