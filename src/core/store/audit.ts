import type { Selectable } from 'kysely';
import { instantsOf, type Period } from '../base/time/calendar.ts';
import { ROWS_A_TRANSACTION, rowRetention } from './row-retention.ts';
import type { Database, DatabaseTransaction } from './tables.ts';

/** One row per action, written in the transaction of the action and never changed. */
interface AuditTable {
  /** `limits:k7m2x`. */
  about: string;
  /** 0, 1, 2 …: entries may share a millisecond. */
  position: number;
  at: string;
  /** A Slack id, or `quartermaster`. */
  actor: string;
  action: string;
  detail: string | null;
}

declare module './tables.ts' {
  interface Tables {
    audit: AuditTable;
  }
}

export type AuditEntry = Selectable<AuditTable>;

/** The actor of actions that no person asked for. */
export const BOT_ACTOR = 'quartermaster';

/**
 * Runs in the transaction of the action.
 *
 * @example await audit(trx, { about: `limits:${id}`, actor: person.slackId, action: 'approved' }, now);
 */
export async function audit(
  trx: DatabaseTransaction,
  { about, actor, action, detail = null }: Pick<AuditEntry, 'about' | 'actor' | 'action'> & Partial<AuditEntry>,
  now: Date,
): Promise<void> {
  // Old entries are deleted, so a count would repeat positions.
  const { newest } = await trx
    .selectFrom('audit')
    .select((select) => select.fn.max('position').as('newest'))
    .where('about', '=', about)
    .executeTakeFirstOrThrow();
  const position = newest === null ? 0 : newest + 1;
  await trx.insertInto('audit').values({ about, actor, action, detail, position, at: now.toISOString() }).execute();
}

/** Oldest first. */
export async function listAuditEntries(db: Database, about: string): Promise<AuditEntry[]> {
  return db.selectFrom('audit').selectAll().where('about', '=', about).orderBy('position').execute();
}

export async function listActionsBy(db: Database, actors: readonly string[]) {
  return db.selectFrom('audit').select(['about', 'action']).distinct().where('actor', 'in', actors).execute();
}

export async function listNewestAuditEntries(
  db: Database,
  kind: string,
  most: number,
  days?: Period,
): Promise<AuditEntry[]> {
  const all = db.selectFrom('audit').selectAll().where('about', 'like', `${kind}:%`);
  const instants = days && instantsOf(days);
  const rows = await (instants ? all.where('at', '>=', instants.from).where('at', '<', instants.before) : all)
    .orderBy('at', 'desc')
    .orderBy('about', 'desc')
    .orderBy('position', 'desc')
    .limit(most)
    .execute();
  return rows.toReversed();
}

const AUDIT = { table: 'audit', key: ['about', 'position'], column: 'at' };

export const auditRetention = rowRetention('audit', AUDIT);

/** No index finds entries by kind, so it reads all old ones, in batches. */
export async function* deleteEntriesOfKind(db: Database, kind: string, before: Date): AsyncGenerator<number> {
  let last: Pick<AuditEntry, 'at' | 'about' | 'position'> | undefined;
  for (;;) {
    const entries = await listOld(db, before, last);
    last = entries.at(-1);
    if (!last) return;
    const keys = entries.filter(({ about }) => about.startsWith(`${kind}:`));
    if (keys.length === 0) continue;
    const deleted = await db
      .deleteFrom('audit')
      .where((where) =>
        where(
          where.refTuple('about', 'position'),
          'in',
          keys.map(({ about, position }) => where.tuple(about, position)),
        ),
      )
      .executeTakeFirst();
    yield Number(deleted.numDeletedRows);
  }
}

async function listOld(
  db: Database,
  before: Date,
  after: Pick<AuditEntry, 'at' | 'about' | 'position'> | undefined,
): Promise<Pick<AuditEntry, 'at' | 'about' | 'position'>[]> {
  return db
    .selectFrom('audit')
    .select(['at', 'about', 'position'])
    .where('at', '<', before.toISOString())
    .$if(after !== undefined, (query) =>
      query.where((where) =>
        where(
          where.refTuple('at', 'about', 'position'),
          '>',
          where.tuple(after?.at ?? '', after?.about ?? '', after?.position ?? 0),
        ),
      ),
    )
    .orderBy('at')
    .orderBy('about')
    .orderBy('position')
    .limit(ROWS_A_TRANSACTION)
    .execute();
}
